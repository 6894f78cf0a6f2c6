//! striatum-verify: is this export what it says?
//!
//! Ends with 0 where nothing differs, 1 where something does, 2 where the command line cannot be understood, 66 where
//! there is nothing to judge: the exit codes of `chain_differs`, `usage_invalid` and `export_unreadable`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use striatum_contract::refusal::Refusal;
use striatum_contract::terminal::harmless;
use striatum_verify::{Report, Unreadable, Verdict, verify};

const EXAMPLES: &str = "Examples:
  striatum db export-chains ./chains && striatum-verify ./chains
  striatum-verify ./chains --json | jq .ok

Exit code: 0 verified, 1 differs, 2 the command line cannot be understood, 66 the export cannot be read.";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let is_json = arguments.iter().any(|word| word == "--json");
    match command().try_get_matches_from(arguments) {
        Ok(matches) => run(&matches),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            say(&mut io::stdout(), &error.to_string());
            ExitCode::SUCCESS
        }
        Err(error) => refused(&not_understood(&error), is_json),
    }
}

fn command() -> Command {
    let folder = Arg::new("folder").value_name("DIR").required(true).value_parser(value_parser!(PathBuf));
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    Command::new("striatum-verify")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Check exported chains offline, with neither daemon nor database")
        .after_help(EXAMPLES)
        .arg(folder.help("The folder that striatum db export-chains wrote"))
        .arg(json.help("Answer in JSON instead of text"))
}

fn run(matches: &ArgMatches) -> ExitCode {
    let is_json = matches.get_flag("json");
    let folder = matches.get_one::<PathBuf>("folder").expect("clap refuses a line without it");
    match verify(folder) {
        Ok(report) => judged(&report, is_json),
        Err(why) => refused(&unreadable(&why), is_json),
    }
}

/// Shows the report. Verified or not, it is the answer, and so on standard output.
fn judged(report: &Report, is_json: bool) -> ExitCode {
    let refusal = (report.verdict == Verdict::Differs).then(|| {
        let first = report.first_difference.as_ref().map(|first| first.text()).unwrap_or_default();
        Refusal::new("chain_differs", first, again()).with_details(json!(report))
    });
    let text = match &refusal {
        None if is_json => format!("{}\n", json!({"ok": true, "data": report})),
        Some(refusal) if is_json => format!("{}\n", json!({"ok": false, "error": refusal})),
        _ => report.text(),
    };
    let exit_code = ExitCode::from(refusal.map_or(0, |refusal| refusal.exit_code()));
    if say(&mut io::stdout(), &text) { exit_code } else { ExitCode::FAILURE }
}

/// An export is made once more and verified, in another folder.
fn again() -> [String; 2] {
    ["striatum db export-chains NEW_DIR".to_owned(), "striatum-verify NEW_DIR".to_owned()]
}

fn refused(refusal: &Refusal, is_json: bool) -> ExitCode {
    let text = if is_json {
        format!("{}\n", json!({"ok": false, "error": refusal}))
    } else {
        let mut lines = format!("error: {} ({})\n", harmless(&refusal.message, ""), refusal.code);
        for step in &refusal.next {
            lines.push_str(&format!("next:  {}\n", harmless(step, "")));
        }
        lines
    };
    say(&mut io::stderr(), &text);
    ExitCode::from(refusal.exit_code())
}

fn unreadable(why: &Unreadable) -> Refusal {
    let message = why.source().map_or_else(|| why.to_string(), |source| format!("{why}: {source}"));
    match why {
        Unreadable::Format { .. } => {
            Refusal::new("export_unreadable", message, ["striatum-verify --version".to_owned()])
        }
        Unreadable::Unread { .. } | Unreadable::NoFolder { .. } => {
            Refusal::new("export_unreadable", message, again())
        }
    }
}

/// What clap says before its tips and its usage, on one line, cut where it quotes something long.
fn not_understood(error: &clap::Error) -> Refusal {
    let said = error.to_string();
    let end = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more"].iter().filter_map(|mark| said.find(mark)).min();
    let said = said[..end.unwrap_or(said.len())].trim_start_matches("error: ");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    Refusal::new(
        "usage_invalid",
        words.chars().take(500).collect::<String>(),
        ["striatum-verify --help".to_owned()],
    )
}

/// Writes it, and answers whether it was said; a reader that has gone away is no failure of ours.
fn say(stream: &mut dyn Write, text: &str) -> bool {
    let said = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    said.is_ok() || said.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
