//! striatum: the command line.
//!
//! Parses, runs one command, shows its answer, ends with the exit code of the one table (`docs/reference/errors.md`).

mod command;
mod daemon;
mod drive;
mod instance;
mod local;
mod output;
mod text;
mod tree;

use std::ffi::OsString;
use std::process::ExitCode;

use command::Answers;
use output::Output;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match command::parse(&arguments) {
        command::Parsed::Run { answers, matches } => {
            let output = Output {
                json: matches.get_flag("json"),
                verbose: matches.get_flag("verbose"),
                instance: matches.get_one::<String>("instance").cloned(),
            };
            let shown = match answers {
                Answers::Here(local) => (local.run)(&matches).map(|answer| output.answer(&answer)),
                Answers::Daemon(method) => {
                    daemon::ask(method, &matches, &arguments).map(|replied| output.reply(method, &replied))
                }
            };
            shown.unwrap_or_else(|refusal| output.refusal(&refusal))
        }
        command::Parsed::Show(text) => Output::show(&text),
        command::Parsed::Refused { refusal, json, instance } => {
            Output { json, verbose: false, instance }.refusal(&refusal)
        }
    }
}
