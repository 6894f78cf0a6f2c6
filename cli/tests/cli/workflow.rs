//! `striatum workflow validate` and `striatum workflow schema`, over files as people have them.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::{stderr, stdout};

fn in_folder(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_striatum"))
        .args(["workflow"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the built program starts")
}

fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workflows")
}

/// A repository with a workflow in it, and a stub for every document that it names.
fn repository(workflow: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join(".git")).expect("a folder");
    let mut documents: Vec<&str> = Vec::new();
    let listed = |key: &str| workflow[key].as_array().map_or(&[][..], Vec::as_slice);
    documents.extend(listed("context_docs").iter().filter_map(|doc| doc.as_str().or(doc["path"].as_str())));
    documents.extend(listed("jobs").iter().filter_map(|job| job["task_prompt"]["path"].as_str()));
    let roles = workflow["roles"].as_object().into_iter().flat_map(|roles| roles.values());
    documents.extend(roles.filter_map(|role| role["definition_path"].as_str()));
    for document in documents {
        let path = folder.path().join(document);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        if document.ends_with('/') {
            fs::create_dir_all(path).expect("a folder");
        } else {
            fs::write(path, "a stub\n").expect("a file");
        }
    }
    fs::write(folder.path().join("workflow.json"), workflow.to_string()).expect("a file");
    folder
}

fn real(name: &str) -> Value {
    serde_json::from_slice(&fs::read(files().join(name)).expect("a file")).expect("JSON")
}

/// The reply of `--json`, whichever stream it came on: data, or the details of the refusal.
fn told(output: &Output) -> Value {
    let text = if output.stdout.is_empty() { stderr(output) } else { stdout(output) };
    let reply: Value = serde_json::from_str(text).expect("a line of JSON");
    if reply["ok"] == true { reply["data"].clone() } else { reply["error"]["details"].clone() }
}

/// What is said of a file, each as `<severity> <code> <pointer>`, sorted.
fn said(told: &Value) -> Vec<String> {
    let listed = |key: &str| told[key].as_array().cloned().unwrap_or_default();
    let all = [listed("problems"), listed("warnings")].concat();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let one = |finding: &Value| {
        format!("{} {} {}", text(finding, "severity"), text(finding, "code"), text(finding, "pointer"))
    };
    let mut said: Vec<String> = all.iter().map(one).collect();
    said.sort_unstable();
    said
}

/// STR-WORKFLOW-28: what is refused ends with 8. The README beside the files explains each finding.
#[test]
fn sixteen_files_are_judged_as_their_readme_says() {
    let readme = fs::read_to_string(files().join("README.md")).expect("the README");
    let mut seen = 0;
    for section in readme.split("\n## ").skip(1) {
        let (heading, body) = section.split_once('\n').expect("a section");
        let (name, exit) = heading.split_once(": exit ").expect("a heading");
        let mut expected: Vec<String> = body
            .lines()
            .filter_map(|line| line.strip_prefix("- "))
            .map(|line| line.replace('`', ""))
            .collect();
        expected.sort_unstable();
        let folder = repository(&real(name));
        let output = in_folder(folder.path(), &["validate", "workflow.json", "--json"]);
        assert_eq!(said(&told(&output)), expected, "{name}");
        assert_eq!(output.status.code(), exit.parse().ok(), "{name}");
        assert_eq!(told(&output)["valid"], json!(exit == "0"), "{name}");
        seen += 1;
    }
    assert_eq!(seen, 16);
}

/// STR-LINT-01: pairs of one family refuse until somebody accepts them.
#[test]
fn one_model_on_both_sides_has_to_be_accepted() {
    let folder = repository(&real("real-02.json"));
    let refused = in_folder(folder.path(), &["validate", "workflow.json"]);
    assert_eq!(refused.status.code(), Some(8));
    assert!(stderr(&refused).contains("(same_model_review_pair)"), "{}", stderr(&refused));
    let accepting = "next:  striatum workflow validate workflow.json --allow-same-model-pairing\n";
    assert!(stderr(&refused).ends_with(accepting), "{}", stderr(&refused));
    let accepted = in_folder(folder.path(), &["validate", "workflow.json", "--allow-same-model-pairing"]);
    assert_eq!(accepted.status.code(), Some(0), "{}", stderr(&accepted));
}

