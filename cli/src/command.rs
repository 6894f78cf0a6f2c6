//! The tree of commands, made from the list of commands; and what a command line means in it.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use striatum_contract::refusal::Refusal;

use crate::local::{LOCAL, Local};

/// What a command line means.
pub(crate) enum Parsed {
    /// A command is to be run.
    Run {
        /// Which.
        local: &'static Local,
        /// Its own arguments, and the global flags.
        matches: ArgMatches,
    },
    /// Help or the version is to be shown.
    Show(StyledStr),
    /// The line cannot be understood.
    Refused {
        /// Why, and what to try.
        refusal: Refusal,
        /// Whether the line asked for JSON, as far as it was understood.
        json: bool,
    },
}

/// The whole tree.
pub(crate) fn tree() -> Command {
    let root = Command::new("striatum")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Run work done by AI coding agents, and prove afterwards what happened")
        .arg(
            Arg::new("json")
                .long("json")
                .global(true)
                .action(ArgAction::SetTrue)
                .help("Answer in JSON, as it is"),
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true);
    LOCAL.iter().fold(root, |tree, local| grow(tree, local.path, local))
}

/// Adds a command at its path below this one; words on the way become groups.
fn grow(tree: Command, path: &[&'static str], local: &Local) -> Command {
    match path {
        [] => tree,
        [name] => tree.subcommand((local.arguments)(Command::new(*name))),
        [group, rest @ ..] => {
            let known = tree.find_subcommand(group).cloned();
            let branch = known.unwrap_or_else(|| {
                Command::new(*group)
                    .subcommand_required(true)
                    .arg_required_else_help(true)
                    .disable_help_subcommand(true)
            });
            let grown = grow(branch, rest, local);
            if tree.find_subcommand(group).is_some() {
                tree.mut_subcommand(*group, |_| grown)
            } else {
                tree.subcommand(grown)
            }
        }
    }
}

/// Reads a command line, the program's name first.
pub(crate) fn parse(arguments: &[OsString]) -> Parsed {
    let matches = match tree().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return not_run(&error, arguments),
    };
    let mut path = Vec::new();
    let mut own = &matches;
    while let Some((name, below)) = own.subcommand() {
        path.push(name);
        own = below;
    }
    let local =
        LOCAL.iter().find(|local| local.path == path).expect("clap knows the paths of this list alone");
    Parsed::Run { local, matches: own.clone() }
}

fn not_run(error: &clap::Error, arguments: &[OsString]) -> Parsed {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Parsed::Show(error.render()),
        kind => {
            let said = error.render().to_string();
            let message = match kind {
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing".to_owned(),
                _ => first_paragraph(&said),
            };
            let tips = said.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
            let next = tips.map(str::to_owned).chain([format!("{} --help", understood(arguments))]);
            let refusal = Refusal::new("usage_invalid", message, next);
            Parsed::Refused { refusal, json: arguments.iter().any(|word| word == "--json") }
        }
    }
}

/// What clap says up to its first empty line, on one line.
fn first_paragraph(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
}

/// The words of the line that name a command, as far as there is one.
fn understood(arguments: &[OsString]) -> String {
    let root = tree();
    let mut command = &root;
    let mut words = vec!["striatum"];
    let names =
        arguments.iter().skip(1).filter_map(|word| word.to_str()).filter(|word| !word.starts_with('-'));
    for name in names {
        match command.find_subcommand(name) {
            Some(below) => {
                words.push(below.get_name());
                command = below;
            }
            None => break,
        }
    }
    words.join(" ")
}
