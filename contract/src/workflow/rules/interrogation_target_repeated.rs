//! `interrogation_target_repeated`: a job has an interrogation target twice.

use std::collections::HashSet;

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_target_repeated",
    severity: Severity::Error,
    about: "A job has an interrogation target twice",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let mut known = HashSet::new();
        for (at, target) in job.list("interrogation_targets") {
            let id = text(target, "workflow_job_id");
            if id.is_some_and(|id| !known.insert(id)) {
                let pointer = job.pointer(&format!("interrogation_targets/{at}/workflow_job_id"));
                found.at(pointer, "is named twice", "name each target once");
            }
        }
    }
}
