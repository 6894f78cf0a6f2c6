//! `striatum token recover`: what `striatumd token recover` does.

use clap::{Arg, ArgMatches, Command};
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::instance::program::become_striatumd;
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["token", "recover"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Make a new administrator's token, where the old one is lost; the daemon has to be stopped")
        .after_help(
            "Examples:\n  striatum local down --daemon-only; striatum token recover; striatum daemon start",
        )
        .arg(
            Arg::new("config")
                .long("config")
                .value_name("FILE")
                .help("The daemon's configuration file, instead of the usual one"),
        )
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    Err(become_striatumd(matches, &["token", "recover"], &["config"], &[]))
}
