//! What a clearing verdict rests on.

use serde_json::Value;

use super::{Hit, Rule, clears, not_cleared, rows};

pub(super) const RULE: Rule = Rule {
    code: "clearing_unsupported",
    kind: "collaboration_ledger",
    says: "a clearing verdict needs a claim, a challenge and a rebuttal, each with a reference",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    if !clears(values) {
        return Vec::new();
    }
    let entries = rows(values, "entries");
    let is_there = |kind: &&str| {
        let of_kind = entries.iter().filter(|(_, entry)| entry["kind"] == **kind);
        of_kind.filter_map(|(_, entry)| entry["refs"].as_array()).any(|refs| !refs.is_empty())
    };
    let missing: Vec<&str> =
        ["claim", "challenge", "rebuttal"].into_iter().filter(|kind| !is_there(kind)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let message =
        format!("the verdict clears, and no entry with a reference is a {}", missing.join(" or a "));
    vec![not_cleared(message, "add the entries, where they are in the dialogue; else it cannot clear")]
}
