//! `command_not_found`: a lane's program is a path at which nothing is that can be executed.

use crate::shell_word::shell_word;
use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::tree::Entry;

pub(super) const RULE: Rule = Rule {
    code: "command_not_found",
    severity: Severity::Warning,
    about: "A lane's program is a path of the repository at which nothing is that can be executed",
    check,
};

/// Where the host is known, `program_missing` says it, and of every program.
fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(tree) = subject.tree.filter(|tree| tree.program.is_none()) else { return };
    for lane in subject.workflow.lanes.iter().filter(|lane| lane.is_process()) {
        let command = lane.command();
        let program = command.first().copied().unwrap_or_default();
        let path = program.trim_start_matches("./");
        if !program.contains('/') || program.starts_with('/') {
            continue;
        }
        let (message, hint) = match (tree.look)(path) {
            Entry::Missing | Entry::Escapes => (
                format!("is {path}, where the repository has no program"),
                "agents start at the top of the repository: mend the path, or use a name that is on the PATH"
                    .to_owned(),
            ),
            Entry::Inert => {
                (format!("is {path}, which is not executable"), format!("chmod +x {}", shell_word(path)))
            }
            Entry::File | Entry::Folder | Entry::Unknown => continue,
        };
        found.at(lane.pointer(&["command", "0"]), message, hint);
    }
}
