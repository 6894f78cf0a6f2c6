//! `striatum db plan|apply|status|export-chains`: what `striatumd db` does, under the name that people type. This
//! program knows no database; it becomes the one that does.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::instance::program::become_striatumd;
use crate::output::Answer;

pub(crate) const PLAN: Local = Local {
    path: &["db", "plan"],
    arguments: |command| {
        common(
            command.about("Say what an apply would do to the database, and do nothing"),
            "striatum db plan",
        )
    },
    run: |matches| run(matches, "plan"),
};

pub(crate) const APPLY: Local = Local {
    path: &["db", "apply"],
    arguments: |command| {
        let examples = "striatum db apply\n  \
                        striatum db apply --postgres-url 'postgres:///striatum?user=postgres&host=/run/postgresql'";
        common(command.about("Bring the database to what this version needs"), examples)
    },
    run: |matches| run(matches, "apply"),
};

pub(crate) const STATUS: Local = Local {
    path: &["db", "status"],
    arguments: |command| {
        common(
            command.about("Say in two lines what holds in the database, and the next command"),
            "striatum db status",
        )
    },
    run: |matches| run(matches, "status"),
};

pub(crate) const EXPORT_CHAINS: Local = Local {
    path: &["db", "export-chains"],
    arguments: |command| {
        let command = command.about("Write the audit chain and the event chains into a fresh folder");
        common(command, "striatum db export-chains chains-of-today").arg(
            Arg::new("folder")
                .value_name("DIR")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The folder; it must not be there, or be empty"),
        )
    },
    run: |matches| run(matches, "export-chains"),
};

fn common(command: Command, examples: &str) -> Command {
    let flag = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    command
        .after_help(format!("Examples:\n  {examples}"))
        .arg(flag("config", "FILE", "The daemon's configuration file, instead of the usual one"))
        .arg(flag("postgres-url", "URL", "Where the database is, and as whom to connect"))
}

fn run(matches: &ArgMatches, what: &str) -> Result<Answer, Refusal> {
    let folder = matches.try_get_one::<PathBuf>("folder").ok().flatten();
    Err(become_striatumd(
        matches,
        &["db", what],
        &["config", "postgres-url"],
        folder.map_or(&[], std::slice::from_ref),
    ))
}
