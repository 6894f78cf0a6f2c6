//! `job_type_unsupported`: a job is a human_checkpoint, which this version cannot run.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::HUMAN_CHECKPOINT;

pub(super) const RULE: Rule = Rule {
    code: "job_type_unsupported",
    severity: Severity::Unsupported,
    about: "A job is a human_checkpoint, which this version cannot run",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| job.kind == HUMAN_CHECKPOINT) {
        found.at(
            job.pointer("type"),
            "is a stop for a person, which this version does not make",
            "let a review judge there: its needs_revision or reject asks a person",
        );
    }
}
