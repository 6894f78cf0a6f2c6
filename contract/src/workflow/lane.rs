//! Lanes and roles: who works.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::{MOST_ITEMS, MOST_NAMED};
use super::finding::Findings;
use super::job::Job;
use super::place::{Place, is_word};

const KEYS: &[&str] = &[
    "adapter",
    "command",
    "model",
    "display_model",
    "strategy_version",
    "capabilities",
    "worktree_isolation",
    "allow_shared_checkout_repo_write",
    "shared_checkout_repo_write_rationale",
    "path_prefix",
    "command_env",
    "supervision",
    "adapter_capabilities",
    "adapter_timeout_seconds",
    "agent_loop",
    "constraints",
    "required_enforcement",
    "harness_profile_id",
    "allow_claude_print",
];

/// A lane, as far as the checks need it.
pub(super) struct Lane {
    pointer: String,
    /// Whether its agents get checkouts of their own.
    is_isolated: bool,
    /// Whether the workflow says, and why, that they may write to the one of the repository.
    may_share: bool,
}

pub(super) fn lanes<'v>(root: &Place<'v>, findings: &mut Findings) -> BTreeMap<&'v str, Lane> {
    let Some(lanes) = root.optional("lanes") else { return BTreeMap::new() };
    let members = lanes.members(MOST_NAMED, findings);
    members.into_iter().map(|(id, place)| (id, lane(id, &place, findings))).collect()
}

fn lane(id: &str, place: &Place<'_>, findings: &mut Findings) -> Lane {
    if !is_word(id) {
        place.not_a_word(findings);
    }
    let mut lane = Lane { pointer: place.pointer.clone(), is_isolated: false, may_share: false };
    if place.object(findings).is_none() {
        return lane;
    }
    place.known(KEYS, findings);
    let adapter = place.required("adapter", findings).and_then(|adapter| adapter.word(findings));
    if adapter == Some("process") {
        command(place, findings);
    }
    if let Some(model) = place.optional("model") {
        model.line(findings);
    }
    if let Some(isolation) = place.optional("worktree_isolation")
        && isolation.one_of(&["off", "per_job"], findings) == Some("per_job")
    {
        lane.is_isolated = true;
        let hint =
            "use off; a lane that writes needs allow_shared_checkout_repo_write and its rationale then";
        findings.add("worktree_isolation_unsupported", &isolation.pointer, "is not supported yet", hint);
    }
    if let Some(allow) = place.optional("allow_shared_checkout_repo_write")
        && allow.boolean(findings) == Some(true)
    {
        let rationale = place.optional("shared_checkout_repo_write_rationale");
        let rationale = rationale.and_then(|rationale| rationale.text(findings));
        lane.may_share = rationale.is_some_and(|rationale| !rationale.trim().is_empty());
    }
    lane
}

/// What starts an agent: a program and its arguments.
fn command(lane: &Place<'_>, findings: &mut Findings) {
    let words =
        lane.optional("command").map(|command| command.list(MOST_ITEMS, findings)).unwrap_or_default();
    let program = words.first().map(|word| word.text(findings));
    for word in words.iter().skip(1) {
        word.text(findings);
    }
    if program.is_none_or(|program| program == Some("")) {
        let hint = "name the program that is the agent, as a list of its words";
        findings.add("command_missing", &lane.pointer, "has no command for the adapter process", hint);
    }
}

pub(super) fn roles<'v>(root: &Place<'v>, findings: &mut Findings) -> BTreeSet<&'v str> {
    let Some(roles) = root.optional("roles") else { return BTreeSet::new() };
    let members = roles.members(MOST_NAMED, findings);
    for (id, place) in &members {
        if !is_word(id) {
            place.not_a_word(findings);
        }
        place.object(findings);
    }
    members.into_iter().map(|(id, _)| id).collect()
}

pub(super) fn check_coordinator(
    root: &Place<'_>,
    lanes: &BTreeMap<&str, Lane>,
    roles: &BTreeSet<&str>,
    findings: &mut Findings,
) {
    let Some(coordinator) = root.optional("coordinator") else { return };
    if coordinator.object(findings).is_none() {
        return;
    }
    if let Some(role) = coordinator.required("role_id", findings) {
        known_role(&role, roles, findings);
    }
    if let Some(lane) = coordinator.required("lane_id", findings) {
        known_lane(&lane, lanes, findings);
    }
}

pub(super) fn known_role(place: &Place<'_>, roles: &BTreeSet<&str>, findings: &mut Findings) {
    if place.text(findings).is_some_and(|role| !roles.contains(role)) {
        findings.add("role_unknown", &place.pointer, "is no role of the workflow", "name one of roles");
    }
}

pub(super) fn known_lane<'v>(
    place: &Place<'v>,
    lanes: &BTreeMap<&str, Lane>,
    findings: &mut Findings,
) -> Option<&'v str> {
    let lane = place.text(findings)?;
    if lanes.contains_key(lane) {
        return Some(lane);
    }
    findings.add("lane_unknown", &place.pointer, "is no lane of the workflow", "name one of lanes");
    None
}

/// A lane whose jobs write to the repository needs checkouts of its own, or somebody's word for why not. A job without
/// a lane may come to any.
pub(super) fn check_checkout(lanes: &BTreeMap<&str, Lane>, jobs: &[Job<'_>], findings: &mut Findings) {
    let writing: BTreeSet<Option<&str>> = jobs.iter().filter(|job| job.writes).map(|job| job.lane).collect();
    for (id, lane) in lanes {
        let writes = writing.contains(&None) || writing.contains(&Some(id));
        if writes && !lane.is_isolated && !lane.may_share {
            let hint =
                "set allow_shared_checkout_repo_write, and say why in shared_checkout_repo_write_rationale";
            let message = "writes to the checkout of the repository, and nothing says that it may";
            findings.add("checkout_sharing_unjustified", &lane.pointer, message, hint);
        }
    }
}
