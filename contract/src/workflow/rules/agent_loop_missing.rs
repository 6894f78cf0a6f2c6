//! `agent_loop_missing`: a lane has a terminal of its own and no agent_loop.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "agent_loop_missing",
    severity: Severity::Error,
    about: "A lane has a terminal of its own and no agent_loop",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        let supervision = &lane.raw["supervision"];
        let why = if supervision["require_tmux"] == true {
            "require_tmux"
        } else if supervision["transport"] == "pty_helper" {
            "transport pty_helper"
        } else {
            continue;
        };
        if !lane.has_agent_loop() {
            let message = format!("has {why}, and nothing says that its agent fetches work by itself");
            found.at(
                lane.pointer(&["supervision"]),
                message,
                "add \"adapter_capabilities\": {\"agent_loop\": true}",
            );
        }
    }
}
