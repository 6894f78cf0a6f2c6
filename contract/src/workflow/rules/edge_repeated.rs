//! `edge_repeated`: an edge stands twice.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule =
    Rule { code: "edge_repeated", severity: Severity::Error, about: "An edge stands twice", check };

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let mut known = HashMap::new();
    for edge in &subject.workflow.edges {
        let (Some(from), Some(to)) = (edge.from, edge.to) else { continue };
        match known.entry((from, to)) {
            Entry::Occupied(first) => {
                let message = format!("stands at /edges/{} too", first.get());
                found.at(format!("/edges/{}", edge.at), message, "take one of them out");
            }
            Entry::Vacant(place) => drop(place.insert(edge.at)),
        }
    }
}
