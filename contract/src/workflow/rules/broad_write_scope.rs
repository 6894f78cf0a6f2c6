//! `broad_write_scope`: a job may change the whole repository.

use crate::workflow::finding::Severity;
use crate::workflow::path::plain;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "broad_write_scope",
    severity: Severity::Warning,
    about: "A job may change the whole repository",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in subject.workflow.jobs.iter().filter(|job| job.is_repo_write()) {
        if let Some((at, _)) = job.scope("allowed_paths").find(|(_, path)| plain(path).is_empty()) {
            let pointer = job.pointer(&format!("write_scope/allowed_paths/{at}"));
            found.at(pointer, "lets the job change the whole repository", "name the folders that it needs");
        }
    }
}
