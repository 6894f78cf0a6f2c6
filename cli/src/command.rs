//! The tree of commands, made from the list of commands; and what a command line means in it.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use striatum_contract::methods::Method;
use striatum_contract::nearest::nearest;
use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::is_instance_name;
use striatum_contract::shell_word::shell_word;
use striatum_contract::token::Token;

use crate::daemon;
use crate::local::{LOCAL, Local};

/// Who answers a command.
#[derive(Clone, Copy)]
pub(crate) enum Answers {
    /// This program alone.
    Here(&'static Local),
    /// The daemon.
    Daemon(&'static Method),
}

/// What a command line means.
pub(crate) enum Parsed {
    /// A command is to be run.
    Run {
        /// By whom.
        answers: Answers,
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
        /// The installation that it named, likewise.
        instance: Option<String>,
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
                .help_heading("Output")
                .help("Answer in JSON instead of text"),
        )
        .arg(
            Arg::new("verbose")
                .long("verbose")
                .global(true)
                .action(ArgAction::SetTrue)
                .help_heading("Output")
                .help("Show all there is, and absolute times"),
        )
        .args(daemon::flags())
        .subcommand_required(true)
        .arg_required_else_help(true);
    let tree = commands().into_iter().fold(root, |tree, (path, answers)| grow(tree, &path, answers));
    describe(tree)
}

/// Every command: its words, and who answers it.
fn commands() -> Vec<(Vec<&'static str>, Answers)> {
    let here = LOCAL.iter().map(|local| (local.path.to_vec(), Answers::Here(local)));
    let daemon = daemon::served()
        .map(|(method, path)| (path.iter().map(String::as_str).collect::<Vec<_>>(), Answers::Daemon(method)));
    here.chain(daemon).collect()
}

/// Adds a command at its path below this one; words on the way become groups.
fn grow(tree: Command, path: &[&'static str], answers: Answers) -> Command {
    match path {
        [] => tree,
        [name] => tree.subcommand(match answers {
            Answers::Here(local) => (local.arguments)(Command::new(*name)),
            Answers::Daemon(method) => daemon::arguments(Command::new(*name), method),
        }),
        [group, rest @ ..] => {
            let known = tree.find_subcommand(group).cloned();
            let branch = known.unwrap_or_else(|| {
                Command::new(*group).subcommand_required(true).arg_required_else_help(true)
            });
            let grown = grow(branch, rest, answers);
            if tree.find_subcommand(group).is_some() {
                tree.mut_subcommand(*group, |_| grown)
            } else {
                tree.subcommand(grown)
            }
        }
    }
}

/// What the commands of each group are for.
const GROUPS: &[(&str, &str)] = &[
    ("artifact", "Say what files of each kind have to be, and look at one"),
    ("branch", "Confirm the branch that a run works on"),
    ("checkpoint", "Decide where a run waits for a person"),
    ("daemon", "Start the daemon, stop it, say how it is"),
    ("db", "Bring the database up to date, look at it, export its chains"),
    ("list", "List runs, their jobs and their sessions"),
    ("local", "Run striatum with a PostgreSQL of its own on this machine"),
    ("recovery", "Recover work whose agent is gone"),
    ("repo", "Register repositories, list them, end a registration"),
    ("run", "Prepare a run, start it, drive it to its end, look at it"),
    ("session", "Register sessions of a run, close them"),
    ("supervise", "Start the agents of sessions, stop them, say how they are"),
    ("templates", "Look at what workflows can be made of"),
    ("token", "Give out tokens, list them, renew them, take them back"),
    ("work", "Look at work packets"),
    ("workflow", "Make workflow files, check them before anything runs, draw them"),
];

/// Gives each group its description.
fn describe(tree: Command) -> Command {
    let groups: Vec<String> = tree
        .get_subcommands()
        .filter(|command| command.has_subcommands())
        .map(|group| group.get_name().to_owned())
        .collect();
    groups.into_iter().fold(tree, |tree, group| {
        tree.mut_subcommand(group, |group| {
            let about = GROUPS.iter().find(|(name, _)| *name == group.get_name()).map(|(_, about)| *about);
            describe(match about {
                Some(about) => group.about(about),
                None => group,
            })
        })
    })
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
    let (_, answers) = commands()
        .into_iter()
        .find(|(known, _)| *known == path)
        .expect("clap knows the paths of this list alone");
    Parsed::Run { answers, matches: own.clone() }
}

fn not_run(error: &clap::Error, arguments: &[OsString]) -> Parsed {
    use ErrorKind::{
        DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion, MissingSubcommand,
    };
    let message = match error.kind() {
        DisplayHelp | DisplayVersion => return Parsed::Show(error.render()),
        DisplayHelpOnMissingArgumentOrSubcommand | MissingSubcommand => "a command is missing".to_owned(),
        _ => complaint(&error.render().to_string()),
    };
    let help = format!("{} --help", understood(arguments));
    let refusal =
        Refusal::new("usage_invalid", message, corrected(error, arguments).into_iter().chain([help]));
    let json = arguments.iter().any(|word| word == "--json");
    Parsed::Refused { refusal, json, instance: instance(arguments) }
}

/// What a line that cannot be understood gives to `--instance`, where that can be.
fn instance(arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().filter_map(|word| word.to_str());
    let name = words.find_map(|word| match word.strip_prefix("--instance")? {
        "" => Some(None),
        rest => rest.strip_prefix('=').map(Some),
    })?;
    name.or_else(|| words.next()).filter(|name| is_instance_name(name)).map(str::to_owned)
}

/// Characters of a complaint that are shown: what was typed is part of it, and may be a whole file.
const MOST_SAID: usize = 500;

/// What clap says before its tips and its usage, on one line.
fn complaint(said: &str) -> String {
    let end = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more"].iter().filter_map(|mark| said.find(mark)).min();
    let said = said[..end.unwrap_or(said.len())].trim_start_matches("error: ");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST_SAID) {
        Some((cut, _)) => format!("{} ...", &words[..cut]),
        None => words,
    }
}

/// The same line with the word that clap would have understood, where there is one, or without the flag of something
/// that stands by its place.
fn corrected(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let wrong = [ContextKind::InvalidValue, ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    let right = [ContextKind::SuggestedValue, ContextKind::SuggestedArg];
    let word = |kinds: &[ContextKind]| {
        kinds.iter().find_map(|kind| match error.get(*kind)? {
            ContextValue::String(word) => Some(word.clone()),
            _ => None,
        })
    };
    let wrong = word(&wrong)?;
    let right = if stands_by_its_place(&wrong, arguments) {
        None
    } else if error.kind() == ErrorKind::InvalidSubcommand {
        // Only what is close indeed: the line may be run as it stands, and some commands change things.
        let group = command_of(arguments).1;
        Some(nearest(&wrong, group.get_subcommands().map(Command::get_name))?.to_owned())
    } else {
        Some(word(&right)?)
    };
    let given: Option<Vec<&str>> = arguments.iter().skip(1).map(|argument| argument.to_str()).collect();
    let given = given?;
    // A token on a command line is a mistake that is not repeated.
    if given.iter().any(|word| Token::parse(word.rsplit('=').next().unwrap_or_default()).is_ok()) {
        return None;
    }
    // A flag may carry its value behind an equals sign; either half may be the wrong word.
    let mended = given.iter().filter_map(|argument| match (argument.split_once('='), &right) {
        (Some((flag, value)), None) if flag == wrong => Some(value.to_owned()),
        (Some((flag, value)), Some(right)) if flag == wrong => Some(format!("{right}={value}")),
        (Some((flag, value)), Some(right)) if value == wrong => Some(format!("{flag}={right}")),
        _ if **argument == wrong => right.clone(),
        _ => Some((*argument).to_owned()),
    });
    let mended: Vec<String> = mended.collect();
    let is_other = mended.iter().ne(given.iter());
    let words: Vec<String> = mended.iter().map(|word| shell_word(word)).collect();
    is_other.then(|| format!("striatum {}", words.join(" ")))
}

/// Whether what was given as a flag is an argument without one.
fn stands_by_its_place(flag: &str, arguments: &[OsString]) -> bool {
    let name = flag.trim_start_matches('-').replace('-', "_");
    command_of(arguments).1.get_positionals().any(|positional| positional.get_id() == name.as_str())
}

/// The words of the line that name a command, as far as there is one.
fn understood(arguments: &[OsString]) -> String {
    command_of(arguments).0.join(" ")
}

/// The same words, and the command.
fn command_of(arguments: &[OsString]) -> (Vec<String>, Command) {
    let mut command = tree();
    let mut words = vec!["striatum".to_owned()];
    let names =
        arguments.iter().skip(1).filter_map(|word| word.to_str()).filter(|word| !word.starts_with('-'));
    for name in names {
        match command.find_subcommand(name).cloned() {
            Some(below) => {
                words.push(below.get_name().to_owned());
                command = below;
            }
            None => break,
        }
    }
    (words, command)
}

#[cfg(test)]
mod tests {
    use super::{commands, tree};

    /// clap looks for two arguments of one name, flags that hide each other, gaps between positionals.
    #[test]
    fn the_tree_holds_together() {
        tree().debug_assert();
    }

    #[test]
    fn each_group_says_what_its_commands_are_for() {
        let tree = tree();
        let groups = tree.get_subcommands().filter(|command| command.has_subcommands());
        for group in groups {
            assert!(group.get_about().is_some(), "{} has no line in GROUPS", group.get_name());
        }
    }

    #[test]
    fn no_command_stands_at_the_path_of_another_or_on_its_way() {
        let commands = commands();
        for (at, (path, _)) in commands.iter().enumerate() {
            let others = commands.iter().enumerate().filter(|(other, _)| *other != at);
            for (_, (other, _)) in others {
                assert!(!other.starts_with(path), "{other:?} is at or below {path:?}");
            }
        }
    }
}
