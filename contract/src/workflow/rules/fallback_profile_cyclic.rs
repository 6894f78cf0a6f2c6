//! `fallback_profile_cyclic`: profiles fall back to each other in a circle, so that none of them is the last.

use std::collections::{HashMap, HashSet};

use crate::problem::step;
use crate::workflow::finding::Severity;
use crate::workflow::model::{members, text};
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "fallback_profile_cyclic",
    severity: Severity::Error,
    about: "Profiles fall back to each other in a circle",
    check,
};

/// Profiles of a circle that are shown.
const MOST_NAMED: usize = 8;

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let profiles = || members(subject.workflow.root, "harness_profiles");
    let after: HashMap<&str, &str> =
        profiles().filter_map(|(id, profile)| Some((id, text(profile, "fallback_profile_id")?))).collect();
    let mut seen = HashSet::new();
    for (begin, _) in profiles() {
        // Each has one fallback at most: the way on from it ends, joins one that is known, or comes back into itself.
        let mut way = Vec::new();
        let mut next = Some(begin);
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            way.push(id);
            next = after.get(id).copied();
        }
        let Some(at) = next.and_then(|next| way.iter().position(|id| *id == next)) else { continue };
        let circle = &way[at..];
        // `fallback_profile_unknown` says it of one that falls back to itself.
        let [first, _, ..] = circle else { continue };
        let mut pointer = "/harness_profiles".to_owned();
        step(&mut pointer, first);
        let named = circle.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(" -> ");
        let more = if circle.len() > MOST_NAMED { " -> ..." } else { "" };
        let message = format!("leads back to the profile that it stands in: {named}{more} -> {first}");
        found.at(
            pointer + "/fallback_profile_id",
            message,
            "let one of them have no fallback, or another one",
        );
    }
}