/// STR-LINT-05: warnings are listed and counted, and refuse nothing.
/// STR-SHARED-RES-03: the resources of each job are listed.
#[test]
fn a_valid_file_is_told_with_its_warnings_and_resources() {
    let mut workflow = real("real-03.json");
    workflow["jobs"][0]["shared_resources"] = json!(["a port"]);
    workflow["note"] = json!("mine");
    workflow["recovery"] = json!({"auto_finalize": true});
    let folder = repository(&workflow);
    let plain = in_folder(folder.path(), &["validate", "workflow.json"]);
    assert_eq!(plain.status.code(), Some(0));
    let text = stdout(&plain);
    assert!(text.starts_with("workflow.json is valid: 1 job, 1 lane\n"), "{text}");
    assert!(text.contains("warning: /note (unknown_field)"), "{text}");
    assert!(text.ends_with("3 warnings, 1 note\nnext:  striatum run prepare workflow.json\n"), "{text}");
    let verbose = in_folder(folder.path(), &["validate", "workflow.json", "--verbose"]);
    assert!(!text.contains("(not_in_effect)") && stdout(&verbose).contains("(not_in_effect)"));
    let output = in_folder(folder.path(), &["validate", "workflow.json", "--json"]);
    let told = told(&output);
    assert_eq!(told["warning_count"], 3);
    let resources = json!([{"workflow_job_id": workflow["jobs"][0]["id"],
                            "resources": [{"id": "a port", "mode": "exclusive"}]}]);
    assert_eq!(told["shared_resources"], resources);
    let strict = in_folder(folder.path(), &["validate", "workflow.json", "--strict"]);
    assert_eq!(strict.status.code(), Some(8));
    assert!(stderr(&strict).contains("error: /note (unknown_field)"), "{}", stderr(&strict));
}

/// STR-WORKFLOW-12: what leads out of the repository, through links too, is refused and not narrowed.
/// STR-LINT-07: a program below the repository that is not there is warned of.
#[test]
fn documents_and_programs_are_looked_for_in_the_repository() {
    let mut workflow = real("real-03.json");
    let folder = repository(&workflow);
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("secret.md"), "secret").expect("a file");
    symlink(outside.path(), folder.path().join("way-out")).expect("a link");
    workflow["context_docs"] = json!(["way-out/secret.md", "not-there.md"]);
    workflow["jobs"][0]["write_scope"]["allowed_paths"] = json!(["docs/p7/", "way-out/"]);
    workflow["lanes"]["codex"]["command"] = json!(["./bin/agent"]);
    fs::write(folder.path().join("workflow.json"), workflow.to_string()).expect("a file");
    let said = said(&told(&in_folder(folder.path(), &["validate", "workflow.json", "--json"])));
    for expected in [
        "error document_outside /context_docs/0",
        "error document_missing /context_docs/1",
        "error scope_outside /jobs/0/write_scope/allowed_paths/1",
        "warning command_not_found /lanes/codex/command/0",
    ] {
        assert!(said.iter().any(|said| said == expected), "{expected}: {said:?}");
    }
    for (command, is_looked_for) in [("codex", false), ("/not/there", false), ("bin/agent", true)] {
        workflow["lanes"]["codex"]["command"] = json!([command]);
        fs::write(folder.path().join("workflow.json"), workflow.to_string()).expect("a file");
        let output = in_folder(folder.path(), &["validate", "workflow.json", "--json"]);
        let found = told(&output).to_string().contains("command_not_found");
        assert_eq!(found, is_looked_for, "{command}");
    }
    let program = folder.path().join("bin/agent");
    fs::create_dir_all(folder.path().join("bin")).expect("a folder");
    fs::write(&program, "#!/bin/sh\n").expect("a file");
    for (mode, is_warned_of) in [(0o644, true), (0o755, false)] {
        fs::set_permissions(&program, fs::Permissions::from_mode(mode)).expect("its mode");
        let found = told(&in_folder(folder.path(), &["validate", "workflow.json", "--json"])).to_string();
        assert_eq!(found.contains("\"chmod +x bin/agent\""), is_warned_of, "{mode:o}: {found}");
    }
}

