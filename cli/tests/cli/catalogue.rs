//! Workflows from the catalogue, as a user makes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::{stderr, stdout, striatum};

const TWO: [&str; 6] = [
    "--lane-set",
    "author_reviewer",
    "--option",
    "lanes.author.command=claude",
    "--option",
    "lanes.reviewer.command=codex",
];

struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let made = Command::new("git").args(["init", "-q"]).arg(folder.path()).status().expect("git");
        assert!(made.success());
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_striatum"));
        command.args(arguments).current_dir(self.path()).output().expect("the built program starts")
    }

    fn generate(&self, shape: &str, more: &[&str]) -> Output {
        self.run(&[&["workflow", "generate", "--shape", shape], &TWO[..], more].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["data"].take()
    }

    /// Every file but git's.
    fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
                match entry.path() {
                    path if path.ends_with(".git") => {}
                    path if path.is_dir() => folders.push(path),
                    path => found.push(path),
                }
            }
        }
        found
    }
}

/// STR-GENERATE-01: it shows, and writes with --write alone. STR-GENERATE-02: what it writes passes the checker.
/// STR-GENERATE-03: what is there is never overwritten, and then nothing is written.
/// STR-GENERATE-19: no daemon is there.
#[test]
fn it_shows_then_writes_and_never_overwrites() {
    let repository = Repository::new();
    let shown = repository.generate("review", &["--workflow-id", "r", "--artifact-root", "notes/r"]);
    assert!(shown.status.success(), "{}", stderr(&shown));
    assert!(
        stdout(&shown).contains("9 files would be written:\n  workflows/r/workflow.json\n"),
        "{}",
        stdout(&shown)
    );
    assert_eq!(repository.files(), Vec::<PathBuf>::new(), "a look makes nothing");
    let again =
        stdout(&shown).lines().last().and_then(|line| line.strip_prefix("next:  striatum ")).expect("a line");
    let written = repository.run(&again.split(' ').collect::<Vec<_>>());
    assert!(written.status.success(), "{}", stderr(&written));
    assert_eq!(repository.files().len(), 9);
    let checked = repository.json(&["workflow", "validate", "workflows/r/workflow.json", "--strict"]);
    assert_eq!(
        (&checked["valid"], &checked["runnable"], &checked["warning_count"]),
        (&true.into(), &true.into(), &0.into())
    );
    let brief = repository.path().join("workflows/r/brief.md");
    fs::write(&brief, "mine").expect("a file");
    fs::remove_file(repository.path().join("workflows/r/agent.md")).expect("it goes");
    let refused = repository.run(&again.split(' ').collect::<Vec<_>>());
    assert_eq!(refused.status.code(), Some(4));
    let said = stderr(&refused);
    assert!(
        said.starts_with("error: nothing is written: 8 of the files are there already (files_present)\n"),
        "{said}"
    );
    assert!(said.contains("workflows/r/brief.md is there already"), "{said}");
    assert_eq!(fs::read_to_string(&brief).expect("a file"), "mine");
    assert_eq!(repository.files().len(), 8, "nothing was written");
}

/// STR-GENERATE-16: a preview and a check say their advice in one form.
#[test]
fn a_preview_carries_what_the_checker_says() {
    let repository = Repository::new();
    let line = [&["workflow", "generate", "--shape", "code_change"], &TWO[..]].concat();
    let made = repository.json(&line);
    let write = repository.json(&[&line[..], &["--write"]].concat());
    let checked = repository.json(&["workflow", "validate", "workflows/code-change-starter/workflow.json"]);
    for key in ["warnings", "warning_count", "coverage", "counts", "valid", "runnable", "shared_resources"] {
        assert!(!checked[key].is_null(), "{key}");
        assert_eq!((&made[key], &write[key]), (&checked[key], &checked[key]), "{key}");
    }
    assert_eq!(made["declares"], serde_json::json!(["worktree_isolation_unsupported"]));
    assert_eq!((&made["written"], &write["written"]), (&false.into(), &true.into()));
    assert_eq!(made["files"], write["files"]);
}

