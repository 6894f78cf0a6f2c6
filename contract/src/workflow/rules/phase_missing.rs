//! `phase_missing`: a job is in no phase although there are phases.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_missing",
    severity: Severity::Error,
    about: "A job is in no phase although there are phases",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    if !subject.workflow.is_phased() || subject.workflow.phases.is_empty() {
        return;
    }
    for job in subject.workflow.jobs.iter().filter(|job| job.raw.get("phase_id").is_none()) {
        found.at(job.pointer(""), format!("is in no phase (job {})", job.name()), "add phase_id");
    }
}
