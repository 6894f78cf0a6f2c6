//! What becomes of work whose agents die.

use super::finding::Findings;
use super::place::Place;

/// The most that a job may be queued again.
const MOST_REQUEUES: i64 = 1000;

pub(super) fn check(root: &Place<'_>, findings: &mut Findings) {
    let Some(policy) = root.optional("recovery_policy") else { return };
    if policy.object(findings).is_none() {
        return;
    }
    for key in ["max_requeues", "max_total_requeues_per_job"] {
        let Some(place) = policy.optional(key) else { continue };
        let Some(requeues) = place.integer(findings) else { continue };
        if !(0..=MOST_REQUEUES).contains(&requeues) {
            let hint = format!("0 to {MOST_REQUEUES}; 0 means that a person decides each time");
            findings.add("requeues_out_of_bounds", &place.pointer, "is no count of requeues", hint);
        }
    }
}
