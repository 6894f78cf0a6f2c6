use serde_json::{Value, json};

use super::read;

/// A workflow against which nothing can be said.
fn good() -> Value {
    json!({
        "schema_version": "striatum.workflow.v1", "workflow_id": "wf", "workflow_version": "1", "name": "a workflow",
        "branch": {"mode": "auto", "suggested_name": "striatum/wf"},
        "coordinator": {"role_id": "author", "lane_id": "author"},
        "lanes": {
            "author": {"adapter": "process", "command": ["agent"], "allow_shared_checkout_repo_write": true,
                       "shared_checkout_repo_write_rationale": "one writer at a time"},
            "reviewer": {"adapter": "process", "command": ["agent", "--review"]},
        },
        "roles": {"author": {}, "reviewer": {"definition_path": "roles/reviewer.md"}},
        "context_docs": ["README.md", {"path": "docs/", "required": true}],
        "parallelism": {"mode": "declared"},
        "jobs": [
            {"id": "draft", "type": "draft", "title": "Draft", "role_id": "author", "lane_id": "author",
             "task_prompt": {"path": "prompts/draft.md"},
             "write_scope": {"mode": "repo_write", "repo_write": true, "allowed_paths": ["docs/"],
                             "forbidden_paths": [".striatum/"]},
             "expected_artifacts": [{"logical_name": "draft", "kind": "handoff", "path": "docs/draft.md"}]},
            {"id": "review", "type": "review", "role_id": "reviewer", "lane_id": "reviewer", "needs": ["draft"],
             "write_scope": {"repo_write": false},
             "expected_artifacts": [{"logical_name": "review", "kind": "finding", "path": "docs/review.md"}]},
            {"id": "apply", "role_id": "author", "lane_id": "author", "write_scope": {"repo_write": true}},
        ],
        "edges": [{"from": "draft", "to": "review", "on": "completed"}, {"from": "review", "to": "apply"}],
        "cycles": [{"from": "review", "to": "draft", "on_verdict": "needs_revision", "max_iterations": 2}],
    })
}

/// The findings as `<code> <pointer>`.
fn said(text: &[u8]) -> Vec<String> {
    read(text)
        .problems
        .iter()
        .map(|found| format!("{} {}", found.code, found.pointer).trim_end().to_owned())
        .collect()
}

/// With what stands at a pointer replaced; a null takes the key out.
fn with(pointer: &str, value: Value) -> Value {
    let mut workflow = good();
    let (around, key) = pointer.rsplit_once('/').expect("a pointer");
    match workflow.pointer_mut(around).expect("what is around") {
        Value::Object(object) if value.is_null() => drop(object.remove(key)),
        Value::Object(object) => drop(object.insert(key.to_owned(), value)),
        Value::Array(list) => match key.parse::<usize>() {
            Ok(at) if at < list.len() => list[at] = value,
            _ => list.push(value),
        },
        _ => panic!("nothing can be put at {pointer}"),
    }
    workflow
}

#[track_caller]
fn finds(pointer: &str, value: Value, expected: &[&str]) {
    let shown = format!("{pointer}: {value}");
    assert_eq!(said(with(pointer, value).to_string().as_bytes()), expected, "{shown}");
}

#[test]
fn nothing_is_said_against_a_good_workflow_and_it_is_kept_as_it_stands() {
    assert_eq!(said(good().to_string().as_bytes()), [""; 0]);
    assert_eq!(read(good().to_string().as_bytes()).workflow, good());
}

