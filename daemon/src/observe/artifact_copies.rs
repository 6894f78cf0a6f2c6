//! `artifact_copies`: whether what was published is still there: in the checkout, or in a commit.
//!
//! What to look at: `{root, files}`, each file with its path and the `sha256` that it was published with. Answer:
//! `{root, files}`, each with `{path, state, sha256, published_sha256}`, and `is_committed` where the checkout has it
//! otherwise or not at all.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::Observer;
use super::artifact_file::{MOST, read};
use super::beneath::open_beneath;
use super::git::git;
use crate::bootstrap::hex;

pub(super) const OBSERVER: Observer = Observer { name: "artifact_copies", look };

/// Versions of files that are read from git in one look, over all files.
const MOST_VERSIONS: usize = 200;

fn look(what: &Value) -> Value {
    let root = what["root"].as_str().unwrap_or_default();
    let mut versions = MOST_VERSIONS;
    let files: Vec<Value> = what["files"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|file| Some((file["path"].as_str()?, file["sha256"].as_str()?)))
        .map(|(path, sha256)| seen(Path::new(root), path, sha256, &mut versions))
        .collect();
    json!({"root": root, "files": files})
}

fn seen(root: &Path, path: &str, published: &str, versions: &mut usize) -> Value {
    let mut seen = match open_beneath(root, path, MOST).and_then(|file| read(file, false)) {
        Ok(read) => json!({"path": path, "state": "present", "sha256": read.sha256}),
        Err(why) => json!({"path": path, "state": why.state(), "problem": why.to_string()}),
    };
    seen["published_sha256"] = json!(published);
    if seen["sha256"] != published {
        seen["is_committed"] = json!(is_committed(root, path, published, versions));
    }
    seen
}

/// Whether a commit that a ref holds has the file with this hash. The newest versions are looked at first; a checkout
/// whose HEAD is on no branch is no ref.
fn is_committed(root: &Path, path: &str, published: &str, versions: &mut usize) -> bool {
    let literal = format!(":(top,literal){path}");
    let list = ["rev-list", "--objects", "--in-commit-order", "--glob=refs/", "--", &literal];
    let Ok(said) = git(root, &list) else { return false };
    let mut known = BTreeSet::new();
    // Commits, and `<object> <path>` of what they have there.
    let listed = String::from_utf8_lossy(&said.out);
    let named = listed.lines().filter_map(|line| line.split_once(' '));
    for (blob, _) in named.filter(|(_, name)| *name == path) {
        if !known.insert(blob) {
            continue;
        }
        if *versions == 0 {
            return false;
        }
        *versions -= 1;
        let body = git(root, &["cat-file", "blob", blob]);
        if body.is_ok_and(|body| body.is_success && hex(&Sha256::digest(&body.out)) == published) {
            return true;
        }
    }
    false
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files that are looked at")]
mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::look;
    use crate::observe::git::tests::{commit, repository, said};

    const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn states(seen: &Value) -> Vec<(Option<&str>, &Value)> {
        let files = seen["files"].as_array().expect("a list").iter();
        files.map(|file| (file["state"].as_str(), &file["is_committed"])).collect()
    }

    #[test]
    fn each_file_is_told_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.md"), "").expect("a file");
        let root = folder.path().display().to_string();
        let file = |path: &str| json!({"path": path, "sha256": OF_NOTHING});
        let seen = look(&json!({"root": root, "files": [file("a.md"), file("b.md"), file("../c.md")]}));
        assert_eq!(seen["root"], root);
        let no = json!(false);
        assert_eq!(
            states(&seen),
            [(Some("present"), &Value::Null), (Some("missing"), &no), (Some("escapes"), &no)]
        );
        assert_eq!(seen["files"][0]["path"], "a.md");
        assert_eq!(seen["files"][0]["sha256"], OF_NOTHING);
        assert_eq!(look(&json!({"root": null}))["files"], json!([]));
    }

    /// B053: what the checkout has no more counts as there while a ref leads to a commit with it.
    #[test]
    fn a_body_is_found_in_a_commit_that_a_ref_holds() {
        let folder = repository();
        let root = folder.path();
        fs::write(root.join("a.md"), "").expect("a file");
        said(root, &["add", "a.md"]);
        commit(root, "other");
        let what = json!({"root": root, "files": [{"path": "a.md", "sha256": OF_NOTHING}]});
        fs::write(root.join("a.md"), "changed").expect("a file");
        assert_eq!(states(&look(&what)), [(Some("present"), &json!(true))]);
        fs::remove_file(root.join("a.md")).expect("it goes");
        assert_eq!(states(&look(&what)), [(Some("missing"), &json!(true))]);
        said(root, &["checkout", "--quiet", "--detach"]);
        said(root, &["branch", "-D", "main"]);
        assert_eq!(states(&look(&what)), [(Some("missing"), &json!(false))], "no ref holds it");
    }
}
