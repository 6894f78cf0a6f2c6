//! `resource_namespace_missing`: a shared resource has namespaces, and names none.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "resource_namespace_missing",
    severity: Severity::Error,
    about: "A shared resource has namespaces, and names none",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        for (at, resource) in job.list("shared_resources") {
            if resource["mode"] == "per_lane_namespace" && resource.get("namespace").is_none() {
                found.at(
                    job.pointer(&format!("shared_resources/{at}")),
                    "has the mode per_lane_namespace, and no namespace",
                    "add namespace",
                );
            }
        }
    }
}
