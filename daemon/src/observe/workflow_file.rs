//! `workflow_file`: a workflow file of a repository, read and checked.
//!
//! What to look at: `{root, path}`, the path below the root or absolute. Answer: `{state, path, sha256, workflow,
//! problems, advice}`, where problems are findings that forbid a run, and advice those that somebody may accept;
//! without a file that could be read `{state, path, problem}`.
#![expect(clippy::disallowed_methods, reason = "an observer looks at the host")]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use striatum_contract::workflow::{self, Around, Entry, Finding, MOST_OCTETS, Program, Severity, Tree};

use super::Observer;
use super::beneath::{Beneath, read_beneath, stat_beneath};
use crate::bootstrap::hex;
use crate::lanes::{program, search_path};

pub(super) const OBSERVER: Observer = Observer { name: "workflow_file", look };

fn look(what: &Value) -> Value {
    let (root, asked) =
        (what["root"].as_str().unwrap_or_default(), what["path"].as_str().unwrap_or_default());
    let root = Path::new(root);
    let Some(path) = below(root, asked) else {
        return json!({"state": Beneath::Escapes.state(), "path": asked, "problem": Beneath::Escapes.to_string()});
    };
    let octets = match read_beneath(root, &path, MOST_OCTETS) {
        Ok(octets) => octets,
        Err(why) => return json!({"state": why.state(), "path": path, "problem": why.to_string()}),
    };
    let sha256 = hex(&Sha256::digest(&octets));
    let look = |path: &str| entry(root, path);
    // As the agent's start will look for it.
    let program = |name: &str, own: &[&str]| match program(root, name, &search_path(own.iter().copied())) {
        Ok(_) => Program::Runs,
        Err(Some(inert)) => {
            Program::Inert(inert.strip_prefix(root).unwrap_or(&inert).to_string_lossy().into_owned())
        }
        Err(None) => Program::Missing,
    };
    let tree = Tree { path: &path, look: &look, program: Some(&program) };
    let around = Around { tree: Some(tree), is_strict: false };
    let read = workflow::read(&octets, &around);
    let (advice, problems): (Vec<&Finding>, Vec<&Finding>) =
        read.problems(false).partition(|finding| finding.severity == Severity::Refusal);
    json!({
        "state": "present",
        "path": path,
        "sha256": sha256,
        "workflow": read.workflow,
        "problems": problems,
        "advice": advice,
    })
}

/// What stands at a path of the repository.
fn entry(root: &Path, path: &str) -> Entry {
    match stat_beneath(root, path) {
        Ok(is) if is.is_file() => Entry::File,
        Ok(is) if is.is_dir() => Entry::Folder,
        Ok(_) => Entry::Unknown,
        Err(Beneath::Missing) => Entry::Missing,
        Err(Beneath::Escapes) => Entry::Escapes,
        Err(_) => Entry::Unknown,
    }
}

