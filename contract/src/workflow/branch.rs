//! The branch that a run works on.

use super::finding::Findings;
use super::place::Place;

pub(super) fn check(root: &Place<'_>, findings: &mut Findings) {
    let Some(branch) = root.optional("branch") else { return };
    if branch.object(findings).is_none() {
        return;
    }
    branch.known(&["mode", "suggested_name", "allow_dirty"], findings);
    if let Some(allow_dirty) = branch.optional("allow_dirty") {
        allow_dirty.boolean(findings);
    }
    let mode =
        branch.optional("mode").map_or(Some("auto"), |mode| mode.one_of(&["auto", "confirm"], findings));
    match branch.optional("suggested_name") {
        Some(name) => {
            name.line(findings);
        }
        None if mode == Some("auto") => {
            let hint = "add suggested_name, or the mode confirm";
            findings.add("branch_name_missing", &branch.pointer, "names no branch for the mode auto", hint);
        }
        None => {}
    }
}
