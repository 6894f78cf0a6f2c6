//! `operator_content_role_model_overlap`: the coordinator's model also merges or judges content.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::{PHASE_SYNTHESIS, REVIEW, SYNTHESIS};

pub(super) const RULE: Rule = Rule {
    code: "operator_content_role_model_overlap",
    severity: Severity::Warning,
    about: "The coordinator's model also merges or judges content",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    let rationale = text(workflow.root, "operator_content_neutrality_override_rationale");
    if rationale.is_some_and(|rationale| !rationale.trim().is_empty()) {
        return;
    }
    let coordinator = text(&workflow.root["coordinator"], "lane_id").and_then(|lane| workflow.lane(lane));
    let Some(coordinator) = coordinator else { return };
    let judging: Vec<usize> =
        (0..workflow.jobs.len()).filter(|place| workflow.jobs[*place].is_verdict()).collect();
    let is_final =
        |place: usize| judging.iter().all(|other| *other == place || !subject.graph.leads(place, *other));
    let content = workflow.jobs.iter().enumerate().filter(|(place, job)| match job.kind {
        SYNTHESIS | PHASE_SYNTHESIS => true,
        REVIEW => is_final(*place),
        _ => false,
    });
    let same =
        content.filter(|(_, job)| workflow.lane_of(job).is_some_and(|lane| lane.shares_model(coordinator)));
    let same: Vec<&str> = same.map(|(_, job)| job.name()).take(6).collect();
    if !same.is_empty() {
        let message = format!(
            "coordinates with the family of models that also decides about content ({}): {}",
            coordinator.model_name(),
            same.join(", ")
        );
        found.at(
            "/coordinator/lane_id",
            message,
            "coordinate from a lane with another model, or say in \
 operator_content_neutrality_override_rationale why it may be so",
        );
    }
}
