//! `other_repository_refused`: the workflow reaches into other repositories.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "other_repository_refused",
    severity: Severity::Error,
    about: "The workflow reaches into other repositories",
    check,
};

/// The keys of such constructs.
pub(in crate::workflow) const KEYS: &[&str] =
    &["repositories", "primary_repository", "repository", "cross_repo_cycle"];

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let root = subject.workflow.root;
    let mut refuse = |pointer: String| {
        found.at(
            pointer,
            "reaches for another repository",
            "a run works in one repository: take it out, and make a workflow for each",
        );
    };
    for key in KEYS {
        if root.get(key).is_some() {
            refuse(format!("/{key}"));
        }
        for job in subject.workflow.jobs.iter().filter(|job| job.raw.get(key).is_some()) {
            refuse(job.pointer(key));
        }
        for cycle in subject.workflow.cycles.iter().filter(|cycle| cycle.raw.get(key).is_some()) {
            refuse(format!("/cycles/{}/{key}", cycle.at));
        }
    }
}
