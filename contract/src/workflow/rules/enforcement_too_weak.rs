//! `enforcement_too_weak`: the adapter keeps a constraint less strictly than is required.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::{CONSTRAINTS, ENFORCEMENT, enforcement};

pub(super) const RULE: Rule = Rule {
    code: "enforcement_too_weak",
    severity: Severity::Error,
    about: "The adapter keeps a constraint less strictly than is required",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        for name in CONSTRAINTS {
            let required = text(&lane.raw["required_enforcement"], name);
            let value = text(&lane.raw["constraints"], name);
            let (Some(required), Some(value), Some(adapter)) = (required, value, lane.text("adapter")) else {
                continue;
            };
            let given = enforcement(adapter, name, value);
            let rank = |level: &str| ENFORCEMENT.iter().position(|known| *known == level);
            if rank(given) < rank(required) {
                let message = format!(
                    "is {required}, and the adapter {adapter} keeps {name} = {value} no better than {given}"
                );
                found.at(lane.pointer(&["required_enforcement", name]), message, format!("require {given}"));
            }
        }
    }
}
