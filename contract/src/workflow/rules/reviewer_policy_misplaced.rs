//! `reviewer_policy_misplaced`: a job that is no review has a policy of reviewers.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "reviewer_policy_misplaced",
    severity: Severity::Error,
    about: "A job that is no review has a policy of reviewers",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| !job.is_review()) {
        for key in ["reviewer_access_scope", "reviewer_context_policy"] {
            if job.raw.get(key).is_some() {
                found.at(
                    job.pointer(key),
                    format!("stands at a job of the type {}", job.kind),
                    "it is for jobs of the type review: take it out, or change the type",
                );
            }
        }
    }
}
