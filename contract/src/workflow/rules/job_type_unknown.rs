//! `job_type_unknown`: a job's type is not known.

use crate::nearest::nearest;
use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::JOB_TYPES;

pub(super) const RULE: Rule =
    Rule { code: "job_type_unknown", severity: Severity::Warning, about: "A job's type is not known", check };

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        if !JOB_TYPES.contains(&job.kind) && nearest(job.kind, JOB_TYPES.iter().copied()).is_none() {
            let message = format!(
                "is `{}`, which is not known: it is run like generic, and gives no verdict",
                job.kind
            );
            found.at(job.pointer("type"), message, format!("known are {}", JOB_TYPES.join(", ")));
        }
    }
}
