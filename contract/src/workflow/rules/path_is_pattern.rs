//! `path_is_pattern`: a path of a write scope holds a wildcard, which is not one here.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "path_is_pattern",
    severity: Severity::Error,
    about: "A path of a write scope holds a wildcard, which is not one here",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        for key in ["allowed_paths", "forbidden_paths"] {
            for (at, path) in job.scope(key).filter(|(_, path)| path.contains(['*', '?'])) {
                let folder = path
                    .split(['*', '?'])
                    .next()
                    .and_then(|before| before.rfind('/').map(|end| &before[..=end]));
                let hint =
                    format!("a folder stands for all below it: write {}", folder.unwrap_or("the folder"));
                found.at(
                    job.pointer(&format!("write_scope/{key}/{at}")),
                    "holds a wildcard, and paths are taken as they are",
                    hint,
                );
            }
        }
    }
}
