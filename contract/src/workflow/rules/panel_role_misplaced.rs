//! `panel_role_misplaced`: a job that gives no verdict has a seat on a panel.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "panel_role_misplaced",
    severity: Severity::Error,
    about: "A job that gives no verdict has a seat on a panel",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| !job.is_verdict()) {
        if job.raw.get("panel_role").is_some() {
            found.at(
                job.pointer("panel_role"),
                format!("stands at a job of the type {}, which gives no verdict", job.kind),
                "take it out, or make the job a review",
            );
        }
    }
}
