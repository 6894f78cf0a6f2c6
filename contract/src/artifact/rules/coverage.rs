//! Where a coverage may stand.

use serde_json::Value;

use super::super::problem::told;
use super::{Hit, Repair, Rule, rows, said};

pub(super) const RULE: Rule = Rule {
    code: "coverage_misplaced",
    kind: "collaboration_ledger",
    says: "a coverage stands at constraints of the shape fog_of_war_review alone",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let Some(shape) = said(values, "shape") else { return Vec::new() };
    let misplaced = rows(values, "entries").into_iter().filter_map(|(pointer, entry)| {
        entry.get("coverage")?;
        let kind = said(entry, "kind")?;
        if shape == "fog_of_war_review" && kind == "constraint" {
            return None;
        }
        let pointer = format!("{pointer}/coverage");
        let message = format!("a coverage stands at a {} of the shape {}", told(kind), told(shape));
        let hint = "leave it out: only constraints of fog_of_war_review are scored so";
        Some(Hit::new(pointer.clone(), message, hint).mended_by(Repair::Remove(pointer)))
    });
    misplaced.collect()
}
