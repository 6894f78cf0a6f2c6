//! `command_missing`: a lane of the adapter process names no program.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "command_missing",
    severity: Severity::Error,
    about: "A lane of the adapter process names no program",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in subject.workflow.lanes.iter().filter(|lane| lane.is_process()) {
        let command = lane.raw.get("command");
        let program = command.and_then(|command| command.get(0));
        let is_there =
            program.is_some_and(|program| program.as_str().is_none_or(|program| !program.trim().is_empty()));
        if command.is_none_or(|command| command.is_array()) && !is_there {
            let hint = "name the program and its arguments, as a list of words: \"command\": [\"claude\"]";
            found.at(lane.pointer(&[]), "names no program to start", hint);
        }
    }
}
