//! `path_forbidden`: a path lies where the job may not write.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::path::is_inside;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "path_forbidden",
    severity: Severity::Error,
    about: "A path lies where the job may not write",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let forbidden: Vec<&str> = job.scope("forbidden_paths").map(|(_, path)| path).collect();
        let closed = |path: &str| {
            let inside = forbidden.iter().copied().find(|folder| is_inside(path, folder));
            let git = path.split('/').any(|part| part.eq_ignore_ascii_case(".git")).then_some(".git");
            inside.or(git).or_else(|| is_inside(path, ".striatum").then_some(".striatum"))
        };
        for (at, path) in job.scope("allowed_paths") {
            if let Some(folder) = closed(path) {
                let pointer = job.pointer(&format!("write_scope/allowed_paths/{at}"));
                found.at(
                    pointer,
                    format!("is allowed, and lies in {folder}, which is forbidden"),
                    "take one of both out",
                );
            }
        }
        for (at, artifact) in job.list("expected_artifacts") {
            let Some(path) = text(artifact, "path") else { continue };
            if let Some(folder) = closed(path) {
                let pointer = job.pointer(&format!("expected_artifacts/{at}/path"));
                found.at(pointer, format!("lies in {folder}, where the job may not write"), "move it");
            }
        }
    }
}
