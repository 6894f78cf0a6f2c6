//! `phase_gate_skipped`: a job does not wait for the synthesis of the phase before its own.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_gate_skipped",
    severity: Severity::Error,
    about: "A job does not wait for the synthesis of the phase before its own",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for (place, job) in workflow.jobs.iter().enumerate() {
        let Some(phase) = workflow.phase_of(job).filter(|phase| *phase > 0) else { continue };
        let before = &workflow.phases[phase - 1];
        let Some(gate) = text(before.raw, "synthesis_job_id").and_then(|id| workflow.job(id)) else {
            continue;
        };
        if !subject.graph.leads(gate, place) {
            let gate = workflow.jobs[gate].name();
            let message = format!(
                "is in the phase {}, and does not wait for {gate}, which closes {} (job {})",
                workflow.phases[phase].id,
                before.id,
                job.name()
            );
            found.at(
                job.pointer("phase_id"),
                message,
                format!("add an edge from {gate}, or from a job behind it"),
            );
        }
    }
}
