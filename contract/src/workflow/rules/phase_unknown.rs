//! `phase_unknown`: a job is in a phase that there is not.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_unknown",
    severity: Severity::Error,
    about: "A job is in a phase that there is not",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|_| subject.workflow.is_phased()) {
        if let Some(id) = job.text("phase_id").filter(|id| subject.workflow.phase(id).is_none()) {
            found.at(
                job.pointer("phase_id"),
                format!("is `{id}`, which is no phase of the workflow (job {})", job.name()),
                "name one of phases",
            );
        }
    }
}
