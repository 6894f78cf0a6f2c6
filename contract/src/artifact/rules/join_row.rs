//! What a row of a join manifest has to show.

use serde_json::Value;

use super::super::placeholder::fill;
use super::{Hit, Repair, Rule, rows, said};

pub(super) const RULE: Rule = Rule {
    code: "edge_unproven",
    kind: "join_manifest",
    says: "an in_edge that is staged_live has a commit_sha and a staging_ref; one that is quarantined or dead_seat a \
           damage_code",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let unproven = rows(values, "in_edges").into_iter().flat_map(|(pointer, row)| {
        let wanted: &[&str] = match row["status"].as_str() {
            Some("staged_live") => &["commit_sha", "staging_ref"],
            Some("quarantined" | "dead_seat") => &["damage_code"],
            _ => &[],
        };
        let missing = wanted.iter().filter(|key| row.get(**key).is_none() || is_blank(row, key));
        let hit = |key: &&str| {
            let message =
                format!("an in_edge that is {} has no {key}", row["status"].as_str().unwrap_or_default());
            let mend = Repair::Set(format!("{pointer}/{key}"), fill(&format!("the {key}")));
            Hit::new(pointer.clone(), message, format!("add {key}")).mended_by(mend)
        };
        missing.map(hit).collect::<Vec<_>>()
    });
    unproven.collect()
}

/// A placeholder is one already.
fn is_blank(row: &Value, key: &str) -> bool {
    said(row, key).is_none() && row[key].as_str().is_some_and(|text| text.trim().is_empty())
}
