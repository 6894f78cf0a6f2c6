//! `required_postures_misplaced`: a job that is no build requires postures of reviews.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::BUILD;

pub(super) const RULE: Rule = Rule {
    code: "required_postures_misplaced",
    severity: Severity::Error,
    about: "A job that is no build requires postures of reviews",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| job.kind != BUILD) {
        if job.raw.get("required_review_postures").is_some() {
            found.at(
                job.pointer("required_review_postures"),
                format!("stands at a job of the type {}", job.kind),
                "it is for jobs of the type build: take it out, or change the type",
            );
        }
    }
}
