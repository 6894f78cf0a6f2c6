//! `sealed_gaps_contradictory`: fanin_tolerates_sealed_gap and max_sealed_gaps say different things.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "sealed_gaps_contradictory",
    severity: Severity::Error,
    about: "fanin_tolerates_sealed_gap and max_sealed_gaps say different things",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let budget = job.raw.get("max_sealed_gaps").and_then(Value::as_u64).unwrap_or(0);
        let tolerates = job.is("fanin_tolerates_sealed_gap");
        if tolerates != (budget > 0) {
            let (key, message) = if tolerates {
                ("fanin_tolerates_sealed_gap", "tolerates gaps, and max_sealed_gaps allows none")
            } else {
                ("max_sealed_gaps", "allows gaps, and fanin_tolerates_sealed_gap is not set")
            };
            found.at(job.pointer(key), message, "set both, or neither");
        }
    }
}
