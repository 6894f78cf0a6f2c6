//! How a binding constraint is shown.

use serde_json::{Value, json};

use super::super::placeholder::fill;
use super::{Hit, Repair, Rule, rows};

pub(super) const RULE: Rule = Rule {
    code: "constraint_unverified",
    kind: "collaboration_ledger",
    says: "a binding constraint has a verification with a gate or an expected_stage",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let unverified = rows(values, "constraints").into_iter().filter_map(|(pointer, row)| {
        let is_shown =
            |key: &str| row["verification"][key].as_str().is_some_and(|text| !text.trim().is_empty());
        if row["binding"] != true || is_shown("gate") || is_shown("expected_stage") {
            return None;
        }
        let gate = json!({"gate": fill("the check that shows it")});
        let repair = Repair::Set(format!("{pointer}/verification"), gate);
        let at = if row.get("verification").is_some() { format!("{pointer}/verification") } else { pointer };
        let message = "a binding constraint says neither by which gate nor at which stage it is shown";
        let hint = "verification with a gate or an expected_stage, or binding: false";
        Some(Hit::new(at, message, hint).mended_by(repair))
    });
    unverified.collect()
}
