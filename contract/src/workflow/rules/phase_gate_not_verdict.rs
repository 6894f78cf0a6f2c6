//! `phase_gate_not_verdict`: a gate waits for a job that gives no verdict.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_gate_not_verdict",
    severity: Severity::Error,
    about: "A gate waits for a job that gives no verdict",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for phase in &workflow.phases {
        let gate = &phase.raw["gate"];
        let Some(id) = text(gate, "until_verdict_clears") else { continue };
        if let Some(job) = workflow.job(id).map(|job| &workflow.jobs[job]).filter(|job| !job.is_verdict()) {
            found.at(
                phase.pointer("gate/until_verdict_clears"),
                format!("is {id}, which is of the type {} and gives no verdict", job.kind),
                "name a review or a phase_synthesis",
            );
        }
    }
}
