//! `phases_in_v1`: a workflow of version v1 has phases.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::V1;

pub(super) const RULE: Rule = Rule {
    code: "phases_in_v1",
    severity: Severity::Error,
    about: "A workflow of version v1 has phases",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    if text(workflow.root, "schema_version") != Some(V1) {
        return;
    }
    let hint = "write \"schema_version\": \"striatum.workflow.v1.1\", or take it out";
    if workflow.root.get("phases").is_some() {
        found.at("/phases", "stand in a workflow of version v1, which has none", hint);
    }
    for job in workflow.jobs.iter().filter(|job| job.raw.get("phase_id").is_some()) {
        found.at(
            job.pointer("phase_id"),
            format!("puts {} into a phase, and version v1 has none", job.name()),
            hint,
        );
    }
}
