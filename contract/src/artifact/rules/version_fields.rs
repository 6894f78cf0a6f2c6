//! Fields of collaboration ledgers that the first version does not have.

use serde_json::Value;

use super::{Hit, Repair, Rule, rows};

pub(super) const V1: &str = "striatum.collaboration_ledger.v1";
pub(super) const V1_1: &str = "striatum.collaboration_ledger.v1.1";

/// `cycle` is not one of them: as standard metadata every version takes it.
const NEW: [&str; 5] = ["findings", "constraints", "branches", "adjudicators", "adjudication_mode"];

pub(super) const RULE: Rule = Rule {
    code: "version_too_old",
    kind: "collaboration_ledger",
    says: "findings, constraints, branches, adjudicators, adjudication_mode, and correspondence and coverage of \
           entries, need striatum.collaboration_ledger.v1.1",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    if values["schema_version"] != V1 {
        return Vec::new();
    }
    let own = NEW.iter().filter(|key| values.get(**key).is_some()).map(|key| (format!("/{key}"), *key));
    let of_entries = rows(values, "entries").into_iter().flat_map(|(pointer, entry)| {
        let new = ["correspondence", "coverage"].into_iter().filter(|key| entry.get(*key).is_some());
        new.map(|key| (format!("{pointer}/{key}"), key)).collect::<Vec<_>>()
    });
    let hit = |(pointer, key): (String, &str)| {
        let newest = Repair::Set("/schema_version".to_owned(), Value::from(V1_1));
        Hit::new(pointer, format!("{key} needs schema_version {V1_1}"), format!("schema_version: {V1_1}"))
            .mended_by(newest)
    };
    own.chain(of_entries).map(hit).collect()
}
