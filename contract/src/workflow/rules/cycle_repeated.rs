//! `cycle_repeated`: two cycles begin at one job.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule =
    Rule { code: "cycle_repeated", severity: Severity::Error, about: "Two cycles begin at one job", check };

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let mut known = HashMap::new();
    for cycle in &subject.workflow.cycles {
        let Some(from) = cycle.from else { continue };
        match known.entry(from) {
            Entry::Occupied(first) => {
                let message = format!("begins where the one at /cycles/{} does", first.get());
                found.at(format!("/cycles/{}", cycle.at), message, "keep one: a verdict has one way back");
            }
            Entry::Vacant(place) => drop(place.insert(cycle.at)),
        }
    }
}
