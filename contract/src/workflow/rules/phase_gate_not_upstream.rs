//! `phase_gate_not_upstream`: a gate withholds a job that does not wait for the gate.

use crate::workflow::finding::Severity;
use crate::workflow::model::{text, texts};
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_gate_not_upstream",
    severity: Severity::Error,
    about: "A gate withholds a job that does not wait for the gate",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for phase in &workflow.phases {
        let gate = &phase.raw["gate"];
        let Some(id) = text(gate, "until_verdict_clears") else { continue };
        let Some(judge) = workflow.job(id) else { continue };
        let withheld = texts(gate.get("withhold_packet_types"));
        for (place, job) in workflow.jobs.iter().enumerate() {
            let is_withheld =
                job.text("phase_id") == Some(phase.id) && withheld.contains(&job.kind) && place != judge;
            if is_withheld && !subject.graph.leads(judge, place) {
                let message = format!(
                    "withholds {} until {id} clears it, and no edges lead from {id} to it",
                    job.name()
                );
                found.at(
                    phase.pointer("gate/until_verdict_clears"),
                    message,
                    format!("add an edge from {id} to {}", job.name()),
                );
            }
        }
    }
}
