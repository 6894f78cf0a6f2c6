//! `enforcement_undeclared`: enforcement is required of a constraint that the lane does not declare.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::CONSTRAINTS;

pub(super) const RULE: Rule = Rule {
    code: "enforcement_undeclared",
    severity: Severity::Error,
    about: "Enforcement is required of a constraint that the lane does not declare",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        for name in lane
            .raw
            .get("required_enforcement")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(|all| all.keys())
        {
            if CONSTRAINTS.contains(&name.as_str()) && lane.raw["constraints"].get(name).is_none() {
                let message = format!("asks how strictly {name} is kept, and constraints does not name it");
                found.at(
                    lane.pointer(&["required_enforcement", name]),
                    message,
                    format!("add constraints.{name}"),
                );
            }
        }
    }
}
