//! Who said something in a collaboration ledger.

use std::collections::HashSet;

use serde_json::Value;

use super::super::placeholder::listed;
use super::super::problem::told;
use super::{Hit, Repair, Rule, rows, said};

pub(super) const RULE: Rule = Rule {
    code: "participant_unknown",
    kind: "collaboration_ledger",
    says: "each entry is by one of the participants",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let named = values["participants"].as_array().into_iter().flatten();
    let participants: Vec<&str> = named.filter_map(Value::as_str).collect();
    let known: HashSet<&str> = participants.iter().copied().collect();
    let whom = listed(&participants);
    let mut added = HashSet::new();
    let strangers = rows(values, "entries").into_iter().filter_map(|(pointer, entry)| {
        let by = said(entry, "by").filter(|by| !known.contains(by))?;
        let message = format!("{:?} is none of the participants", told(by));
        let pointer = format!("{pointer}/by");
        let hint = "name one of them, or add the name to participants";
        let hit = Hit::new(pointer.clone(), message, hint).allowing(&participants);
        // Without a name to choose the other way is left.
        Some(match &whom {
            Some(whom) => hit.mended_by(Repair::Set(pointer, whom.clone())),
            None if added.insert(by) => {
                hit.mended_by(Repair::Append("participants".to_owned(), Value::from(by)))
            }
            None => hit,
        })
    });
    strangers.collect()
}
