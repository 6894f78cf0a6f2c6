//! `deprecated_claude_print_lane`: a lane runs claude with --print, and says that it may.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "deprecated_claude_print_lane",
    severity: Severity::Warning,
    about: "A lane runs claude with --print, and says that it may",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in subject.workflow.lanes.iter().filter(|lane| lane.is("allow_claude_print")) {
        if let Some(at) = lane.claude_print() {
            let hint =
                "an agent that stays asks for its work itself; leave the flag and allow_claude_print out";
            found.at(lane.pointer(&["command", &at.to_string()]), "lets claude end after one answer", hint);
        }
    }
}
