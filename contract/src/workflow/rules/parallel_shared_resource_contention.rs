//! `parallel_shared_resource_contention`: jobs of one parallel_group use the same resource.

use std::collections::HashMap;

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "parallel_shared_resource_contention",
    severity: Severity::Warning,
    about: "Jobs of one parallel_group use the same resource",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let jobs = &subject.workflow.jobs;
    for (group, members) in subject.workflow.groups() {
        let mut known: HashMap<(&str, Option<&str>), usize> = HashMap::new();
        for job in members {
            for (at, resource) in jobs[job].list("shared_resources") {
                let Some(id) = resource.as_str().or_else(|| text(resource, "id")) else { continue };
                let is_shared = resource["mode"] == "per_lane_namespace";
                let namespace = if is_shared { text(resource, "namespace") } else { None };
                if let Some(other) = known.insert((id, namespace), job).filter(|other| *other != job) {
                    let what = namespace
                        .map_or_else(|| id.to_owned(), |namespace| format!("{id}, namespace {namespace}"));
                    let message = format!(
                        "is {what}, which {} uses too, perhaps at the same time (parallel_group {group})",
                        jobs[other].name()
                    );
                    found.at(
                        jobs[job].pointer(&format!("shared_resources/{at}")),
                        message,
                        "give each a namespace of its own, or take one out of the group",
                    );
                }
            }
        }
    }
}
