//! `striatum daemon start|status`, `striatum db` and `striatum token recover` against an installation.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::bench::Bench;
use crate::{stderr, stdout};

#[test]
fn a_daemon_is_started_once_and_says_how_it_is() {
    let bench = Bench::new();
    bench.json("a", &["local", "up"]);
    let status = bench.json("a", &["daemon", "status"]);
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"));
    assert!(status["uptime_s"].as_u64().is_some_and(|uptime| uptime < 60), "{status}");
    let again = bench.json("a", &["daemon", "start"]);
    assert_eq!((&again["is_new"], &again["pid"]), (&json!(false), &status["pid"]));

    assert!(bench.run("a", &["daemon", "shutdown"]).status.success());
    until_ended(&bench);
    let (refusal, exit_code) = bench.refused("a", &["daemon", "status"]);
    assert_eq!((&refusal["code"], exit_code), (&json!("daemon_unreachable"), 11));
    assert!(
        refusal["next"][0]
            .as_str()
            .is_some_and(|next| next.starts_with("striatum daemon start --instance a"))
    );
    let started = bench.json("a", &["daemon", "start"]);
    assert_eq!(started["is_new"], true);
    assert_ne!(started["pid"], status["pid"]);
    // It has left the session of whoever started it: it leads one of its own.
    let stat = fs::read_to_string(format!("/proc/{}/stat", started["pid"])).expect("the daemon");
    let session =
        stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(3)).map(str::to_owned);
    assert_eq!(session, Some(started["pid"].to_string()));
}

/// It answers nobody while it drains, and lives.
fn until_ended(bench: &Bench) {
    while !stderr(&bench.run("a", &["daemon", "status"])).starts_with("error: no daemon runs: ") {}
}

/// What the daemon itself says is what its starter is told.
#[test]
fn a_daemon_that_does_not_start_says_why() {
    let bench = Bench::new();
    fs::create_dir(bench.data("a")).expect("a folder");
    fs::write(bench.data("a").join("daemon.toml"), "[database]\nurl = \"nonsense\"\nodd = 1\n")
        .expect("a file");
    let (refusal, exit_code) = bench.refused("a", &["daemon", "start"]);
    assert_eq!((&refusal["code"], exit_code), (&json!("config_invalid"), 78));
    assert_eq!(refusal["details"]["problems"].as_array().map(Vec::len), Some(2), "{refusal}");
}

#[test]
fn a_parked_daemon_says_its_reason() {
    let bench = Bench::new();
    bench.json("a", &["local", "up"]);
    bench.json("a", &["local", "down"]);
    // Without its PostgreSQL.
    let (refusal, exit_code) = bench.refused("a", &["daemon", "start"]);
    assert_eq!((&refusal["code"], exit_code), (&json!("daemon_parked"), 11), "{refusal}");
    let (refusal, exit_code) = bench.refused("a", &["daemon", "status"]);
    assert_eq!((&refusal["details"]["reason"], exit_code), (&json!("database_unreachable"), 11), "{refusal}");
    let status = bench.json("a", &["local", "status"]);
    assert_eq!(status["daemon"]["state"], "parked");
    // It notices by itself that its database is back.
    let up = bench.json("a", &["local", "up"]);
    assert_eq!(up["installation"]["daemon"]["pid"], status["daemon"]["pid"]);
}

#[test]
fn db_and_token_are_striatumds_with_its_streams_and_exit_codes() {
    let bench = Bench::new();
    bench.json("a", &["local", "up"]);
    let config = bench.data("a").join("daemon.toml").display().to_string();
    let status = bench.run("a", &["db", "status", "--config", &config]);
    assert!(
        stdout(&status).ends_with("a daemon serves from it\nnext:  striatum daemon status --instance a\n"),
        "{}",
        stderr(&status)
    );
    let (refusal, exit_code) = bench.refused("a", &["db", "apply", "--config", &config]);
    assert_eq!((&refusal["code"], exit_code), (&json!("daemon_serving"), 4));
    let export = bench.folder().join("chains").display().to_string();
    bench.json("a", &["db", "export-chains", &export, "--config", &config]);
    let report = striatum_verify::verify(export.as_ref()).expect("an export");
    assert!(report.verdict == striatum_verify::Verdict::Verified, "{}", report.text());
    let (refusal, exit_code) = bench.refused("a", &["db", "export-chains", &export, "--config", &config]);
    assert_eq!((&refusal["code"], exit_code), (&json!("folder_not_empty"), 4));

    let (refusal, exit_code) = bench.refused("a", &["token", "recover", "--config", &config]);
    assert_eq!((&refusal["code"], exit_code), (&json!("daemon_already_serving"), 4));
    assert_eq!(refusal["next"], json!(["striatum local down --daemon-only", "striatum token recover"]));
    let down = bench.json("a", &["local", "down", "--daemon-only"]);
    assert_eq!((&down["daemon_stopped"], &down["postgres_stopped"]), (&json!(true), &json!(false)));
    let file = bench.runtime("a").join("client-token");
    fs::remove_file(&file).expect("a lost token");
    let recovered = bench.json("a", &["token", "recover", "--config", &config]);
    assert_eq!(recovered["token_file"], file.display().to_string());
    bench.json("a", &["daemon", "start"]);
    let kept = fs::read(bench.data("a").join("client.token")).expect("a copy");
    assert_eq!(kept, fs::read(&file).expect("a token"), "the copy is the new one");
    assert!(bench.run("a", &["daemon", "shutdown"]).status.success(), "the new token opens the door");
}

#[test]
fn whoever_renews_the_own_token_goes_on_with_the_new_one() {
    let bench = Bench::new();
    bench.json("a", &["local", "up"]);
    let file = bench.runtime("a").join("client-token");
    let old = fs::read_to_string(&file).expect("a token");
    let (own, _) = old.split_once('.').expect("a client and a secret");
    let renewed = bench.json("a", &["token", "rotate", own]);
    assert_eq!(renewed["replaces"], own);
    let new = fs::read_to_string(&file).expect("a token");
    assert_eq!(new.trim_end(), renewed["token"].as_str().expect("a token"));
    assert!(bench.run("a", &["daemon", "shutdown"]).status.success(), "the new token opens the door");
}

#[test]
fn without_the_daemons_program_it_says_where_it_looked() {
    let folder = tempfile::tempdir().expect("a folder");
    let alone = folder.path().join("striatum");
    fs::copy(env!("CARGO_BIN_EXE_striatum"), &alone).expect("a copy");
    let answer =
        Command::new(&alone).args(["db", "status"]).env("PATH", "/nowhere").output().expect("it starts");
    assert_eq!(answer.status.code(), Some(78));
    assert!(
        stderr(&answer).starts_with(
            "error: striatumd is neither beside this program nor on the PATH (program_missing)\n"
        ),
        "{}",
        stderr(&answer)
    );
}
