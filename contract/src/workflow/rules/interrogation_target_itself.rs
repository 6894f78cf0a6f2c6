//! `interrogation_target_itself`: a job is its own interrogation target.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_target_itself",
    severity: Severity::Error,
    about: "A job is its own interrogation target",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        for (at, target) in job.list("interrogation_targets") {
            let Some(id) = text(target, "workflow_job_id") else { continue };
            let pointer = job.pointer(&format!("interrogation_targets/{at}/workflow_job_id"));
            if job.id == Some(id) {
                found.at(pointer, "is the job itself", "name an interrogable job before this one");
            }
        }
    }
}
