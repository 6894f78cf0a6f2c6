//! Agents of an installation whose daemon is ended.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::{stderr, stdout};

/// STR-SUPERVISE-01: an agent outlives the daemon, and whoever ends the daemon is told so, and how it would be ended.
#[test]
fn whoever_ends_the_daemon_is_told_of_the_agents_that_live_on() {
    let bench = Bench::new();
    bench.json("a", &["local", "up"]);
    let app = repository(&bench);
    let ask = |line: &[&str]| -> Value {
        let output =
            bench.command("a", &[line, &["--json"]].concat()).current_dir(&app).output().expect("it starts");
        assert!(output.status.success(), "{line:?}: {}", stderr(&output));
        serde_json::from_str::<Value>(stdout(&output)).expect("JSON")["data"].take()
    };
    ask(&["repo", "add", ".", "--init"]);
    let run_id = ask(&["run", "prepare", "workflow.json"])["run_id"].as_str().expect("an id").to_owned();
    ask(&["run", "start", &run_id]);
    let session = ask(&["session", "register", &run_id, "author", "draft"]);
    let session_id = session["session_id"].as_str().expect("an id");
    ask(&["supervise", "start", "--session-id", session_id]);
    let agents = || ask(&["supervise", "status", "--run-id", &run_id])["supervisors"].take();
    let pid = agents()[0]["agent_pid"].as_i64().expect("a number");

    let down = bench.run("a", &["local", "down"]);
    let told = stdout(&down);
    assert!(
        told.contains(&format!("agents      1 live on and wait for the daemon: 1 of {run_id}\n")),
        "{told}"
    );
    assert!(told.contains("&& striatum run cancel RUN_ID --reason TEXT --instance a\n"), "{told}");
    assert!(Path::new(&format!("/proc/{pid}/stat")).exists(), "it lives on");
    bench.json("a", &["local", "up"]);
    let after = agents();
    assert_eq!(
        (&after[0]["agent_pid"], &after[0]["ended_at"]),
        (&json!(pid), &Value::Null),
        "it was taken up again"
    );

    assert_eq!(bench.json("a", &["local", "down", "--daemon-only"])["agents"], json!({run_id.as_str(): 1}));
    bench.json("a", &["local", "up"]);
    ask(&["run", "cancel", &run_id, "--reason", "seen enough"]);
    assert_eq!(bench.json("a", &["local", "down"])["agents"], json!({}));
    assert!(!Path::new(&format!("/proc/{pid}/stat")).exists(), "it was ended");
}

/// The example, with an agent that does nothing.
fn repository(bench: &Bench) -> std::path::PathBuf {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/rfc-ledger");
    let app = bench.folder().join("app");
    let text = fs::read_to_string(example.join("workflow.json")).expect("the example");
    let mut workflow: Value = serde_json::from_str(&text).expect("JSON");
    workflow["lanes"]["draft"]["command"] = json!(["sleep", "600"]);
    let script = r#"cp -R "$2" "$1" && cd "$1" && printf %s "$3" >workflow.json && git init -q . && git add . &&
        git -c user.name=test -c user.email=test@localhost commit -q --message 'A workflow'"#;
    let made = Command::new("sh")
        .args(["-euc", script, "sh"])
        .args([&app, &example])
        .arg(workflow.to_string())
        .status();
    assert!(made.expect("sh").success(), "no repository");
    app
}
