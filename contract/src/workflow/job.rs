//! Jobs: what is to be done.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::{MOST_ITEMS, MOST_JOBS};
use super::finding::Findings;
use super::lane::{Lane, known_lane, known_role};
use super::place::Place;

const KEYS: &[&str] = &[
    "id",
    "type",
    "title",
    "role_id",
    "lane_id",
    "objective",
    "task_prompt",
    "inputs",
    "needs",
    "write_scope",
    "expected_artifacts",
    "parallel_group",
    "fresh_session_required",
    "require_attested_lane",
    "interrogable",
    "interrogation_targets",
    "shared_resources",
    "reviewer_access_scope",
    "reviewer_context_policy",
    "review_posture",
    "required_review_postures",
    "panel_role",
    "max_gating_abstentions",
    "allow_gating_abstentions",
    "fanin_tolerates_sealed_gap",
    "max_sealed_gaps",
    "phase_id",
];

/// A job, as far as the checks need it.
pub(super) struct Job<'v> {
    pub(super) place: Place<'v>,
    /// None where it is no id, or another job's.
    pub(super) id: Option<&'v str>,
    /// None: any lane of the role.
    pub(super) lane: Option<&'v str>,
    /// Whether it ends by a verdict.
    pub(super) is_verdict: bool,
    /// Whether it writes to the repository.
    pub(super) writes: bool,
    /// Jobs that it says it waits for, and where.
    pub(super) needs: Option<(Place<'v>, BTreeSet<&'v str>)>,
}

pub(super) fn jobs<'v>(
    root: &Place<'v>,
    lanes: &BTreeMap<&str, Lane>,
    roles: &BTreeSet<&str>,
    findings: &mut Findings,
) -> Vec<Job<'v>> {
    let Some(list) = root.optional("jobs") else { return Vec::new() };
    let places = list.list(MOST_JOBS, findings);
    if places.is_empty() {
        findings.add("jobs_missing", &list.pointer, "holds no job", "add one");
    }
    let mut known = BTreeSet::new();
    places.into_iter().map(|place| job(place, lanes, roles, &mut known, findings)).collect()
}

fn job<'v>(
    place: Place<'v>,
    lanes: &BTreeMap<&str, Lane>,
    roles: &BTreeSet<&str>,
    known: &mut BTreeSet<&'v str>,
    findings: &mut Findings,
) -> Job<'v> {
    let mut job =
        Job { place: place.clone(), id: None, lane: None, is_verdict: false, writes: false, needs: None };
    if place.object(findings).is_none() {
        return job;
    }
    place.known(KEYS, findings);
    if let Some(at) = place.required("id", findings) {
        job.id = at.word(findings).filter(|id| known.insert(id));
        if job.id.is_none() && at.text(&mut Findings::default()).is_some_and(|id| known.contains(id)) {
            findings.add("job_repeated", &at.pointer, "is the id of another job too", "give each its own");
        }
    }
    let kind = place.optional("type").and_then(|kind| kind.word(findings));
    job.is_verdict = matches!(kind, Some("review" | "phase_synthesis"));
    if let Some(title) = place.optional("title") {
        title.line(findings);
    }
    if let Some(role) = place.required("role_id", findings) {
        known_role(&role, roles, findings);
    }
    if let Some(lane) = place.optional("lane_id") {
        job.lane = known_lane(&lane, lanes, findings);
    }
    if let Some(objective) = place.optional("objective") {
        objective.text(findings);
    }
    if let Some(prompt) = place.optional("task_prompt")
        && prompt.object(findings).is_some()
        && let Some(path) = prompt.optional("path")
    {
        super::path::contained(&path, findings);
    }
    for key in ["fresh_session_required", "require_attested_lane", "interrogable"] {
        if let Some(is_so) = place.optional(key) {
            is_so.boolean(findings);
        }
    }
    if let Some(policy) = place.optional("reviewer_context_policy") {
        policy.one_of(&["fresh", "cross_round"], findings);
    }
    if let Some(scope) = place.required("write_scope", findings) {
        scope.known(&["mode", "repo_write", "allowed_paths", "forbidden_paths"], findings);
        if scope.object(findings).is_some() {
            let writes = scope.required("repo_write", findings);
            job.writes = writes.and_then(|writes| writes.boolean(findings)).unwrap_or(false);
        }
    }
    if let Some(needs) = place.optional("needs") {
        let ids = needs.list(MOST_ITEMS, findings).iter().filter_map(|id| id.word(findings)).collect();
        job.needs = Some((needs, ids));
    }
    job
}
