//! When evidence is enough.

use serde_json::Value;

use super::super::placeholder::choose;
use super::{Hit, Repair, Rule};

pub(super) const RULE: Rule = Rule {
    code: "gate_unsatisfied",
    kind: "auto_finalize_gate_evidence",
    says: "gate_status is satisfied with at least 3 live successes, at least 2 shapes of lanes and no contested audit \
           row",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    if values["gate_status"] != "satisfied" {
        return Vec::new();
    }
    let fails = |key: &str, is_enough: fn(i64) -> bool| {
        values[key].as_i64().filter(|count| !is_enough(*count)).map(|count| format!("{key} is {count}"))
    };
    let failing: Vec<String> = [
        fails("live_success_count", |count| count >= 3),
        fails("lane_shape_count", |count| count >= 2),
        fails("contested_audit_chain_events", |count| count == 0),
    ]
    .into_iter()
    .flatten()
    .collect();
    if failing.is_empty() {
        return Vec::new();
    }
    let message = format!("gate_status is satisfied, and {}", failing.join(", and "));
    let mend = Repair::Set("/gate_status".to_owned(), choose(&["pending"]));
    let hint = "gate_status: pending, until there are 3 successes, 2 shapes and nothing contested";
    vec![Hit::new("/gate_status", message, hint).allowing(&["pending"]).mended_by(mend)]
}
