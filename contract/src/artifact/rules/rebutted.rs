//! What a clearing verdict rests on, once challenges were judged.

use serde_json::Value;

use super::{Hit, Rule, clears, not_cleared, rows};

pub(super) const RULE: Rule = Rule {
    code: "clearing_unrebutted",
    kind: "collaboration_ledger",
    says: "once a challenge has a correspondence, a clearing verdict needs one that is landed_and_rebutted, and none \
           that is landed_unrebutted",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    if !clears(values) {
        return Vec::new();
    }
    let entries = rows(values, "entries");
    let judged = |word: &str| entries.iter().filter(|(_, entry)| entry["correspondence"] == word).count();
    let [landed, unrebutted, immaterial] =
        ["landed_and_rebutted", "landed_unrebutted", "not_material"].map(judged);
    if unrebutted > 0 {
        let message = format!("the verdict clears, and {unrebutted} challenge(s) landed unrebutted");
        return vec![not_cleared(message, "it cannot clear before each challenge that landed is rebutted")];
    }
    if immaterial > 0 && landed == 0 {
        let message = "the verdict clears, and no challenge landed and was rebutted";
        return vec![not_cleared(message, "it cannot clear on challenges that are not material")];
    }
    Vec::new()
}
