//! `attested_lane_misplaced`: a job that is no review requires an attested lane.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "attested_lane_misplaced",
    severity: Severity::Error,
    about: "A job that is no review requires an attested lane",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| !job.is_review() && job.is("require_attested_lane"))
    {
        found.at(
            job.pointer("require_attested_lane"),
            format!("stands at a job of the type {}", job.kind),
            "it is for jobs of the type review: take it out, or change the type",
        );
    }
}
