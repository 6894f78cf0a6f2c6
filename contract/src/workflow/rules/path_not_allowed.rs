//! `path_not_allowed`: an artifact lies outside of the paths where its job may write.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::path::is_inside;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "path_not_allowed",
    severity: Severity::Error,
    about: "An artifact lies outside of the paths where its job may write",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let allowed: Vec<&str> = job.scope("allowed_paths").map(|(_, path)| path).collect();
        for (at, artifact) in job.list("expected_artifacts") {
            let Some(path) = text(artifact, "path") else { continue };
            if !allowed.is_empty() && !allowed.iter().any(|folder| is_inside(path, folder)) {
                let pointer = job.pointer(&format!("expected_artifacts/{at}/path"));
                found.at(
                    pointer,
                    "lies outside of the job's allowed_paths",
                    "add its folder there, or move it",
                );
            }
        }
    }
}
