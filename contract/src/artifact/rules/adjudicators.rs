//! How many stand behind a clearing verdict.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Hit, Rule, clears, not_cleared};

pub(super) const RULE: Rule = Rule {
    code: "adjudicators_too_few",
    kind: "collaboration_ledger",
    says: "under second_on_disagreement a clearing verdict needs two different adjudicators",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    if !clears(values) || values["adjudication_mode"] != "second_on_disagreement" {
        return Vec::new();
    }
    let named = values["adjudicators"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let named: BTreeSet<&str> = named.map(str::trim).collect();
    if named.len() >= 2 {
        return Vec::new();
    }
    let message =
        format!("the verdict clears under second_on_disagreement, with {} adjudicator(s)", named.len());
    vec![not_cleared(message, "add the second one, where there was one; else it is needs_revision")]
}
