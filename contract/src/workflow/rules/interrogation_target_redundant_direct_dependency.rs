//! `interrogation_target_redundant_direct_dependency`: an interrogation target lies directly before the job.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_target_redundant_direct_dependency",
    severity: Severity::Warning,
    about: "An interrogation target lies directly before the job",
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
            if subject.graph.before(this).contains(&target) {
                found.at(
                    pointer,
                    format!("is {id}, which lies directly before this job and may be asked anyway"),
                    "leave it out",
                );
            }
        }
    }
}
