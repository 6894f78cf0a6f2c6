//! What a workflow names in its repository and on this host: files, and programs of lanes.

use std::path::Path;

use serde_json::{Value, json};

use super::beneath::{Beneath, folder_beneath, open_beneath};
use crate::lanes::{program, search_path};

/// Parts that are looked at; no workflow that passes its checks names so many.
const MOST: usize = 10_000;

/// Each as `{pointer, kind, what, state}`: a file is as observers say it (a context document may be a folder), a
/// program present or missing. Whether a part is needed is not for here.
pub(super) fn look(root: &Path, source: &str, workflow: &Value) -> Vec<Value> {
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = |pointer, path, may_be_folder| file(root, folder, pointer, path, may_be_folder);
    let mut parts = Vec::new();
    for (pointer, job) in items(workflow, "jobs") {
        parts.push(file(format!("{pointer}/task_prompt/path"), &job["task_prompt"]["path"], false));
    }
    for (pointer, role) in members(workflow, "roles") {
        parts.push(file(format!("{pointer}/definition_path"), &role["definition_path"], false));
    }
    for (pointer, doc) in items(workflow, "context_docs") {
        parts.push(match doc {
            Value::String(_) => file(pointer, doc, true),
            _ => file(format!("{pointer}/path"), &doc["path"], true),
        });
    }
    for (pointer, lane) in members(workflow, "lanes") {
        parts.push(agent(root, format!("{pointer}/command/0"), lane));
    }
    parts.into_iter().flatten().take(MOST).collect()
}

/// A file as a workflow names it: seen from its own folder.
fn file(root: &Path, folder: &str, pointer: String, path: &Value, may_be_folder: bool) -> Option<Value> {
    let path = match (folder, path.as_str()?) {
        ("", path) => path.to_owned(),
        (folder, path) => format!("{folder}/{path}"),
    };
    let found = match open_beneath(root, &path, u64::MAX) {
        Err(Beneath::NoFile) if may_be_folder => folder_beneath(root, &path),
        found => found.map(drop),
    };
    let state = found.map_or_else(|why| why.state(), |()| "present");
    Some(json!({"pointer": pointer, "kind": "file", "what": path, "state": state}))
}

/// The program as the agent's start will look for it.
fn agent(root: &Path, pointer: String, lane: &Value) -> Option<Value> {
    let name = lane["command"][0].as_str()?;
    let state = if program(root, name, &search_path(lane)).is_some() { "present" } else { "missing" };
    Some(json!({"pointer": pointer, "kind": "program", "what": name, "state": state}))
}

fn items<'v>(workflow: &'v Value, key: &'v str) -> impl Iterator<Item = (String, &'v Value)> {
    let list = workflow[key].as_array().into_iter().flatten();
    list.enumerate().map(move |(n, item)| (format!("/{key}/{n}"), item))
}

fn members<'v>(workflow: &'v Value, key: &'v str) -> impl Iterator<Item = (String, &'v Value)> {
    let named = workflow[key].as_object().into_iter().flatten();
    named.map(move |(name, item)| (format!("/{key}/{}", name.replace('~', "~0").replace('/', "~1")), item))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files that are looked at")]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use serde_json::json;

    use super::look;

    #[test]
    fn each_part_is_told_with_its_place_and_how_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir_all(root.join("docs/bin")).expect("a folder");
        for (name, mode) in [("docs/a.md", 0o644), ("docs/bin/agent", 0o755), ("docs/bin/text", 0o644)] {
            fs::write(root.join(name), "").expect("a file");
            fs::set_permissions(root.join(name), fs::Permissions::from_mode(mode)).expect("its mode");
        }
        rustix::fs::symlink("/etc/passwd", root.join("docs/link.md")).expect("a link");
        let bin = root.join("docs/bin").display().to_string();
        let workflow = json!({
            "jobs": [{"task_prompt": {"path": "docs/a.md"}}, {"task_prompt": {"inline": "x"}}, 7,
                     {"task_prompt": {"path": "docs/link.md"}}],
            "roles": {"a/b": {"definition_path": "docs/none.md"}, "c": {"definition_path": "docs"}},
            "context_docs": ["docs/", {"path": "../x"}, {"path": "docs/a.md", "required": false}],
            "lanes": {
                "a": {"command": ["agent"], "path_prefix": [bin]},
                "b": {"command": ["agent"]},
                "c": {"command": ["docs/bin/agent", "x"]},
                "d": {"command": ["docs/bin/text"]},
                "e": {"adapter": "none"},
                "f": {"command": ["sh"]},
            },
        });
        let told: Vec<String> = look(root, "wf.json", &workflow)
            .iter()
            .map(|part| {
                let text = |key: &str| part[key].as_str().expect("text").to_owned();
                format!("{} {} {} {}", text("pointer"), text("kind"), text("what"), text("state"))
            })
            .collect();
        assert_eq!(
            told,
            [
                "/jobs/0/task_prompt/path file docs/a.md present",
                "/jobs/3/task_prompt/path file docs/link.md escapes",
                "/roles/a~1b/definition_path file docs/none.md missing",
                "/roles/c/definition_path file docs no_file",
                "/context_docs/0 file docs/ present",
                "/context_docs/1/path file ../x escapes",
                "/context_docs/2/path file docs/a.md present",
                "/lanes/a/command/0 program agent present",
                "/lanes/b/command/0 program agent missing",
                "/lanes/c/command/0 program docs/bin/agent present",
                "/lanes/d/command/0 program docs/bin/text missing",
                "/lanes/f/command/0 program sh present",
            ]
        );
        let seen =
            look(root, "docs/wf.json", &json!({"context_docs": ["a.md", "../docs/a.md", "docs/a.md"]}));
        let states: Vec<_> =
            seen.iter().map(|part| (part["what"].as_str(), part["state"].as_str())).collect();
        let expected =
            [("docs/a.md", "present"), ("docs/../docs/a.md", "present"), ("docs/docs/a.md", "missing")];
        assert_eq!(states, expected.map(|(what, state)| (Some(what), Some(state))));
        assert!(look(root, "wf.json", &json!(null)).is_empty());
    }
}
