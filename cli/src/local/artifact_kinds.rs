//! `striatum artifact kinds`: every kind of artifact. Needs no daemon.

use clap::{ArgMatches, Command};
use serde_json::json;
use striatum_contract::artifact::{FrontMatter, KINDS, shown_kinds};
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["artifact", "kinds"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("List the kinds of artifacts")
        .after_help("Examples:\n  striatum artifact kinds\n  striatum artifact kinds --json")
}

fn run(_: &ArgMatches) -> Result<Answer, Refusal> {
    let mut text = format!("{:<30}{:<14}what\n", "kind", "front matter");
    for kind in KINDS.iter() {
        let front_matter = match kind.front_matter {
            FrontMatter::Unchecked => "unchecked",
            FrontMatter::Checked => "checked",
            FrontMatter::Required => "required",
        };
        text.push_str(&format!("{:<30}{front_matter:<14}{}\n", kind.kind, kind.what));
    }
    text.push_str("next:  striatum artifact contract finding\n");
    Ok(Answer { text, data: json!({"kinds": shown_kinds()}) })
}
