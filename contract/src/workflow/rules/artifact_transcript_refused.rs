//! `artifact_transcript_refused`: an artifact is, by its name, what a terminal printed.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::is_transcript_name;

pub(super) const RULE: Rule = Rule {
    code: "artifact_transcript_refused",
    severity: Severity::Error,
    about: "An artifact is, by its name, what a terminal printed",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        for (at, artifact) in job.list("expected_artifacts") {
            let stem = text(artifact, "path").map(|path| {
                let name = path.rsplit('/').next().unwrap_or(path);
                name.rsplit_once('.').map_or(name, |(stem, _)| stem)
            });
            let named = [("logical_name", text(artifact, "logical_name")), ("path", stem)];
            for (key, _) in named.iter().filter(|(_, name)| name.is_some_and(is_transcript_name)) {
                let message =
                    "is the name of what a terminal or a provider printed, which is never published";
                found.at(
                    job.pointer(&format!("expected_artifacts/{at}/{key}")),
                    message,
                    "let the job write down what matters, under another name",
                );
            }
        }
    }
}
