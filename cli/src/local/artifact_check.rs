//! `striatum artifact check FILE --kind KIND`: whether a file keeps the contract of its kind. Needs no daemon, and
//! leaves the file as it is.

use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use striatum_contract::artifact::{self, BEGINNING, FrontMatter};
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::{shell_path, shell_word};

use super::{Local, artifact_contract};
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["artifact", "check"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Look at a file as publishing it would: all that is wrong with its front matter, and a corrected block")
        .after_help(
            "Ends with 6 where something is wrong. The file is not changed.\n\n\
             Examples:\n  striatum artifact check docs/review.md --kind finding\n  \
             striatum artifact check docs/review.md --kind finding --json",
        )
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The file"),
        )
        .arg(
            Arg::new("kind")
                .long("kind")
                .value_name("KIND")
                .required(true)
                .help("As what it is to be published; striatum artifact kinds lists all"),
        )
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let file = matches.get_one::<PathBuf>("file").expect("clap requires it");
    let name = matches.get_one::<String>("kind").map(String::as_str).unwrap_or_default();
    let Some(kind) = artifact::kind(name) else { return Err(artifact_contract::unknown(name)) };
    let checked = artifact::check(name, &beginning(file)?);
    let shown = file.display();
    if checked.is_valid() {
        let said = match (kind.front_matter, &checked.front_matter) {
            (FrontMatter::Unchecked, _) => {
                format!("{name} wants no front matter; a line `author:` is compared when it is published")
            }
            (_, Value::Null) => {
                "no front matter; it may have one, whose first line is three dashes and nothing else"
                    .to_owned()
            }
            _ => format!("keeps the contract of {name}"),
        };
        let data = json!({"path": shown.to_string(), "kind": name, "front_matter": checked.front_matter});
        return Ok(Answer { text: format!("{shown}: {said}\n"), data });
    }
    let count = checked.problems.len() + checked.more;
    let noun = if count == 1 { "problem" } else { "problems" };
    let again = format!("striatum artifact check {} --kind {}", shell_path(file), shell_word(name));
    let next = [again, format!("striatum artifact contract {}", shell_word(name))];
    let message = format!("{shown} does not keep the contract of {name}: {count} {noun}");
    let mut details = json!({"path": shown.to_string(), "kind": name, "problems": checked.problems});
    if checked.more > 0 {
        details["more"] = json!(checked.more);
    }
    details["corrected"] = json!(checked.corrected);
    Err(Refusal::new("artifact_front_matter_invalid", message, next).with_details(details))
}

/// As much of a file as its front matter can be. A pipe in its place would keep whoever opens it until somebody writes.
#[expect(clippy::disallowed_methods, reason = "the file that a person names is looked at")]
fn beginning(file: &Path) -> Result<Vec<u8>, Refusal> {
    let read = || {
        let mut octets = Vec::new();
        let no_wait = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let opened = OpenOptions::new().read(true).custom_flags(no_wait).open(file)?;
        if !opened.metadata()?.is_file() {
            return Err(std::io::Error::other("it is no regular file"));
        }
        opened.take(BEGINNING as u64).read_to_end(&mut octets)?;
        Ok(octets)
    };
    read().map_err(|error: std::io::Error| {
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => "artifact_file_missing",
            _ => "artifact_unreadable",
        };
        let shown = file.display();
        Refusal::new(
            code,
            format!("{shown} cannot be read: {error}"),
            [format!("ls -l {}", shell_path(file))],
        )
        .with_details(json!({"path": shown.to_string()}))
    })
}
