//! Who said something in a collaboration ledger.

use std::collections::HashSet;

use serde_json::Value;

use super::super::placeholder::{choose, fill};
use super::{Hit, Repair, Rule, rows, said};

pub(super) const RULE: Rule = Rule {
    code: "participant_unknown",
    kind: "collaboration_ledger",
    says: "each entry is by one of the participants",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let listed = values["participants"].as_array().into_iter().flatten();
    let participants: Vec<&str> = listed.filter_map(Value::as_str).collect();
    let known: HashSet<&str> = participants.iter().copied().collect();
    let whom = if participants.is_empty() { fill("who said it") } else { choose(&participants) };
    let strangers = rows(values, "entries").into_iter().filter_map(|(pointer, entry)| {
        let by = said(entry, "by").filter(|by| !known.contains(by))?;
        let message = format!("{by:?} is none of the participants");
        let pointer = format!("{pointer}/by");
        let hint = "name one of them, or add the name to participants";
        Some(
            Hit::new(pointer.clone(), message, hint)
                .allowing(&participants)
                .mended_by(Repair::Set(pointer, whom.clone())),
        )
    });
    strangers.collect()
}
