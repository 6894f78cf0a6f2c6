//! `review_without_fresh_context`: a review does not ask for a fresh session.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "review_without_fresh_context",
    severity: Severity::Warning,
    about: "A review does not ask for a fresh session",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| job.is_review()) {
        if !job.is("fresh_session_required") && job.raw.get("reviewer_context_policy").is_none() {
            let message = "may be judged by a session that has done other work of the run";
            found.at(job.pointer(""), message, "set fresh_session_required, or reviewer_context_policy");
        }
    }
}
