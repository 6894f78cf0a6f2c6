//! `fresh_context_contradicted`: a reviewer has to begin anew, and no fresh session is required.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "fresh_context_contradicted",
    severity: Severity::Error,
    about: "A reviewer has to begin anew, and no fresh session is required",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        if job.text("reviewer_context_policy") == Some("fresh")
            && job.raw.get("fresh_session_required") == Some(&Value::Bool(false))
        {
            let message = "is false, and reviewer_context_policy is fresh";
            found.at(
                job.pointer("fresh_session_required"),
                message,
                "leave it out, or write the policy cross_round",
            );
        }
    }
}
