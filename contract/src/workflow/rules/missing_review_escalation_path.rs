//! `missing_review_escalation_path`: a verdict needs_revision has no way back but a person.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "missing_review_escalation_path",
    severity: Severity::Info,
    about: "A verdict needs_revision has no way back but a person",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for (place, job) in workflow.jobs.iter().enumerate().filter(|(_, job)| job.is_verdict()) {
        let is_root =
            subject.graph.before(place).is_empty() && workflow.root.get("review_revision_policy").is_some();
        if !is_root && !workflow.cycles.iter().any(|cycle| cycle.from == Some(place)) {
            found.at(
                job.pointer(""),
                "has no cycle: needs_revision waits for a person",
                "add one of cycles to the job whose work it judges, if it may be done again",
            );
        }
    }
}
