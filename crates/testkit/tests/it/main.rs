//! The testkit's own tests: meshes are what they say, and the oracle agrees with geometry.

#![forbid(unsafe_code)]

mod data;
mod meshes;
mod oracle;
mod rays;
