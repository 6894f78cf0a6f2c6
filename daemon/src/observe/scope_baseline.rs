//! `scope_baseline`: what is changed already where an attempt may write, before it begins.

use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::Observer;
use super::beneath::{Beneath, read_beneath};
use super::git::git;
use crate::bootstrap::hex;

pub(super) const OBSERVER: Observer = Observer { name: "scope_baseline", look };

/// Changed paths that are taken down; where there are more, none is.
const MOST_PATHS: usize = 1000;
/// Octets of a changed file that are hashed.
const MOST_OCTETS: u64 = 64 << 20;

/// `{job_id, attempt, root, allowed_paths}`: the first two, `status` (`captured` or `unavailable`), and
/// `changed_paths`, each `{path, sha256}` (null where there is no such file any more), or `error`.
fn look(what: &Value) -> Value {
    let root = Path::new(what["root"].as_str().unwrap_or_default());
    let allowed: Vec<&str> =
        what["allowed_paths"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut seen = match changed(root, &allowed) {
        Ok(paths) => json!({"status": "captured", "changed_paths": paths}),
        Err(error) => json!({"status": "unavailable", "error": error}),
    };
    seen["job_id"] = what["job_id"].clone();
    seen["attempt"] = what["attempt"].clone();
    seen
}

fn changed(root: &Path, allowed: &[&str]) -> Result<Vec<Value>, String> {
    if !root.is_absolute() {
        return Err("there is nothing to look at".to_owned());
    }
    if allowed.is_empty() {
        return Ok(Vec::new());
    }
    let said = status(root, allowed)?;
    let entries: Vec<&[u8]> = said.split(|octet| *octet == 0).filter(|entry| !entry.is_empty()).collect();
    if entries.len() > MOST_PATHS {
        return Err(format!("more than {MOST_PATHS} paths are changed"));
    }
    entries.into_iter().map(|entry| read(root, entry)).collect()
}

/// One entry: two letters, a blank, the path.
fn read(root: &Path, entry: &[u8]) -> Result<Value, String> {
    let path = entry.get(3..).and_then(|path| std::str::from_utf8(path).ok());
    let path = path.ok_or("a changed path is no UTF-8")?;
    let sha256 = match read_beneath(root, path, MOST_OCTETS) {
        Ok(octets) => Some(hex(&Sha256::digest(octets))),
        // A link, a submodule, a file that is gone: it is changed, and has no content of its own.
        Err(Beneath::Missing | Beneath::Escapes | Beneath::NoFile) => None,
        Err(error) => return Err(format!("{path}: {error}")),
    };
    Ok(json!({"path": path, "sha256": sha256}))
}

fn status(root: &Path, allowed: &[&str]) -> Result<Vec<u8>, String> {
    let mut arguments = vec![
        "--literal-pathspecs",
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=all",
        "--",
    ];
    arguments.extend(allowed);
    let said = git(root, &arguments)?;
    if said.is_success { Ok(said.out) } else { Err(said.complaint) }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files that are looked at")]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::{Value, json};

    use super::{MOST_PATHS, look};

    fn git(root: &Path, arguments: &[&str]) {
        let named = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
        let arguments: Vec<&str> = named.into_iter().chain(arguments.iter().copied()).collect();
        let said = super::git(root, &arguments).expect("git runs");
        assert!(said.is_success, "{arguments:?}: {}", said.complaint);
    }

    fn seen(root: &Path, allowed: &[&str]) -> Value {
        look(&json!({"job_id": "job_1", "attempt": 2, "root": root, "allowed_paths": allowed}))
    }

    #[test]
    fn what_is_changed_within_the_scope_is_taken_down() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir_all(root.join("docs")).expect("a folder");
        for file in ["docs/same", "docs/other", "docs/gone", "code"] {
            fs::write(root.join(file), "before").expect("a file");
        }
        git(root, &["init", "-q"]);
        git(root, &["add", "."]);
        git(root, &["commit", "-qm", "x"]);
        assert_eq!(
            seen(root, &["docs/"]),
            json!({"job_id": "job_1", "attempt": 2, "status": "captured", "changed_paths": []})
        );
        fs::write(root.join("docs/other"), "after").expect("a file");
        fs::write(root.join("docs/new\nline"), "").expect("a file");
        fs::write(root.join("code"), "after").expect("a file");
        fs::remove_file(root.join("docs/gone")).expect("a file less");
        let changed = seen(root, &["docs/"])["changed_paths"].clone();
        let paths: Vec<&str> =
            changed.as_array().expect("a list").iter().filter_map(|one| one["path"].as_str()).collect();
        assert_eq!(paths, ["docs/gone", "docs/other", "docs/new\nline"]);
        assert_eq!(changed[0]["sha256"], Value::Null);
        assert_eq!(changed[1]["sha256"].as_str().map(str::len), Some(64));
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(changed[2]["sha256"], empty);
        assert_eq!(seen(root, &[])["changed_paths"], json!([]));
    }

    #[test]
    fn what_cannot_be_told_is_unavailable() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(seen(folder.path(), &["docs/"])["status"], "unavailable");
        assert_eq!(look(&json!({}))["status"], "unavailable");
        git(folder.path(), &["init", "-q"]);
        for n in 0..=MOST_PATHS {
            fs::write(folder.path().join(n.to_string()), "").expect("a file");
        }
        assert_eq!(seen(folder.path(), &["."])["status"], "unavailable");
    }
}