/// STR-WORKFLOW-01: a workflow file is one JSON object.
#[test]
fn what_is_no_json_is_not_read() {
    let text = good().to_string();
    for malformed in ["", "name: a workflow", "{", &format!("\u{feff}{text}"), &format!("{text}{text}")] {
        let said = said(malformed.as_bytes());
        assert!(said.len() == 1 && said[0].starts_with("json_malformed"), "{malformed}: {said:?}");
    }
    assert_eq!(said(br#"{"a": {"b": 1, "b": 2}}"#), ["json_unsafe /a/b"]);
    assert_eq!(said(b"[]"), ["type_wrong"]);
    assert_eq!(said(format!("{text}\n").as_bytes()), [""; 0]);
}

/// STR-WORKFLOW-02: each required key is asked for.
/// STR-WORKFLOW-03: both versions are known, and no other.
#[test]
fn the_outline_is_complete() {
    let missing = said(b"{}");
    assert_eq!(missing.len(), 13, "{missing:?}");
    assert!(missing.iter().all(|said| said == "key_missing"), "{missing:?}");
    finds("/schema_version", json!("striatum.workflow.v1.1"), &[]);
    finds("/schema_version", json!("striatum.workflow.v2"), &["value_unknown /schema_version"]);
    finds("/workflow_id", json!("a b"), &["id_malformed /workflow_id"]);
    finds("/workflow_id", json!(1), &["type_wrong /workflow_id"]);
    finds("/name", json!("two\nlines"), &["line_malformed /name"]);
    finds("/name", json!("n".repeat(200)), &[]);
    finds("/name", json!("n".repeat(201)), &["line_malformed /name"]);
    finds("/provenance_mode", json!("advisory"), &[]);
    finds("/provenance_mode", json!("sealed_patch"), &["provenance_mode_unsupported /provenance_mode"]);
    finds("/context_docs/0", json!("../README.md"), &["path_not_contained /context_docs/0"]);
    finds("/context_docs/1/path", json!("/etc"), &["path_not_contained /context_docs/1/path"]);
}

#[test]
fn a_key_that_was_mistyped_is_no_key_of_somebody_elses() {
    finds("/edgse", json!([]), &["key_misspelled /edgse"]);
    finds("/jobs/1/fresh_session_requierd", json!(true), &["key_misspelled /jobs/1/fresh_session_requierd"]);
    finds("/lanes/author/comand", json!([]), &["key_misspelled /lanes/author/comand"]);
    finds(
        "/jobs/0/write_scope/forbiden_paths",
        json!([]),
        &["key_misspelled /jobs/0/write_scope/forbiden_paths"],
    );
    finds("/jobs/1/note_of_the_author", json!("x"), &[]);
}

/// B024: what would stop recovery later is refused before anything runs.
#[test]
fn a_budget_of_requeues_is_a_count() {
    finds("/recovery_policy", json!({"max_requeues": 0, "max_total_requeues_per_job": 1000}), &[]);
    finds("/recovery_policy", json!({"max_requeues": "30s"}), &["type_wrong /recovery_policy/max_requeues"]);
    for requeues in [-1, 1001] {
        let found = ["requeues_out_of_bounds /recovery_policy/max_requeues"];
        finds("/recovery_policy", json!({"max_requeues": requeues}), &found);
    }
    finds("/recovery_policy", json!([]), &["type_wrong /recovery_policy"]);
}

/// STR-WORKFLOW-27: auto is the mode where none is named, and needs a name.
#[test]
fn a_branch_has_a_mode_and_for_auto_a_name() {
    finds("/branch", json!({}), &["branch_name_missing /branch"]);
    finds("/branch", json!({"suggested_name": "x"}), &[]);
    finds("/branch", json!({"mode": "confirm"}), &[]);
    finds("/branch/mode", json!("never"), &["value_unknown /branch/mode"]);
    finds("/branch/allow_dirty", json!("no"), &["type_wrong /branch/allow_dirty"]);
}

/// STR-WORKFLOW-07: what names a role or a lane names one that there is.
#[test]
fn roles_and_lanes_are_there() {
    finds("/jobs/0/role_id", json!("nobody"), &["role_unknown /jobs/0/role_id"]);
    finds("/jobs/1/lane_id", json!("nowhere"), &["lane_unknown /jobs/1/lane_id"]);
    finds("/jobs/1/lane_id", Value::Null, &[]);
    finds("/jobs/1/role_id", Value::Null, &["key_missing /jobs/1"]);
    finds("/coordinator/role_id", json!("nobody"), &["role_unknown /coordinator/role_id"]);
    finds("/coordinator/lane_id", json!("nowhere"), &["lane_unknown /coordinator/lane_id"]);
    finds("/roles/a b", json!({}), &["id_malformed /roles/a b"]);
    finds("/lanes/a b", json!({"adapter": "none"}), &["id_malformed /lanes/a b"]);
}

/// STR-WORKFLOW-25: isolation is off or per_job.
/// STR-WORKFLOW-26: who writes to the shared checkout says that and why.
#[test]
fn a_lane_can_be_started_and_says_how_it_writes() {
    finds("/lanes/reviewer/command", Value::Null, &["command_missing /lanes/reviewer"]);
    finds("/lanes/reviewer/command", json!([]), &["command_missing /lanes/reviewer"]);
    finds("/lanes/reviewer/command", json!([""]), &["command_missing /lanes/reviewer"]);
    finds("/lanes/reviewer/command/1", json!(7), &["type_wrong /lanes/reviewer/command/1"]);
    finds("/lanes/reviewer", json!({"adapter": "manual"}), &[]);
    let isolation = "/lanes/author/worktree_isolation";
    finds(isolation, json!("off"), &[]);
    finds(isolation, json!("always"), &["value_unknown /lanes/author/worktree_isolation"]);
    finds(isolation, json!("per_job"), &["worktree_isolation_unsupported /lanes/author/worktree_isolation"]);
    let unjustified = &["checkout_sharing_unjustified /lanes/author"];
    finds("/lanes/author/allow_shared_checkout_repo_write", json!(false), unjustified);
    finds("/lanes/author/allow_shared_checkout_repo_write", Value::Null, unjustified);
    finds("/lanes/author/shared_checkout_repo_write_rationale", Value::Null, unjustified);
    finds("/lanes/author/shared_checkout_repo_write_rationale", json!(" "), unjustified);
    finds("/jobs/1/write_scope/repo_write", json!(true), &["checkout_sharing_unjustified /lanes/reviewer"]);
    finds("/jobs/0/lane_id", Value::Null, &["checkout_sharing_unjustified /lanes/reviewer"]);
}

/// STR-WORKFLOW-06: job ids are unique.
/// STR-REVIEW-02: a reviewer's context is fresh, or that of the rounds before.
#[test]
fn jobs_are_told_apart_and_whole() {
    finds(
        "/jobs/1/id",
        json!("draft"),
        &[
            "job_repeated /jobs/1/id",
            "job_unknown /edges/0/to",
            "job_unknown /edges/1/from",
            "job_unknown /cycles/0/from",
        ],
    );
    finds("/jobs/2/id", json!("a b"), &["id_malformed /jobs/2/id", "job_unknown /edges/1/to"]);
    finds("/jobs/2/write_scope", Value::Null, &["key_missing /jobs/2"]);
    finds("/jobs/2/write_scope/repo_write", json!("yes"), &["type_wrong /jobs/2/write_scope/repo_write"]);
    finds("/jobs/1/fresh_session_required", json!(1), &["type_wrong /jobs/1/fresh_session_required"]);
    finds("/jobs/1/reviewer_context_policy", json!("fresh"), &[]);
    finds(
        "/jobs/1/reviewer_context_policy",
        json!("fresch"),
        &["value_unknown /jobs/1/reviewer_context_policy"],
    );
    finds("/jobs/1/needs", json!([]), &["needs_differ /jobs/1/needs"]);
    finds("/jobs/0/task_prompt/path", json!("a/../b"), &["path_not_contained /jobs/0/task_prompt/path"]);
}

/// STR-WORKFLOW-09: every path of an artifact lies in the repository.
#[test]
fn artifacts_lie_where_their_job_may_write_and_each_elsewhere() {
    let path = "/jobs/0/expected_artifacts/0/path";
    for bad in ["/docs/x", "docs/../x", "docs//x", "", ".", "docs/./x", "docs/x\n"] {
        finds(path, json!(bad), &["path_not_contained /jobs/0/expected_artifacts/0/path"]);
    }
    finds(path, json!("docs/..x"), &[]);
    finds(path, json!("docsx/a.md"), &["path_not_allowed /jobs/0/expected_artifacts/0/path"]);
    finds(path, json!("docs/review.md"), &["path_repeated /jobs/1/expected_artifacts/0/path"]);
    finds(
        "/jobs/1/expected_artifacts/0/path",
        json!(".git/x"),
        &["path_forbidden /jobs/1/expected_artifacts/0/path"],
    );
    finds(
        "/jobs/0/write_scope/forbidden_paths/0",
        json!("docs/draft.md"),
        &["path_forbidden /jobs/0/expected_artifacts/0/path"],
    );
    finds(
        "/jobs/0/write_scope/allowed_paths/1",
        json!(".striatum/x"),
        &["path_forbidden /jobs/0/write_scope/allowed_paths/1"],
    );
    finds(
        "/jobs/1/expected_artifacts/1",
        json!({"logical_name": "review", "kind": "finding", "path": "docs/other.md"}),
        &["name_repeated /jobs/1/expected_artifacts/1/logical_name"],
    );
}

/// STR-WORKFLOW-22, STR-STORE-19: an artifact is of a kind that there is.
#[test]
fn an_artifact_is_of_a_known_kind() {
    let kind = "/jobs/0/expected_artifacts/0/kind";
    for known in ["other", "collaboration_ledger", "receipt"] {
        finds(kind, json!(known), &[]);
    }
    for unknown in ["Finding", "findings", "transcript", "x"] {
        finds(kind, json!(unknown), &["kind_unknown /jobs/0/expected_artifacts/0/kind"]);
    }
    let near = read(with(kind, json!("findin")).to_string().as_bytes());
    assert!(near.problems[0].hint.starts_with("perhaps finding was meant"), "{}", near.problems[0].hint);
}

/// STR-WORKFLOW-08: edges have both ends, and cycles a bound.
#[test]
fn edges_lead_on_and_cycles_back() {
    finds("/edges/1/to", json!("nobody"), &["job_unknown /edges/1/to"]);
    finds("/edges/0/on", json!("failed"), &["value_unknown /edges/0/on"]);
    finds("/edges/2", json!({"from": "draft", "to": "draft"}), &["edge_to_itself /edges/2"]);
    finds("/edges/2", json!({"from": "review", "to": "apply"}), &["edge_repeated /edges/2"]);
    finds("/edges/2", json!({"from": "draft", "to": "apply"}), &[]);
    finds(
        "/edges/2",
        json!({"from": "apply", "to": "review"}),
        &["edges_cyclic /edges", "needs_differ /jobs/1/needs"],
    );
    finds("/cycles/0/to", json!("nobody"), &["job_unknown /cycles/0/to"]);
    finds("/cycles/0/to", json!("apply"), &["cycle_not_upstream /cycles/0"]);
    finds("/cycles/0/to", json!("review"), &["cycle_not_upstream /cycles/0"]);
    finds("/cycles/0/from", json!("apply"), &["cycle_not_verdict /cycles/0"]);
    finds("/cycles/1", good()["cycles"][0].clone(), &["cycle_repeated /cycles/1"]);
    for (most, is_bound) in [(0, false), (1, true), (1000, true), (1001, false)] {
        let unbounded: &[&str] = if is_bound { &[] } else { &["cycle_unbounded /cycles/0/max_iterations"] };
        finds("/cycles/0/max_iterations", json!(most), unbounded);
    }
    finds("/cycles/0/max_iterations", Value::Null, &["cycle_unbounded /cycles/0"]);
    finds("/cycles/0/on_verdict", json!("reject"), &["value_unknown /cycles/0/on_verdict"]);
}

#[test]
fn there_is_a_bound_to_everything_and_all_is_said_at_once() {
    let job = |at: usize| json!({"id": format!("j{at}"), "role_id": "author", "write_scope": {"repo_write": false}});
    let of = |count: usize| {
        let mut workflow = good();
        workflow["jobs"] = (0..count).map(job).collect();
        (workflow["edges"], workflow["cycles"]) = (json!([]), json!([]));
        said(workflow.to_string().as_bytes())
    };
    assert_eq!(of(2000), [""; 0]);
    assert_eq!(of(2001), ["limit_exceeded /jobs"]);
    assert_eq!(of(0), ["jobs_missing /jobs"]);
    let mut workflow = with("/name", json!(""));
    workflow["jobs"][0]["role_id"] = json!("nobody");
    workflow["edges"][1]["to"] = json!("nobody");
    let said = said(workflow.to_string().as_bytes());
    assert_eq!(said, ["line_malformed /name", "role_unknown /jobs/0/role_id", "job_unknown /edges/1/to"]);
    let mut workflow = good();
    workflow["edges"] = (0..200).map(|_| json!({"from": "x", "to": "draft"})).collect();
    let problems = read(workflow.to_string().as_bytes()).problems;
    assert_eq!(problems.len(), 101);
    assert_eq!(problems[100].code, "problems_cut");
}
