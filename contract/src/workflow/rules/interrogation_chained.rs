//! `interrogation_chained`: a job is interrogable and has interrogation targets.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_chained",
    severity: Severity::Error,
    about: "A job is interrogable and has interrogation targets",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| job.is("interrogable")) {
        if job.list("interrogation_targets").next().is_some() {
            found.at(
                job.pointer("interrogation_targets"),
                "stand at a job that is interrogable itself",
                "take one of both out: questions are not passed on",
            );
        }
    }
}
