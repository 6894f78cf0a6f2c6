//! The command line as a user meets it: the built program, its two streams, its exit code.
#![expect(clippy::disallowed_methods, reason = "the test starts the program")]

mod agents;
mod artifact;
mod belongs;
mod bench;
mod catalogue;
mod completions;
mod daemon;
mod drive;
mod exchange;
mod local;
mod other_end;
mod unwell;
mod usage;
mod workflow;

use std::process::{Command, Output};

/// Runs `striatum` with these arguments, without a terminal.
fn striatum(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_striatum")).args(arguments).output().expect("the built program starts")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}
