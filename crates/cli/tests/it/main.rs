//! The command line as a user meets it.

mod baked;
mod cast;
mod check;
mod explain;
mod far;
mod files;
mod formats;
mod inspect;
#[cfg(unix)]
mod interrupt;
mod pictures;
mod tool;
mod transcripts;
