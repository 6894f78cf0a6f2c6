//! `path_repeated`: two artifacts have one path.

use std::collections::HashMap;

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::path::plain;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule =
    Rule { code: "path_repeated", severity: Severity::Error, about: "Two artifacts have one path", check };

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let mut known = HashMap::new();
    for job in &subject.workflow.jobs {
        for (at, artifact) in job.list("expected_artifacts") {
            let Some(path) = text(artifact, "path").map(plain) else { continue };
            let pointer = job.pointer(&format!("expected_artifacts/{at}/path"));
            if let Some(first) = known.get(path) {
                found.at(
                    pointer,
                    format!("is the path at {first} too"),
                    "give each artifact a path of its own",
                );
            } else {
                known.insert(path, pointer);
            }
        }
    }
}