#[test]
fn all_that_is_wrong_is_told_at_once_with_what_to_do() {
    let repository = Repository::new();
    let refused = repository
        .generate("multi_phase", &["--workflow-id", "a b", "--option", "phase=x", "--option", "plan=@no"]);
    assert_eq!(refused.status.code(), Some(8));
    assert!(
        stderr(&refused).contains("--option plan names no, which could not be read"),
        "{}",
        stderr(&refused)
    );
    let refused = repository.generate("multi_phase", &["--workflow-id", "a b", "--option", "phase=x"]);
    assert_eq!(refused.status.code(), Some(8));
    let said = stderr(&refused);
    for part in [
        "error: no workflow is made: 3 problems (generator_input_invalid)\n",
        "--workflow-id is `a b`; 1 to 128 of",
        "--option phase is no option of multi_phase; did you mean phases?",
        "--option phases is missing; give it: ",
        "next:  striatum workflow templates show multi_phase\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let same = repository.run(&[
        "workflow",
        "generate",
        "--shape",
        "review",
        "--lane-set",
        "author_reviewer",
        "--option",
        "lanes.author.command=claude",
        "--option",
        "lanes.reviewer.command=claude",
    ]);
    assert_eq!(same.status.code(), Some(8));
    assert!(stderr(&same).contains("(same_model_review_pair)"), "{}", stderr(&same));
    let next =
        stderr(&same).lines().last().and_then(|line| line.strip_prefix("next:  striatum ")).expect("a line");
    assert!(repository.run(&next.split(' ').collect::<Vec<_>>()).status.success(), "{next}");
}

/// Nothing is written through a link, nor out of the repository.
#[test]
fn no_link_leads_the_files_elsewhere() {
    let repository = Repository::new();
    let outside = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(outside.path(), repository.path().join("workflows")).expect("a link");
    let refused = repository.generate("minimal", &["--write"]);
    assert_eq!(refused.status.code(), Some(4));
    assert!(stderr(&refused).contains("workflow.json leads through a symbolic link"), "{}", stderr(&refused));
    assert_eq!(fs::read_dir(outside.path()).expect("a folder").count(), 0, "{}", stderr(&refused));
    let refused = repository.generate("minimal", &["--write", "--scaffold-root", "../x"]);
    assert_eq!(refused.status.code(), Some(8));
}

/// STR-GENERATE-18: shapes with their tiers, lane sets and packs are listed, and each is shown with its options.
/// STR-GENERATE-17: what a repository holds changes nothing of that.
#[test]
fn the_catalogue_can_be_looked_at() {
    let repository = Repository::new();
    fs::create_dir_all(repository.path().join("contract/catalogue/shapes")).expect("a folder");
    fs::write(repository.path().join("contract/catalogue/shapes/own.json"), "{}").expect("a file");
    let listed = repository.json(&["workflow", "templates", "list"]);
    let shapes = listed["shapes"].as_array().expect("a list");
    assert_eq!(shapes.len(), 17);
    assert!(shapes.iter().all(|shape| shape["support_tier"].is_string() && shape["name"] != "own"));
    let text = repository.run(&["workflow", "templates", "list"]);
    for name in
        ["fog_of_war_review", "experimental", "author_reviewer", "incident_response", "operator_ergonomics"]
    {
        assert!(stdout(&text).contains(name), "{name}: {}", stdout(&text));
    }
    for (name, holds) in [
        ("review", "reviewer_count        How many reviews, side by side (1 to 6; 1 where left out)\n"),
        (
            "multi_phase",
            "phases                The names of the phases, in their order (required; 1 to 20)\n",
        ),
        (
            "author_reviewer",
            "judge                 Gives the verdicts on which phases close; without a command reviewer",
        ),
        ("maintainer_cost", "reversibility\n"),
        ("custom", "plan                  The plan, as JSON or as @FILE (required)\n"),
    ] {
        let shown = striatum(&["workflow", "templates", "show", name]);
        assert!(stdout(&shown).contains(holds), "{name}: {}", stdout(&shown));
    }
    let unknown = striatum(&["workflow", "templates", "show", "reviw"]);
    assert_eq!(unknown.status.code(), Some(3));
    assert_eq!(
        stderr(&unknown),
        "error: the catalogue has no reviw (template_unknown)\nnext:  striatum workflow templates show review\n\
         next:  striatum workflow templates list\n"
    );
}

#[test]
fn a_workflow_is_drawn_in_four_forms() {
    let repository = Repository::new();
    assert!(repository.generate("review", &["--write"]).status.success());
    let file = "workflows/review-starter/workflow.json";
    let drawn = |format: &str| {
        let output = repository.run(&["workflow", "graph", file, "--format", format]);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).to_owned()
    };
    assert!(
        drawn("ascii")
            .contains("2  review-a   review     reviewer         <- draft  (back to draft, at most 1)\n")
    );
    assert!(drawn("mermaid").contains("flowchart TD\n"));
    assert!(drawn("svg").starts_with("<svg "));
    let json: Value = serde_json::from_str(&drawn("json")).expect("JSON");
    assert_eq!(json, repository.json(&["workflow", "graph", file]));
    assert_eq!(json["edges"][0], serde_json::json!({"from": "draft", "to": "review-a"}));
    fs::write(repository.path().join("none.json"), "{}").expect("a file");
    let none = repository.run(&["workflow", "graph", "none.json"]);
    assert_eq!(none.status.code(), Some(8));
    assert!(stderr(&none).contains("next:  striatum workflow validate none.json\n"), "{}", stderr(&none));
}
