//! `striatum artifact contract KIND`: what a file of a kind has to be. Needs no daemon.

use clap::{Arg, ArgMatches, Command};
use serde_json::json;
use striatum_contract::artifact;
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["artifact", "contract"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Say what a file of a kind has to be: fields, allowed values, rules, and blocks to copy")
        .after_help(
            "Examples:\n  striatum artifact contract finding\n  striatum artifact contract finding --json",
        )
        .arg(Arg::new("kind").value_name("KIND").required(true).help("The kind, as the packet names it"))
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let name = matches.get_one::<String>("kind").map(String::as_str).unwrap_or_default();
    let Some(kind) = artifact::kind(name) else { return Err(unknown(name)) };
    let mut text = artifact::page(kind);
    let mut data = json!({"kind": kind});
    if let Some(contract) = artifact::contract(name) {
        text.push_str(&format!("\nnext:  striatum artifact check FILE --kind {name}\n"));
        data["schema"] = contract.schema.clone();
        data["minimal_block"] = json!(artifact::block_of(contract, 0));
        data["full_block"] = json!(artifact::block_of(contract, 1));
        let is_about = |code: &artifact::Code| code.kind == Some(name);
        data["rules"] = json!(artifact::codes().into_iter().filter(is_about).collect::<Vec<_>>());
    }
    Ok(Answer { text, data })
}

/// `artifact_kind_unknown`, and the kind that was perhaps meant.
pub(super) fn unknown(name: &str) -> Refusal {
    let meant = artifact::nearest_kind(name).map(|near| format!("striatum artifact contract {near}"));
    let next = meant.into_iter().chain(["striatum artifact kinds".to_owned()]);
    let shown: String = name.chars().take(128).collect();
    let known: Vec<&str> = artifact::KINDS.iter().map(|kind| kind.kind.as_str()).collect();
    Refusal::new("artifact_kind_unknown", format!("there is no kind {shown:?}"), next)
        .with_details(json!({"kind": shown, "known": known}))
}
