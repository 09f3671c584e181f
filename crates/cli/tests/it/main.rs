//! The command line as a user meets it.

mod cast;
mod far;
mod files;
mod pictures;
mod tool;
mod transcripts;
