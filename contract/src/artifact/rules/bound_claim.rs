//! What a verified claim rests on.

use serde_json::Value;

use super::{Hit, Repair, Rule, rows, said};

pub(super) const RULE: Rule = Rule {
    code: "claim_unbound",
    kind: "claim_ledger",
    says: "a claim that is VERIFIED has a receipt_ref, a bound_input_digest, and the same as evidence_digest; else it \
           counts as ASSERTED",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let unbound = rows(values, "claims").into_iter().filter_map(|(pointer, claim)| {
        if claim["status"] != "VERIFIED" || is_bound(claim) {
            return None;
        }
        let pointer = format!("{pointer}/status");
        let missing: Vec<&str> = ["receipt_ref", "bound_input_digest", "evidence_digest"]
            .into_iter()
            .filter(|key| said(claim, key).is_none())
            .collect();
        let message = match missing.as_slice() {
            [] => "a VERIFIED claim's evidence_digest is not its bound_input_digest".to_owned(),
            missing => format!("a VERIFIED claim has no {}", missing.join(", no ")),
        };
        let hint = "say what binds it, or status: ASSERTED, which is what it counts as";
        let mend = Repair::Set(pointer.clone(), Value::from("ASSERTED"));
        Some(Hit::new(pointer, message, hint).allowing(&["DESIGNED", "ASSERTED"]).mended_by(mend))
    });
    unbound.collect()
}

/// Whether a claim's evidence is of its inputs.
pub(super) fn is_bound(claim: &Value) -> bool {
    let digest = said(claim, "bound_input_digest");
    said(claim, "receipt_ref").is_some() && digest.is_some() && digest == said(claim, "evidence_digest")
}
