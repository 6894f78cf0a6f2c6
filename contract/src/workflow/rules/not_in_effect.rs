//! `not_in_effect`: a setting is kept in the snapshot, and this version does not act on it.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::shape::is_id;

pub(super) const RULE: Rule = Rule {
    code: "not_in_effect",
    severity: Severity::Info,
    about: "A setting is kept in the snapshot, and this version does not act on it",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    let mut note = |pointer: String| {
        found.at(
            pointer,
            "is kept with the run, and this version does not act on it yet",
            "nothing to mend; do not count on it",
        );
    };
    for key in ["liveness", "recovery", "auto_finalize", "review_revision_policy"] {
        if workflow.root.get(key).is_some() {
            note(format!("/{key}"));
        }
    }
    let policy = workflow.root.get("recovery_policy").and_then(Value::as_object);
    for key in policy.into_iter().flat_map(|policy| policy.keys()) {
        if !matches!(key.as_str(), "max_requeues" | "max_total_requeues_per_job" | "description")
            && is_id(key)
        {
            note(format!("/recovery_policy/{key}"));
        }
    }
    for lane in &workflow.lanes {
        for key in
            ["constraints", "adapter_timeout_seconds", "lease_seconds", "heartbeat_seconds", "liveness"]
        {
            if lane.raw.get(key).is_some() {
                note(lane.pointer(&[key]));
            }
        }
        for key in ["require_tmux", "stdin_delivery"] {
            if lane.raw["supervision"].get(key).is_some() {
                note(lane.pointer(&["supervision", key]));
            }
        }
    }
    for job in &workflow.jobs {
        if job.is("interrogable") {
            note(job.pointer("interrogable"));
        }
        for (at, artifact) in job.list("expected_artifacts") {
            if text(artifact, "placement").is_some_and(|placement| placement != "git_publication") {
                note(job.pointer(&format!("expected_artifacts/{at}/placement")));
            }
        }
        for key in [
            "lease_seconds",
            "heartbeat_seconds",
            "interrogation_targets",
            "panel_role",
            "max_gating_abstentions",
            "max_sealed_gaps",
        ] {
            if job.raw.get(key).is_some() {
                note(job.pointer(key));
            }
        }
    }
    for cycle in workflow.cycles.iter().filter(|cycle| cycle.raw["wait_for_siblings"] == true) {
        note(format!("/cycles/{}/wait_for_siblings", cycle.at));
    }
}
