//! `command_env_reserved`: a variable of command_env is one that striatum sets.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "command_env_reserved",
    severity: Severity::Error,
    about: "A variable of command_env is one that striatum sets",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        for name in
            lane.raw.get("command_env").and_then(Value::as_object).into_iter().flat_map(|env| env.keys())
        {
            let hint = match name.as_str() {
                "PATH" => "put folders into path_prefix",
                name if name.starts_with("STRIATUM_") => "choose another name",
                _ => continue,
            };
            found.at(lane.pointer(&["command_env", name]), "is set by striatum itself", hint);
        }
    }
}
