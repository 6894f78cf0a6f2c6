//! `git_head`: where the checkout of a repository stands.
//!
//! What to look at: `{root}`. Answer: `{state, branch, commit, is_dirty}`: state is present, unborn (no commit yet) or
//! unknown (with `problem`); branch null where none is checked out; is_dirty also for files that git does not know.

use std::path::Path;

use serde_json::{Value, json};

use super::Observer;
use super::git::git;

pub(super) const OBSERVER: Observer = Observer { name: "git_head", look };

const STATUS: &[&str] =
    &["status", "--porcelain=v2", "--branch", "-z", "--ignore-submodules=dirty", "--no-renames"];

fn look(what: &Value) -> Value {
    let root = Path::new(what["root"].as_str().unwrap_or_default());
    match git(root, STATUS) {
        Ok(said) if said.is_success => told(&said.out),
        Ok(said) => json!({"state": "unknown", "problem": said.complaint}),
        Err(problem) => json!({"state": "unknown", "problem": problem}),
    }
}

/// What the status says: headers `# branch.oid` and `# branch.head`, and an entry for each change.
fn told(status: &[u8]) -> Value {
    let status = String::from_utf8_lossy(status);
    let entries = || status.split('\0').filter(|entry| !entry.is_empty());
    let header = |name: &str| entries().find_map(|entry| entry.strip_prefix(name));
    let branch = header("# branch.head ").filter(|branch| *branch != "(detached)");
    let is_dirty = entries().any(|entry| !entry.starts_with("# "));
    match header("# branch.oid ") {
        Some("(initial)") => {
            json!({"state": "unborn", "branch": branch, "commit": null, "is_dirty": is_dirty})
        }
        Some(commit) => json!({"state": "present", "branch": branch, "commit": commit, "is_dirty": is_dirty}),
        None => json!({"state": "unknown", "problem": "git did not say on which commit it stands"}),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the repository that is looked at")]
mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::look;
    use crate::observe::git::tests::{commit, repository};

    #[test]
    fn a_head_is_unborn_then_clean_then_dirty_then_detached() {
        let folder = repository();
        let root = folder.path();
        let seen = || look(&json!({"root": root}));
        assert_eq!(seen(), json!({"state": "unborn", "branch": "main", "commit": null, "is_dirty": false}));
        let first = commit(root, "file");
        assert_eq!(seen(), json!({"state": "present", "branch": "main", "commit": first, "is_dirty": false}));
        fs::write(root.join("other"), "new").expect("a file");
        assert_eq!(seen()["is_dirty"], true);
        fs::write(root.join(".git/HEAD"), format!("{first}\n")).expect("a head");
        let detached = seen();
        assert_eq!((&detached["branch"], &detached["commit"]), (&Value::Null, &json!(first)));
    }

    #[test]
    fn nothing_of_the_repository_is_run_and_where_none_is_that_is_said() {
        let folder = repository();
        let root = folder.path();
        commit(root, "file");
        let (ran, script) = (root.join(".git/ran"), root.join(".git/script"));
        fs::write(&script, format!("#!/bin/sh\ntouch {}\n", ran.display())).expect("a script");
        fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("its mode");
        let config = root.join(".git/config");
        let before = fs::read_to_string(&config).expect("a configuration");
        fs::write(&config, format!("{before}[core]\n\tfsmonitor = {}\n", script.display()))
            .expect("a setting");
        assert_eq!(look(&json!({"root": root}))["state"], "present");
        assert!(!fs::exists(&ran).expect("a look"), "the monitor ran");
        let empty = tempfile::tempdir().expect("a folder");
        assert_eq!(look(&json!({"root": empty.path()}))["state"], "unknown");
        assert_eq!(look(&json!({"root": "/nowhere"}))["state"], "unknown");
    }
}
