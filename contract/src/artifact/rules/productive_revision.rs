//! What a revision has to go on.

use serde_json::{Value, json};

use super::super::placeholder::{choose, fill};
use super::{Hit, Repair, Rule, rows};

pub(super) const RULE: Rule = Rule {
    code: "revision_unproductive",
    kind: "collaboration_ledger",
    says: "needs_revision of the shape adjudicated_constraint_extraction needs a constraint that is binding, or an \
           unresolved_question",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let is_meant =
        values["shape"] == "adjudicated_constraint_extraction" && values["verdict"] == "needs_revision";
    let is_productive =
        |(_, row): &(String, &Value)| row["binding"] == true || row["kind"] == "unresolved_question";
    if !is_meant || rows(values, "constraints").iter().any(is_productive) {
        return Vec::new();
    }
    let row = json!({
        "id": fill("an id of its own"), "posture": fill("the posture"), "kind": "unresolved_question",
        "severity": choose(&["low", "medium", "high", "critical"]), "binding": false,
        "text": fill("the question that is open"),
    });
    let message = "the verdict is needs_revision, and no constraint says what to revise";
    let hint = "a constraint with binding: true, or with kind: unresolved_question";
    let pointer = if values.get("constraints").is_some() { "/constraints" } else { "" };
    vec![Hit::new(pointer, message, hint).mended_by(Repair::Append("constraints".to_owned(), row))]
}
