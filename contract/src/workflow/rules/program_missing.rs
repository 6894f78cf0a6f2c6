//! `program_missing`: a lane in which a job may run names a program that its host does not have.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "program_missing",
    severity: Severity::Error,
    about: "A lane in which a job may run names a program that the host of its agents does not have",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(has_program) = subject.tree.and_then(|tree| tree.has_program) else { return };
    let lanes = subject.workflow.lanes.iter().filter(|lane| lane.is_process());
    for lane in lanes.filter(|lane| subject.workflow.may_run_in(lane)) {
        let Some(program) = lane.command().first().copied() else { continue };
        if !has_program(program, &lane.path_prefix()) {
            found.at(
                lane.pointer(&["command", "0"]),
                format!("is {program}, and neither the lane nor the daemon has that program"),
                "install it, name it by its path from the top of the repository, or add its folder to path_prefix",
            );
        }
    }
}
