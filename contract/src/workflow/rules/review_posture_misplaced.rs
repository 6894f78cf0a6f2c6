//! `review_posture_misplaced`: a job that gives no verdict has a posture.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "review_posture_misplaced",
    severity: Severity::Error,
    about: "A job that gives no verdict has a posture",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| !job.is_verdict()) {
        if job.raw.get("review_posture").is_some() {
            found.at(
                job.pointer("review_posture"),
                format!("stands at a job of the type {}, which judges nothing", job.kind),
                "take it out, or make the job a review",
            );
        }
    }
}
