//! `interrogation_target_count_high`: a job has more than three interrogation targets.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_target_count_high",
    severity: Severity::Warning,
    about: "A job has more than three interrogation targets",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let count = job.list("interrogation_targets").count();
        if count > 3 {
            found.at(
                job.pointer("interrogation_targets"),
                format!("are {count}, whose sessions all stay until this job ends"),
                "three are enough for most questions",
            );
        }
    }
}