/// The path from the root on, without `.` and double slashes. Of an absolute path only the folder is resolved: the way
/// to the repository may lead through links, the way in it may not.
fn below(root: &Path, asked: &str) -> Option<String> {
    let asked = Path::new(asked);
    let path = if asked.is_absolute() {
        match asked.strip_prefix(root) {
            Ok(path) => path.to_path_buf(),
            Err(_) => {
                let folder = fs::canonicalize(asked.parent()?).ok()?;
                folder.join(asked.file_name()?).strip_prefix(root).ok()?.to_path_buf()
            }
        }
    } else {
        asked.to_path_buf()
    };
    let plain: std::path::PathBuf =
        path.components().filter(|part| *part != std::path::Component::CurDir).collect();
    plain.into_os_string().into_string().ok().filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use serde_json::{Value, json};

    use super::look;

    /// What a run needs is looked for where it will be: prompts, roles and required context as regular files, programs
    /// as the agent's start looks for them.
    #[test]
    fn what_a_workflow_names_has_to_be_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir_all(root.join("docs/bin")).expect("a folder");
        for (name, mode) in [("docs/a.md", 0o644), ("docs/bin/agent", 0o755), ("docs/bin/text", 0o644)] {
            fs::write(root.join(name), "").expect("a file");
            fs::set_permissions(root.join(name), fs::Permissions::from_mode(mode)).expect("its mode");
        }
        rustix::fs::symlink("/etc/passwd", root.join("docs/link.md")).expect("a link");
        let bin = root.join("docs/bin").display().to_string();
        let lane = |command: &str| json!({"adapter": "process", "command": [command]});
        let mut workflow = json!({
            "schema_version": "striatum.workflow.v1", "workflow_id": "wf", "workflow_version": "1", "name": "wf",
            "branch": {"mode": "auto", "suggested_name": "striatum/wf"},
            "coordinator": {"role_id": "a", "lane_id": "a"},
            "roles": {"a": {}, "none": {"definition_path": "none.md"}, "folder": {"definition_path": "bin"}},
            "context_docs": ["bin/", "link.md", {"path": "none.md", "required": false}],
            "lanes": {"a": lane("agent"), "b": lane("agent"), "c": lane("docs/bin/agent"),
                      "d": lane("docs/bin/text"), "e": {"adapter": "manual"}, "f": lane("sh"),
                      "unused": lane("none")},
            "jobs": [], "edges": [],
        });
        workflow["lanes"]["a"]["path_prefix"] = json!([bin]);
        let jobs = ["a", "b", "c", "d", "e", "f"].map(|lane| {
            json!({"id": lane, "type": "generic", "role_id": "a", "lane_id": lane,
                   "task_prompt": {"path": "a.md"}, "write_scope": {"repo_write": false}})
        });
        workflow["jobs"] = json!(jobs);
        fs::write(root.join("docs/wf.json"), workflow.to_string()).expect("a file");
        let seen = look(&json!({"root": root, "path": "docs/wf.json"}));
        let mut said: Vec<String> = seen["problems"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|found| format!("{} {}", found["code"], found["pointer"]).replace('"', ""))
            .filter(|said| said.starts_with("document") || said.starts_with("program"))
            .collect();
        said.sort_unstable();
        assert_eq!(
            said,
            [
                "document_missing /roles/folder/definition_path",
                "document_missing /roles/none/definition_path",
                "document_outside /context_docs/1",
                "program_missing /lanes/b/command/0",
                "program_missing /lanes/d/command/0",
            ],
            "{seen}"
        );
        let problems = seen["problems"].as_array().expect("a list");
        let inert = problems.iter().find(|found| found["pointer"] == "/lanes/d/command/0").expect("one");
        assert_eq!(inert["message"], "is docs/bin/text, and docs/bin/text is there, but not executable");
        assert_eq!(inert["hint"], "chmod +x docs/bin/text");
    }

    #[test]
    fn a_file_is_told_as_it_is_and_one_elsewhere_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = fs::canonicalize(folder.path()).expect("its real path");
        let root = folder.join("root");
        fs::create_dir_all(root.join("flow")).expect("a folder");
        fs::write(root.join("flow/wf.json"), "{}").expect("a file");
        fs::write(root.join("flow/latin"), b"\xe4").expect("a file");
        fs::write(folder.join("outside.json"), "{}").expect("a file");
        for (link, to) in [("root/link.json", "flow/wf.json"), ("way", "root")] {
            rustix::fs::symlink(to, folder.join(link)).expect("a link");
        }
        let seen = |path: &str| look(&json!({"root": root, "path": path}));
        let file = seen("./flow//wf.json");
        assert_eq!(file["state"], "present");
        assert_eq!(file["path"], "flow/wf.json");
        assert_eq!(file["sha256"], "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        assert_eq!(file["workflow"], json!({}));
        assert_eq!(file["problems"][0]["code"], "key_missing");
        assert_eq!(seen("flow/latin")["problems"][0]["code"], "file_not_utf8");
        for absolute in [root.join("flow/wf.json"), folder.join("way/flow/wf.json")] {
            assert_eq!(seen(absolute.to_str().expect("UTF-8")), file);
        }
        for (path, state) in [
            ("flow/none.json", "missing"),
            ("flow", "no_file"),
            ("link.json", "escapes"),
            ("../outside.json", "escapes"),
            ("/etc/passwd", "escapes"),
            ("", "escapes"),
        ] {
            let seen = seen(path);
            assert_eq!((&seen["state"], &seen["workflow"]), (&json!(state), &Value::Null), "{path}");
        }
    }
}
