//! `allowed_paths_missing`: a job has to leave an artifact, and may write nowhere.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "allowed_paths_missing",
    severity: Severity::Error,
    about: "A job has to leave an artifact, and may write nowhere",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let needed = job
            .list("expected_artifacts")
            .find(|(_, artifact)| artifact.is_object() && artifact["required"] != false);
        if let (Some((at, _)), None) = (needed, job.scope("allowed_paths").next()) {
            let message = "is required, and the job may write nowhere: its write_scope has no allowed_paths";
            found.at(
                job.pointer(&format!("expected_artifacts/{at}")),
                message,
                "add the artifact's folder to write_scope.allowed_paths",
            );
        }
    }
}
