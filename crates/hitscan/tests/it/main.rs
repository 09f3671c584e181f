//! What a user of hitscan would notice: right answers, the same everywhere.

#![forbid(unsafe_code)]

mod failures;
mod oracle;
mod same_bits;
mod workload;
