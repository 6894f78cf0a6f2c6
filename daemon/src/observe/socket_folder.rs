//! Who can reach the socket of the database: the folder that it lies in says.
#![expect(clippy::disallowed_methods, reason = "an observer looks at the host")]

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// What is wrong with the folder; nothing where it is closed to everybody but its owner (mode 0700), or lets a group
/// pass through it and do nothing else (0710, as an access list for one user shows itself).
pub fn problem(folder: &Path) -> Option<String> {
    let shown = folder.display();
    let is = match fs::metadata(folder) {
        Ok(is) => is,
        // Nobody can be reached there yet: that is another matter.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => return Some(format!("the socket folder {shown} cannot be looked at: {error}")),
    };
    let mode = is.mode() & 0o777;
    let is_closed = mode & 0o067 == 0 && mode & 0o700 == 0o700;
    (!is_closed)
        .then(|| format!("the socket folder {shown} is open to others (mode {mode:04o}, and 0700 is needed)"))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::problem;

    #[test]
    fn only_a_folder_that_is_closed_or_lets_through_will_do() {
        let folder = tempfile::tempdir().expect("a folder");
        for (mode, will_do) in [
            (0o700, true),
            (0o710, true),
            (0o600, false),
            (0o711, false),
            (0o750, false),
            (0o730, false),
            (0o755, false),
            (0o2775, false),
            (0o777, false),
            (0o1777, false),
        ] {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode)).expect("a mode");
            assert_eq!(problem(folder.path()).is_none(), will_do, "{mode:o}");
        }
        let missing = folder.path().join("missing");
        assert_eq!(problem(&missing), None);
        let file = folder.path().join("file");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).expect("a mode");
        fs::write(&file, "").expect("a file");
        assert!(problem(&file.join("below")).is_some(), "what cannot be looked at will not do");
    }
}
