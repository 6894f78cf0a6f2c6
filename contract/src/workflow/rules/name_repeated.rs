//! `name_repeated`: two artifacts of a job have one logical_name.

use std::collections::HashMap;

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "name_repeated",
    severity: Severity::Error,
    about: "Two artifacts of a job have one logical_name",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let mut known = HashMap::new();
        for (at, artifact) in job.list("expected_artifacts") {
            let Some(name) = text(artifact, "logical_name") else { continue };
            let pointer = job.pointer(&format!("expected_artifacts/{at}/logical_name"));
            if let Some(first) = known.get(name) {
                found.at(
                    pointer,
                    format!("is the name at {first} too"),
                    "give each artifact of a job its own name",
                );
            } else {
                known.insert(name, pointer);
            }
        }
    }
}
