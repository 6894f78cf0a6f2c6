//! `cycle_not_verdict`: a cycle begins at a job that gives no verdict.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "cycle_not_verdict",
    severity: Severity::Error,
    about: "A cycle begins at a job that gives no verdict",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for cycle in &subject.workflow.cycles {
        let Some(job) = cycle.from.map(|from| &subject.workflow.jobs[from]) else { continue };
        if !job.is_verdict() {
            let message = format!(
                "begins at {}, which gives no verdict, for it is of the type {}",
                job.name(),
                job.kind
            );
            found.at(
                format!("/cycles/{}/from", cycle.at),
                message,
                "begin it at a review or a phase_synthesis",
            );
        }
    }
}
