//! `program_missing`: a lane in which a job may run names a program that its host does not have, or cannot execute.

use crate::shell_word::shell_word;
use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::tree::Program;

pub(super) const RULE: Rule = Rule {
    code: "program_missing",
    severity: Severity::Error,
    about: "A lane in which a job may run names a program that the host of its agents cannot execute",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(look) = subject.tree.and_then(|tree| tree.program) else { return };
    let lanes = subject.workflow.lanes.iter().filter(|lane| lane.is_process());
    for lane in lanes.filter(|lane| subject.workflow.may_run_in(lane)) {
        let Some(program) = lane.command().first().copied() else { continue };
        let (message, hint) = match look(program, &lane.path_prefix()) {
            Program::Runs => continue,
            Program::Inert(path) => (
                format!("is {program}, and {path} is there, but not executable"),
                format!("chmod +x {}", shell_word(&path)),
            ),
            Program::Missing => (
                format!("is {program}, and neither the lane nor the daemon has that program"),
                "install it, name it by its path from the top of the repository, or add its folder to path_prefix"
                    .to_owned(),
            ),
        };
        found.at(lane.pointer(&["command", "0"]), message, hint);
    }
}
