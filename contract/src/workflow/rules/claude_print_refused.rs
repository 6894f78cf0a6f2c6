//! `claude_print_refused`: a lane runs claude with --print, which ends after one answer.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "claude_print_refused",
    severity: Severity::Error,
    about: "A lane runs claude with --print, which ends after one answer",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in subject.workflow.lanes.iter().filter(|lane| !lane.is("allow_claude_print")) {
        if let Some(at) = lane.claude_print() {
            let hint = "use [\"claude\", \"--dangerously-skip-permissions\"] with adapter_capabilities.agent_loop, \
 or set allow_claude_print";
            found.at(lane.pointer(&["command", &at.to_string()]), "lets claude end after one answer", hint);
        }
    }
}
