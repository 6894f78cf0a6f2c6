//! `interrogation_target_unknown`: an interrogation target is no job of the workflow.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_target_unknown",
    severity: Severity::Error,
    about: "An interrogation target is no job of the workflow",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        for (at, target) in job.list("interrogation_targets") {
            let Some(id) = text(target, "workflow_job_id") else { continue };
            let pointer = job.pointer(&format!("interrogation_targets/{at}/workflow_job_id"));
            if subject.workflow.job(id).is_none() {
                found.at(
                    pointer,
                    format!("is `{id}`, which is no job of the workflow"),
                    "name an interrogable job before this one",
                );
            }
        }
    }
}
