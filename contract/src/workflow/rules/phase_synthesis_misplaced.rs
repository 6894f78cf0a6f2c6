//! `phase_synthesis_misplaced`: a phase is closed by a job that cannot close it.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::PHASE_SYNTHESIS;

pub(super) const RULE: Rule = Rule {
    code: "phase_synthesis_misplaced",
    severity: Severity::Error,
    about: "A phase is closed by a job that cannot close it",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for phase in &subject.workflow.phases {
        let Some(id) = text(phase.raw, "synthesis_job_id") else { continue };
        let job = subject.workflow.job(id).map(|job| &subject.workflow.jobs[job]);
        let message = match job {
            None => format!("is `{id}`, which is no job of the workflow"),
            Some(job) if job.kind != PHASE_SYNTHESIS => format!("is {id}, which is of the type {}", job.kind),
            Some(job) if job.text("phase_id") != Some(phase.id) => {
                format!("is {id}, which is not in the phase {}", phase.id)
            }
            Some(_) => continue,
        };
        found.at(
            phase.pointer("synthesis_job_id"),
            message,
            "name a job of the type phase_synthesis in this phase",
        );
    }
}
