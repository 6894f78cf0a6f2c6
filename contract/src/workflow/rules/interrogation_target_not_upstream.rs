//! `interrogation_target_not_upstream`: an interrogation target does not lie before the job.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_target_not_upstream",
    severity: Severity::Error,
    about: "An interrogation target does not lie before the job",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        for (at, target) in job.list("interrogation_targets") {
            let Some(id) = text(target, "workflow_job_id") else { continue };
            let pointer = job.pointer(&format!("interrogation_targets/{at}/workflow_job_id"));
            let (Some(target), Some(this)) =
                (subject.workflow.job(id), job.id.and_then(|id| subject.workflow.job(id)))
            else {
                continue;
            };
            if target != this && !subject.graph.leads(target, this) {
                found.at(
                    pointer,
                    format!("is {id}, from which no edges lead to {}", job.name()),
                    "add the edges, or name a job before this one",
                );
            }
        }
    }
}
