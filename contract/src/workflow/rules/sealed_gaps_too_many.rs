//! `sealed_gaps_too_many`: a job may begin although all before it are lost.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "sealed_gaps_too_many",
    severity: Severity::Error,
    about: "A job may begin although all before it are lost",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for (place, job) in subject.workflow.jobs.iter().enumerate() {
        let budget = job.raw.get("max_sealed_gaps").and_then(Value::as_u64).unwrap_or(0);
        let before = subject.graph.before(place).len();
        if budget > 0 && budget >= before as u64 {
            let message = format!(
                "is {budget}, and {before} jobs lie directly before this one: nothing would be left to join"
            );
            found.at(
                job.pointer("max_sealed_gaps"),
                message,
                "allow fewer gaps than there are jobs before it",
            );
        }
    }
}
