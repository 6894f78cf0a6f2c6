//! Tests of the checker.

mod codes;
mod edits;
mod hostile;
mod whole;
mod words;

use serde_json::{Value, json};

use super::{Around, Entry, Program, Read, Tree, read};

/// A workflow against which nothing can be said.
fn good() -> Value {
    json!({
        "schema_version": "striatum.workflow.v1", "workflow_id": "wf", "workflow_version": "1", "name": "a workflow",
        "branch": {"mode": "auto", "suggested_name": "striatum/wf"},
        "coordinator": {"role_id": "author", "lane_id": "desk"},
        "lanes": {
            "desk": {"adapter": "manual", "model": "a person"},
            "author": {"adapter": "process", "command": ["claude"], "worktree_isolation": "off",
                       "capabilities": ["write", "interrogate"]},
            "reviewer": {"adapter": "process", "command": ["codex"], "capabilities": ["review", "interrogate"]},
        },
        "roles": {"author": {}, "reviewer": {"definition_path": "roles/reviewer.md"}},
        "context_docs": ["README.md", {"path": "docs/", "required": true}],
        "parallelism": {"mode": "declared"},
        "jobs": [
            {"id": "draft", "type": "draft", "title": "Draft", "role_id": "author", "lane_id": "author",
             "task_prompt": {"path": "prompts/draft.md"},
             "write_scope": {"mode": "review_only_artifact", "repo_write": false, "allowed_paths": ["docs/"],
                             "forbidden_paths": [".striatum/"]},
             "expected_artifacts": [{"logical_name": "draft", "kind": "handoff", "path": "docs/draft.md"}]},
            {"id": "review", "type": "review", "role_id": "reviewer", "lane_id": "reviewer", "needs": ["draft"],
             "objective": "judge", "fresh_session_required": true,
             "write_scope": {"repo_write": false, "allowed_paths": ["reviews/"]},
             "expected_artifacts": [{"logical_name": "review", "kind": "finding", "path": "reviews/review.md"}]},
            {"id": "apply", "type": "build", "role_id": "author", "lane_id": "author", "objective": "apply",
             "write_scope": {"repo_write": false}},
        ],
        "edges": [{"from": "draft", "to": "review", "on": "completed"}, {"from": "review", "to": "apply"}],
        "cycles": [{"from": "review", "to": "draft", "on_verdict": "needs_revision", "max_iterations": 2}],
    })
}

/// The same in three phases.
fn phased() -> Value {
    let job = |id: &str, kind: &str, phase: &str| {
        json!({"id": id, "type": kind, "role_id": "author", "phase_id": phase, "objective": "x",
               "write_scope": {"repo_write": false}})
    };
    let mut workflow = good();
    workflow["schema_version"] = json!("striatum.workflow.v1.1");
    workflow["phases"] = json!([
        {"id": "one", "synthesis_job_id": "one-end"},
        {"id": "two", "synthesis_job_id": "two-end"},
        {"id": "three", "synthesis_job_id": "three-end"},
    ]);
    let mut jobs = Vec::new();
    let mut edges = Vec::new();
    for (at, phase) in ["one", "two", "three"].into_iter().enumerate() {
        let (work, end) = (format!("{phase}-work"), format!("{phase}-end"));
        jobs.extend([job(&work, "draft", phase), job(&end, "phase_synthesis", phase)]);
        edges.push(json!({"from": work, "to": end}));
        if at > 0 {
            edges.push(json!({"from": format!("{}-end", ["one", "two"][at - 1]), "to": work}));
        }
    }
    (workflow["jobs"], workflow["edges"]) = (json!(jobs), json!(edges));
    workflow["cycles"] = json!([{"from": "one-end", "to": "one-work", "max_iterations": 1},
                                {"from": "two-end", "to": "two-work", "max_iterations": 1},
                                {"from": "three-end", "to": "three-work", "max_iterations": 1}]);
    workflow
}

/// With what stands at a pointer replaced; a null takes the key out. At the end of a list it is added.
fn with(mut workflow: Value, pointer: &str, value: Value) -> Value {
    let (around, key) = pointer.rsplit_once('/').expect("a pointer");
    match workflow.pointer_mut(around) {
        Some(Value::Object(object)) if value.is_null() => drop(object.remove(key)),
        Some(Value::Object(object)) => drop(object.insert(key.replace("~1", "/"), value)),
        Some(Value::Array(list)) => match key.parse::<usize>() {
            Ok(at) if at < list.len() => list[at] = value,
            _ => list.push(value),
        },
        _ => panic!("nothing can be put at {pointer}"),
    }
    workflow
}

/// A repository in which everything is there but what these names say.
fn entry(path: &str) -> Entry {
    match path {
        path if path.contains("none") => Entry::Missing,
        path if path.contains("link") => Entry::Escapes,
        path if path.contains("top/") && path.starts_with("flow/") => Entry::Missing,
        path if path.contains("folder") || path.ends_with('/') => Entry::Folder,
        path if path.contains("pipe") => Entry::Unknown,
        path if path.contains("inert") => Entry::Inert,
        _ => Entry::File,
    }
}

fn checked(octets: &[u8]) -> Read {
    let program = |name: &str, folders: &[&str]| match !name.contains("none") || folders.contains(&"/none") {
        true => Program::Runs,
        false => Program::Missing,
    };
    let tree = Tree { path: "flow/wf.json", look: &entry, program: Some(&program) };
    read(octets, &Around { tree: Some(tree), is_strict: false })
}

/// The findings as `<code> <pointer>`.
fn said(octets: &[u8]) -> Vec<String> {
    let found = checked(octets).findings;
    found.iter().map(|found| format!("{} {}", found.code, found.pointer).trim_end().to_owned()).collect()
}

/// The kinds of artifacts, as their contracts name them: the schema has the same list.
fn artifact_kinds() -> Vec<&'static str> {
    crate::artifact::KINDS.iter().map(|kind| kind.kind.as_str()).collect()
}
