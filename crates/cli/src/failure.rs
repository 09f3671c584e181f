//! How a failure is told: one line with its causes, and the exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

use anstream::eprintln;

use crate::interrupt::{self, Interrupted};

/// The command line asks for something that cannot be; exit code 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Tells the error on stderr and gives the exit code that it calls for.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        // Whoever read our stdout has seen enough, as in `hitscan cast … | head`.
        return ExitCode::SUCCESS;
    }
    if error.is::<Interrupted>() {
        return interrupt::report();
    }
    let mut told = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Some errors already tell their cause in their own words.
        if !told.contains(&cause) {
            told.push_str(": ");
            told.push_str(&cause);
        }
    }
    eprintln!("\u{1b}[1;31merror\u{1b}[0m: {told}");
    if error.is::<Usage>() {
        eprintln!("\nFor more information, try '--help'.");
        return ExitCode::from(2);
    }
    ExitCode::FAILURE
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}
