//! Where a correspondence may stand.

use serde_json::Value;

use super::super::problem::told;
use super::{Hit, Repair, Rule, rows, said};

pub(super) const RULE: Rule = Rule {
    code: "correspondence_misplaced",
    kind: "collaboration_ledger",
    says: "a correspondence stands at challenges alone",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let misplaced = rows(values, "entries").into_iter().filter_map(|(pointer, entry)| {
        entry.get("correspondence")?;
        let kind = said(entry, "kind").filter(|kind| *kind != "challenge")?;
        let pointer = format!("{pointer}/correspondence");
        let message = format!("a correspondence stands at a {}", told(kind));
        let hint = "move it to the challenge that was answered";
        Some(Hit::new(pointer.clone(), message, hint).mended_by(Repair::Remove(pointer)))
    });
    misplaced.collect()
}
