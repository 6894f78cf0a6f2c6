//! `job_type_misspelled`: a job's type looks like one that is known, and is not it.

use crate::nearest::nearest;
use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::JOB_TYPES;

pub(super) const RULE: Rule = Rule {
    code: "job_type_misspelled",
    severity: Severity::Error,
    about: "A job's type looks like one that is known, and is not it",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let meant = nearest(job.kind, JOB_TYPES.iter().copied()).filter(|meant| *meant != job.kind);
        if let Some(meant) = meant {
            let message = format!("is `{}`, which is not known; `{meant}` is", job.kind);
            found.at(job.pointer("type"), message, format!("write {meant}"));
        }
    }
}
