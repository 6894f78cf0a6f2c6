//! `phase_repeated`: two phases have one id.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule =
    Rule { code: "phase_repeated", severity: Severity::Error, about: "Two phases have one id", check };

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for (place, phase) in subject.workflow.phases.iter().enumerate() {
        let first = subject.workflow.phase(phase.id);
        if let Some(first) = first.filter(|first| *first != place) {
            let other = subject.workflow.phases[first].pointer("id");
            found.at(
                phase.pointer("id"),
                format!("is the id at {other} too"),
                "give each phase an id of its own",
            );
        }
    }
}
