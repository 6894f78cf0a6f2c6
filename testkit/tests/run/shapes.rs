//! The shapes of the catalogue, made by the command line and run to their end.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use striatum_contract::catalogue::{SHAPES, Tier};
use striatum_testkit::Database;

use crate::stage::{Stage, text};

/// A shape that is called supported is one of these: what it cannot be made without, and how many jobs it has then.
const RUN: &[(&str, &[&str], usize)] = &[
    ("minimal", &[], 1),
    ("review", &["reviewer_count=2"], 4),
    ("code_change", &["shared_checkout=one agent at a time changes code"], 3),
    ("multi_review_synthesis", &["adversary_packs=maintainer_cost", "reviewer_count=4"], 6),
    ("evidence_backed", &[], 4),
    ("multi_phase", &["phases=find,mend", "role_pack=incident_response"], 4),
    ("implementation_panel", &[], 10),
    ("divergent_ideation", &["branch_count=2", "deepen_count=1"], 6),
    ("falsification_gate", &["topic=The cache can go"], 5),
    ("cross_examination", &["topic=The cache can go"], 4),
];

/// Says which shape it was where a test of it fails.
struct Named(&'static str);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the shape {} failed", self.0);
        }
    }
}

#[test]
fn what_is_called_supported_is_run() {
    let supported = SHAPES.iter().filter(|shape| shape.tier == Tier::Supported).map(|shape| shape.name);
    assert_eq!(supported.collect::<Vec<_>>(), RUN.iter().map(|(shape, ..)| *shape).collect::<Vec<_>>());
}

/// STR-GENERATE-01, STR-GENERATE-02, STR-WORKFLOW-30: each supported shape is made from the catalogue by one command,
/// prepared as it stands, and run to its end by agents.
#[tokio::test(flavor = "multi_thread")]
async fn every_supported_shape_runs_to_its_end() {
    let mut stage = Stage::without_run(Database::fresh().await.expect("a database"), empty);
    for (shape, options, jobs) in RUN {
        let named = Named(shape);
        let path = generate(&stage, shape, options);
        stage.start(&path);
        assert_eq!(stage.complete(), [""; 0], "{shape}: nobody has to decide anything");
        let summary = stage.summary();
        assert_eq!(
            (&summary["run"]["state"], &summary["run"]["completion_mode"]),
            (&json!("completed"), &json!("lanes_attested")),
            "{shape}: {summary}"
        );
        assert_eq!(summary["jobs_by_state"], json!({"completed": jobs}), "{shape}");
        for artifact in expected(&stage, &path) {
            assert!(stage.repository().join(&artifact).is_file(), "{shape}: {artifact}");
        }
        drawn(&stage, shape, *jobs);
        drop(named);
    }
    stage.assert_proven();
}

/// Makes a workflow by the command line, and commits it.
fn generate(stage: &Stage, shape: &str, options: &[&str]) -> String {
    let agent = r#"lanes.agent.command=["scripted-agent", "--wait-ms", "100"]"#;
    let options = options.iter().chain([&agent]).map(|option| format!("--option '{option}'"));
    let line = options.collect::<Vec<_>>().join(" ");
    let made =
        stage.json(&format!("workflow generate --shape {shape} --lane-set single_agent {line} --write"));
    assert_eq!((&made["written"], &made["runnable"]), (&json!(true), &json!(true)), "{shape}: {made}");
    let committed = stage.command("git add --all").status().expect("git").success()
        && stage.command(&format!("git commit --quiet --message '{shape}'")).status().expect("git").success();
    assert!(committed, "{shape}");
    text(&made["workflow_path"])
}

/// The paths of what the jobs have to leave.
fn expected(stage: &Stage, path: &str) -> Vec<String> {
    let workflow = std::fs::read_to_string(stage.repository().join(path)).expect("a file");
    let workflow: Value = serde_json::from_str(&workflow).expect("JSON");
    let jobs = workflow["jobs"].as_array().expect("a list").iter();
    let artifacts = jobs.flat_map(|job| job["expected_artifacts"].as_array().expect("a list"));
    artifacts.map(|artifact| text(&artifact["path"])).collect()
}

/// The run's graph shows every job as done.
fn drawn(stage: &Stage, shape: &str, jobs: usize) {
    let graph = stage.json(&format!("run graph {}", stage.run_id));
    let states = graph["jobs"].as_array().expect("a list").iter().map(|job| job["state"].clone());
    assert_eq!(states.collect::<Vec<_>>(), vec![json!("completed"); jobs], "{shape}");
    let svg = stage.striatum(&format!("run graph {} --format svg", stage.run_id));
    let svg = String::from_utf8_lossy(&svg.stdout).into_owned();
    assert_eq!(
        svg.matches("class=\"job done\"").count(),
        jobs + 1,
        "{shape}: each job, and what green means"
    );
}

/// A repository with one commit.
fn empty(repository: &Path) {
    let script = r#"git init --quiet --initial-branch main "$1" && cd "$1" && mkdir src && echo .striatum >.gitignore &&
        git config user.name test && git config user.email test@localhost && git config commit.gpgsign false &&
        git add --all && git commit --quiet --message Empty"#;
    let made = Command::new("sh").args(["-euc", script, "sh"]).arg(repository).status();
    assert!(made.expect("sh").success(), "no repository");
}
