//! striatum: the command line.
//!
//! Parses, runs one command, shows its answer, ends with the exit code of the one table (`docs/reference/errors.md`).

mod command;
mod local;
mod output;

use std::ffi::OsString;
use std::process::ExitCode;

use output::Output;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match command::parse(&arguments) {
        command::Parsed::Run { local, matches } => {
            let output = Output { json: matches.get_flag("json") };
            match (local.run)(&matches) {
                Ok(answer) => output.answer(&answer),
                Err(refusal) => output.refusal(&refusal),
            }
        }
        command::Parsed::Show(text) => Output::show(&text),
        command::Parsed::Refused { refusal, json } => Output { json }.refusal(&refusal),
    }
}
