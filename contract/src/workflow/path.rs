//! Paths in a workflow: below the repository, and written in one way.

use super::finding::Findings;
use super::place::Place;

/// A path below the repository, without its last slash; none where it leads elsewhere.
pub(super) fn contained<'v>(place: &Place<'v>, findings: &mut Findings) -> Option<&'v str> {
    let text = place.text(findings)?;
    let path = text.strip_suffix('/').unwrap_or(text);
    let is_plain = !path.split('/').any(|part| matches!(part, "" | "." | ".."));
    if is_plain && path.len() <= 4096 && !path.contains(char::is_control) {
        return Some(path);
    }
    let hint = "a path from the top of the repository, without . or .. and with single slashes";
    findings.add("path_not_contained", &place.pointer, "is no plain path in the repository", hint);
    None
}

/// Whether a path is another one, or lies below it.
pub(super) fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
