//! `command_not_found`: a lane in which a job may run names a program that is not there.

use crate::workflow::finding::Severity;
use crate::workflow::model::Lane;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::tree::{Entry, Tree};

pub(super) const RULE: Rule = Rule {
    code: "command_not_found",
    severity: Severity::Error,
    about: "A lane in which a job may run names a program that is not there, or is not to be executed",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(tree) = subject.tree else { return };
    let lanes = subject.workflow.lanes.iter().filter(|lane| lane.is_process());
    for lane in lanes.filter(|lane| subject.workflow.may_run_in(lane)) {
        let Some(program) = lane.command().first().copied() else { continue };
        if !is_there(tree, lane, program) {
            found.at(
                lane.pointer(&["command", "0"]),
                format!("is {program}, and there is no such program"),
                "agents start at the top of the repository: mend the path, add its folder to path_prefix, or install it",
            );
        }
    }
}

/// Where nobody can tell of the host, a path in the repository is looked at all the same.
fn is_there(tree: &Tree<'_>, lane: &Lane<'_>, program: &str) -> bool {
    match tree.has_program {
        Some(has_program) => has_program(program, &lane.path_prefix()),
        None if program.contains('/') && !program.starts_with('/') => {
            (tree.look)(program.trim_start_matches("./")) == Entry::File
        }
        None => true,
    }
}
