//! Ids that name one row each.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::placeholder::fill;
use super::super::problem::{field, told};
use super::{Hit, Repair, Rule, rows, said};

pub(super) const CLAIMS: Rule = Rule {
    code: "id_repeated",
    kind: "claim_ledger",
    says: "each claim has an id of its own",
    check: |values| check(values, "claims"),
};

pub(super) const FINDINGS: Rule = Rule {
    code: "id_repeated",
    kind: "collaboration_ledger",
    says: "each finding has an id of its own",
    check: |values| check(values, "findings"),
};

pub(super) const CONSTRAINTS: Rule = Rule {
    code: "id_repeated",
    kind: "collaboration_ledger",
    says: "each constraint has an id of its own",
    check: |values| check(values, "constraints"),
};

fn check(values: &Value, key: &str) -> Vec<Hit> {
    let mut known: BTreeMap<&str, String> = BTreeMap::new();
    let mut hits = Vec::new();
    for (pointer, row) in rows(values, key) {
        let Some(id) = said(row, "id") else { continue };
        let pointer = format!("{pointer}/id");
        match known.get(id) {
            Some(first) => {
                let message = format!("the id {:?} stands at {} too", told(id), field(first));
                let hit = Hit::new(pointer.clone(), message, "give each row an id of its own");
                hits.push(hit.mended_by(Repair::Set(pointer, fill("an id of its own"))));
            }
            None => {
                known.insert(id, pointer);
            }
        }
    }
    hits
}