/// STR-WORKFLOW-12: agents look from the folder of the workflow file, so that a document at the top is not there for
/// them; what they can do without is warned of.
#[test]
fn a_document_at_the_top_alone_is_missing_for_a_file_in_a_folder() {
    let mut workflow = real("real-03.json");
    workflow["context_docs"] = json!(["docs/plan.md", {"path": "docs/more.md", "required": false}]);
    let folder = repository(&workflow);
    assert_eq!(in_folder(folder.path(), &["validate", "workflow.json"]).status.code(), Some(0));
    fs::create_dir(folder.path().join("flow")).expect("a folder");
    fs::rename(folder.path().join("workflow.json"), folder.path().join("flow/workflow.json"))
        .expect("the file moves");
    let output = in_folder(folder.path(), &["validate", "flow/workflow.json", "--json"]);
    assert_eq!(output.status.code(), Some(8));
    let told = told(&output);
    let found = said(&told);
    for expected in
        ["error document_missing /context_docs/0", "warning document_elsewhere /context_docs/1/path"]
    {
        assert!(found.iter().any(|said| said == expected), "{expected}: {found:?}");
    }
    assert_eq!(found.iter().filter(|said| said.ends_with(" /context_docs/0")).count(), 1, "{found:?}");
    let hint = "docs/plan.md stands at the top of the repository: move it to flow/docs/plan.md, or the workflow \
                file to the top";
    assert!(told.to_string().contains(hint), "{told}");
}

/// STR-WORKFLOW-01: YAML by its name is refused, as is what does not lie in the repository.
#[test]
fn a_file_that_is_none_of_the_repositorys_is_not_read() {
    let folder = repository(&real("real-03.json"));
    let outside = tempfile::tempdir().expect("a folder");
    let text = fs::read(folder.path().join("workflow.json")).expect("a file");
    for path in [folder.path().join("workflow.yaml"), outside.path().join("workflow.json")] {
        fs::write(path, &text).expect("a file");
    }
    symlink(outside.path(), folder.path().join("way-out")).expect("a link");
    symlink("workflow.json", folder.path().join("link.json")).expect("a link");
    fs::create_dir(folder.path().join("folder.json")).expect("a folder");
    for (path, exit, code) in [
        ("workflow.yaml", 8, "file_is_yaml"),
        ("way-out/workflow.json", 6, "workflow_path_refused"),
        ("link.json", 6, "workflow_path_refused"),
        ("none.json", 8, "workflow_missing"),
        ("folder.json", 8, "workflow_unreadable"),
    ] {
        let output = in_folder(folder.path(), &["validate", path]);
        assert_eq!(output.status.code(), Some(exit), "{path}");
        assert!(stderr(&output).contains(code), "{path}: {}", stderr(&output));
        assert!(stdout(&output).is_empty(), "{path}");
    }
    // Outside of any repository the file's own folder stands for one.
    let alone = outside.path().join("workflow.json");
    let output = in_folder(folder.path(), &["validate", alone.to_str().expect("UTF-8"), "--json"]);
    assert!(said(&told(&output)).iter().any(|said| said.starts_with("error document_missing")));
}

/// STR-WORKFLOW-04: no workflow is the one that is meant where none is named.
#[test]
fn a_run_is_prepared_of_a_file_that_somebody_names() {
    let folder = repository(&real("real-03.json"));
    let output = Command::new(env!("CARGO_BIN_EXE_striatum"))
        .args(["run", "prepare"])
        .current_dir(folder.path())
        .output()
        .expect("the built program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("<workflow_path>"), "{}", stderr(&output));
}

#[test]
fn the_schema_is_printed_as_it_is_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = in_folder(folder.path(), &["schema"]);
    let schema: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(schema["title"], "striatum workflow");
    let reply: Value =
        serde_json::from_str(stdout(&in_folder(folder.path(), &["schema", "--json"]))).expect("JSON");
    assert_eq!(reply["data"], schema);
}
