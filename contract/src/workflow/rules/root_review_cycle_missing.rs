//! `root_review_cycle_missing`: the policy is declared_cycle, and a review without anything before it has no cycle.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "root_review_cycle_missing",
    severity: Severity::Error,
    about: "The policy is declared_cycle, and a review without anything before it has no cycle",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    if workflow.root["review_revision_policy"]["root_review_needs_revision"] != "declared_cycle" {
        return;
    }
    for (place, job) in workflow.jobs.iter().enumerate().filter(|(_, job)| job.is_review()) {
        let is_root = subject.graph.before(place).is_empty();
        if is_root && !workflow.cycles.iter().any(|cycle| cycle.from == Some(place)) {
            let message = format!("is declared_cycle, and {} has nothing before it and no cycle", job.name());
            found.at(
                "/review_revision_policy/root_review_needs_revision",
                message,
                "write human_checkpoint, or put the job before it whose work it judges, with a cycle there",
            );
        }
    }
}
