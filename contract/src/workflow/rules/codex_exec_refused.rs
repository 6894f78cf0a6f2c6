//! `codex_exec_refused`: a lane runs codex exec, which ends after one answer.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "codex_exec_refused",
    severity: Severity::Error,
    about: "A lane runs codex exec, which ends after one answer",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        if lane.program() == "codex"
            && lane.command().get(1).is_some_and(|word| matches!(*word, "exec" | "e"))
        {
            let hint = "use [\"codex\", \"--yolo\"] with adapter_capabilities.agent_loop";
            found.at(lane.pointer(&["command", "1"]), "lets codex end after one answer", hint);
        }
    }
}
