//! `command_env_malformed`: a variable of command_env has a name that none can have.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "command_env_malformed",
    severity: Severity::Error,
    about: "A variable of command_env has a name that none can have",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        for name in
            lane.raw.get("command_env").and_then(Value::as_object).into_iter().flat_map(|env| env.keys())
        {
            let first = name.bytes().next();
            let is_name = first.is_some_and(|first| first == b'_' || first.is_ascii_alphabetic())
                && name.bytes().all(|octet| octet == b'_' || octet.is_ascii_alphanumeric());
            if !is_name {
                let hint = "letters, digits and underscores, the first no digit";
                found.at(lane.pointer(&["command_env", name]), "is no name of a variable", hint);
            }
        }
    }
}
