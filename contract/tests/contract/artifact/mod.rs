//! Artifacts: the reader, the contracts, the rules, and the block that is offered.

mod any;
mod breaks;
mod corrected;
mod examples;
mod filled;
mod fuzz;
mod kinds;
mod reader;
mod rules;
mod text;

use serde_json::Value;
use striatum_contract::artifact::{Checked, check};

/// What is wrong, as `code pointer`, in the order of the answer.
fn found(checked: &Checked) -> Vec<String> {
    checked.problems.iter().map(|problem| format!("{} {}", problem.code, problem.pointer)).collect()
}

/// A file of which the values are the front matter: JSON is YAML.
fn file(values: &Value) -> String {
    format!("---\n{}\n---\n# Title\n", serde_json::to_string_pretty(values).expect("JSON"))
}

/// A finding whose block has these lines behind the ones that it needs.
fn finding(lines: &str) -> Checked {
    let head = "---\nschema_version: striatum.finding.v1\nartifact_kind: finding\nverdict_intent: accept\n";
    check("finding", format!("{head}{lines}---\n").as_bytes())
}
