//! The command line as a user meets it.

mod cast;
mod files;
mod formats;
mod pictures;
mod tool;
mod transcripts;
