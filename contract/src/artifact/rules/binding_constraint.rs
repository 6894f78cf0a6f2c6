//! Where a binding constraint comes from.

use serde_json::Value;

use super::super::placeholder::{choose, listed};
use super::super::problem::told;
use super::{Hit, Repair, Rule, rows, said};

pub(super) const RULE: Rule = Rule {
    code: "constraint_unfounded",
    kind: "collaboration_ledger",
    says: "a binding constraint names, as source_finding, a finding of the same ledger of high or critical severity",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    let findings = rows(values, "findings");
    let is_grave = |finding: &Value| matches!(finding["severity"].as_str(), Some("high" | "critical"));
    let grave = findings.iter().filter(|(_, finding)| is_grave(finding));
    let grave: Vec<&str> = grave.filter_map(|(_, finding)| said(finding, "id")).collect();
    let whence = listed(&grave);
    let unfounded = rows(values, "constraints").into_iter().filter_map(|(pointer, row)| {
        let source = row["source_finding"].as_str();
        if row["binding"] != true || source.is_some_and(|id| grave.contains(&id)) {
            return None;
        }
        let message = match source {
            None => "a binding constraint names no source_finding".to_owned(),
            Some(id) => match findings.iter().find(|(_, finding)| finding["id"] == id) {
                None => format!("no finding of this ledger has the id {:?}", told(id)),
                Some((_, finding)) => format!(
                    "the finding {:?} is of severity {}",
                    told(id),
                    told(&finding["severity"].to_string())
                ),
            },
        };
        let repair = match &whence {
            None => Repair::Set(format!("{pointer}/binding"), choose(&["false"])),
            Some(whence) => Repair::Set(format!("{pointer}/source_finding"), whence.clone()),
        };
        let at = if source.is_some() { format!("{pointer}/source_finding") } else { pointer };
        let hint = "name a finding of high or critical severity, or set binding: false";
        Some(Hit::new(at, message, hint).allowing(&grave).mended_by(repair))
    });
    unfounded.collect()
}
