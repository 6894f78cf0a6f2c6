//! `edges_cyclic`: edges lead in a circle, so that its jobs never begin.

use std::collections::HashMap;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "edges_cyclic",
    severity: Severity::Error,
    about: "Edges lead in a circle, so that its jobs never begin",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for circle in subject.graph.circles() {
        let members: Vec<usize> = way_round(subject, &circle);
        let names: Vec<&str> =
            members.iter().take(MOST_NAMED).map(|job| subject.workflow.jobs[*job].name()).collect();
        let more = if members.len() > MOST_NAMED { " -> ..." } else { "" };
        let message =
            format!("never begins, for it waits for itself: {}{more} -> {}", names.join(" -> "), names[0]);
        let hint = "take one of these edges out; a way back is one of cycles";
        found.at(subject.workflow.jobs[members[0]].pointer(""), message, hint);
    }
}

/// Jobs of a circle that are shown.
const MOST_NAMED: usize = 8;

/// The jobs of one way round, as the edges lead: from the first job of the knot on, until one comes again.
fn way_round(subject: &Subject<'_>, knot: &[usize]) -> Vec<usize> {
    let mut way = vec![knot[0]];
    let mut seen = HashMap::from([(knot[0], 0)]);
    loop {
        let last = way[way.len() - 1];
        // In a knot each job leads on to another one of it.
        let next = subject.graph.after(last).iter().copied().find(|next| knot.binary_search(next).is_ok());
        let Some(next) = next else { return way };
        if let Some(begins) = seen.insert(next, way.len()) {
            return way.split_off(begins);
        }
        way.push(next);
    }
}
