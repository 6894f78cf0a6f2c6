//! `agy_one_shot_pipe_lane`: a lane runs agy through a pipe that closes at once.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "agy_one_shot_pipe_lane",
    severity: Severity::Warning,
    about: "A lane runs agy through a pipe that closes at once",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        let supervision = &lane.raw["supervision"];
        let is_one_shot =
            supervision["transport"] == "pipe" && supervision["stdin_delivery"] == "one_shot_eof";
        if is_one_shot && (lane.program() == "agy" || lane.family() == Some("gemini")) {
            let message = "closes agy's input after the first packet, so that no second one reaches it";
            found.at(
                lane.pointer(&["supervision"]),
                message,
                "use transport pty_helper with adapter_capabilities.agent_loop",
            );
        }
    }
}
