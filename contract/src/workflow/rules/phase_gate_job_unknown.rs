//! `phase_gate_job_unknown`: a gate waits for a job that there is not.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_gate_job_unknown",
    severity: Severity::Error,
    about: "A gate waits for a job that there is not",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for phase in &workflow.phases {
        let gate = &phase.raw["gate"];
        let Some(id) = text(gate, "until_verdict_clears") else { continue };
        if workflow.job(id).is_none() {
            found.at(
                phase.pointer("gate/until_verdict_clears"),
                format!("is `{id}`, which is no job of the workflow"),
                "name a review or a phase_synthesis",
            );
        }
    }
}
