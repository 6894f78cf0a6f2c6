//! What follows from a guard that fired.

use serde_json::Value;

use super::super::placeholder::choose;
use super::super::problem::told;
use super::{Hit, Repair, Rule, said};

pub(super) const RULE: Rule = Rule {
    code: "outcome_disagrees",
    kind: "advisory_minority_report",
    says: "advisory_outcome is must_escalate where a guard fired, advisory_noted where guard_fired is none",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let (Some(guard), Some(outcome)) = (said(values, "guard_fired"), said(values, "advisory_outcome")) else {
        return Vec::new();
    };
    let follows = if guard == "none" { "advisory_noted" } else { "must_escalate" };
    if outcome == follows {
        return Vec::new();
    }
    let message = format!("advisory_outcome is {}, and guard_fired is {}", told(outcome), told(guard));
    let pointer = "/advisory_outcome".to_owned();
    let mend = Repair::Set(pointer.clone(), choose(&[follows]));
    vec![
        Hit::new(pointer, message, format!("advisory_outcome: {follows}"))
            .allowing(&[follows])
            .mended_by(mend),
    ]
}
