//! `interrogation_target_not_interrogable`: an interrogation target is not interrogable.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_target_not_interrogable",
    severity: Severity::Error,
    about: "An interrogation target is not interrogable",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        for (at, target) in job.list("interrogation_targets") {
            let Some(id) = text(target, "workflow_job_id") else { continue };
            let pointer = job.pointer(&format!("interrogation_targets/{at}/workflow_job_id"));
            let target = subject.workflow.job(id).map(|target| &subject.workflow.jobs[target]);
            if let Some(target) = target.filter(|target| !target.is("interrogable")) {
                let hint = format!("set interrogable at {}", target.pointer(""));
                found.at(pointer, format!("is {id}, whose session does not stay for questions"), hint);
            }
        }
    }
}
