//! `job_repeated`: two jobs have one id.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule =
    Rule { code: "job_repeated", severity: Severity::Error, about: "Two jobs have one id", check };

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for (place, job) in subject.workflow.jobs.iter().enumerate() {
        let first = job.id.and_then(|id| subject.workflow.job(id));
        if let Some(first) = first.filter(|first| *first != place) {
            let other = subject.workflow.jobs[first].pointer("id");
            found.at(
                job.pointer("id"),
                format!("is the id at {other} too"),
                "give each job an id of its own",
            );
        }
    }
}
