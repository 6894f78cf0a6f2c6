//! `abstentions_unallowed`: gating seats may be lost, and nothing says that they may.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "abstentions_unallowed",
    severity: Severity::Error,
    about: "Gating seats may be lost, and nothing says that they may",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let budget = job.raw.get("max_gating_abstentions").and_then(Value::as_u64);
        if budget.is_some_and(|budget| budget > 0) && !job.is("allow_gating_abstentions") {
            found.at(
                job.pointer("max_gating_abstentions"),
                "is above 0 without allow_gating_abstentions",
                "set allow_gating_abstentions, or write 0",
            );
        }
    }
}
