//! `needs_differ`: what a job says it needs is not what the edges say.

use serde_json::Value;
use std::collections::BTreeSet;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "needs_differ",
    severity: Severity::Error,
    about: "What a job says it needs is not what the edges say",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let jobs = &subject.workflow.jobs;
    for (place, job) in jobs.iter().enumerate() {
        let Some(needs) = job.raw.get("needs").and_then(Value::as_array) else { continue };
        let needs: BTreeSet<&str> = needs.iter().filter_map(Value::as_str).collect();
        let before: BTreeSet<&str> =
            subject.graph.before(place).iter().filter_map(|before| jobs[*before].id).collect();
        if job.id.is_some() && needs != before {
            let hint = match before.len() {
                0 => "no edge leads to this job: leave needs out, or add the edges".to_owned(),
                _ => format!("the edges say: {}", before.into_iter().collect::<Vec<_>>().join(", ")),
            };
            found.at(job.pointer("needs"), "is not what the edges say", hint);
        }
    }
}
