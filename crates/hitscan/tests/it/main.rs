//! What a user of hitscan would notice: right answers, the same everywhere.

#![forbid(unsafe_code)]

mod baked;
mod camera;
mod cases;
mod closed;
mod compact;
mod deep;
mod everything;
mod failures;
mod formats;
mod georeferenced;
mod moving;
mod oracle;
mod same_bits;
mod scene;
mod sponzas;
mod watching;
mod workload;
