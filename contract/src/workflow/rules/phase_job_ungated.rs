//! `phase_job_ungated`: a job's phase is closed without waiting for it.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_job_ungated",
    severity: Severity::Error,
    about: "A job's phase is closed without waiting for it",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for (place, job) in workflow.jobs.iter().enumerate() {
        let Some(phase) = workflow.phase_of(job).map(|phase| &workflow.phases[phase]) else { continue };
        let Some(gate) = text(phase.raw, "synthesis_job_id").and_then(|id| workflow.job(id)) else {
            continue;
        };
        if !subject.graph.leads(place, gate) {
            let gate = workflow.jobs[gate].name();
            let message = format!(
                "is in the phase {}, and {gate}, which closes it, does not wait for {}",
                phase.id,
                job.name()
            );
            found.at(job.pointer("phase_id"), message, format!("add edges from {} to {gate}", job.name()));
        }
    }
}
