//! `review_without_documents`: a review may look at its documents alone, and has none.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "review_without_documents",
    severity: Severity::Error,
    about: "A review may look at its documents alone, and has none",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for (place, job) in subject.workflow.jobs.iter().enumerate() {
        let has_inputs = job.list("inputs").next().is_some() || !subject.graph.before(place).is_empty();
        if job.text("reviewer_access_scope") == Some("document_only") && !has_inputs {
            let message = "is document_only, and the review has neither inputs nor a job before it";
            found.at(
                job.pointer("reviewer_access_scope"),
                message,
                "add inputs, or an edge from the job whose work is judged",
            );
        }
    }
}
