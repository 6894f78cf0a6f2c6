//! `artifact_copies`: what lies by now where artifacts were published.

use std::path::Path;

use serde_json::{Value, json};

use super::Observer;
use super::artifact_file::{MOST, read};
use super::beneath::open_beneath;

pub(super) const OBSERVER: Observer = Observer { name: "artifact_copies", look };

/// Files that are looked at; no job publishes so many.
const MOST_FILES: usize = 1000;

fn look(what: &Value) -> Value {
    let root = what["root"].as_str().unwrap_or_default();
    let paths = what["paths"].as_array().map(Vec::as_slice).unwrap_or_default();
    let files: Vec<Value> = paths
        .iter()
        .filter_map(Value::as_str)
        .take(MOST_FILES)
        .map(|path| seen(Path::new(root), path))
        .collect();
    json!({"root": root, "files": files})
}

fn seen(root: &Path, path: &str) -> Value {
    match open_beneath(root, path, MOST).and_then(|file| read(file, false)) {
        Ok(read) => json!({"path": path, "state": "present", "sha256": read.sha256}),
        Err(why) => json!({"path": path, "state": why.state(), "problem": why.to_string()}),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files that are looked at")]
mod tests {
    use serde_json::json;

    use super::look;

    #[test]
    fn each_file_is_told_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.md"), "").expect("a file");
        let root = folder.path().display().to_string();
        let seen = look(&json!({"root": root, "paths": ["a.md", "b.md", "../c.md"]}));
        assert_eq!(seen["root"], root);
        let states: Vec<_> = (0..3).map(|n| seen["files"][n]["state"].as_str()).collect();
        assert_eq!(states, [Some("present"), Some("missing"), Some("escapes")]);
        assert_eq!(seen["files"][0]["path"], "a.md");
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(seen["files"][0]["sha256"], of_nothing);
        assert_eq!(look(&json!({"root": null}))["files"], json!([]));
    }
}
