//! A data directory is one installation's, and an installation lives in one.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::{stderr, stdout};

/// The error of a command, with the directory that it is given.
fn refused(mut command: Command, arguments: &[&str]) -> Value {
    let output = command.args(arguments).arg("--json").output().expect("it starts");
    assert!(!output.status.success(), "{arguments:?}: {}", stdout(&output));
    serde_json::from_slice::<Value>(&output.stderr).expect("JSON")["error"].take()
}

fn answered(mut command: Command) -> Value {
    let output = command.arg("--json").output().expect("it starts");
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["data"].take()
}

#[test]
fn the_directory_of_another_is_left_alone_and_the_right_line_is_said() {
    let bench = Bench::new();
    bench.json("nc-a", &["local", "up"]);
    let data = bench.data("nc-a").display().to_string();
    let commands =
        [["local", "down"], ["local", "status"], ["local", "up"], ["daemon", "start"], ["daemon", "status"]];
    for words in commands {
        let refusal = refused(bench.bare("nc-b", &words), &["--data-dir", &data]);
        assert_eq!(refusal["code"], "data_dir_of_another", "{refusal}");
        assert_eq!(refusal["message"], format!("{data} belongs to instance nc-a"));
        let right = format!("striatum {} --instance nc-a --data-dir {data}", words.join(" "));
        assert_eq!(refusal["next"], json!([right]));
        assert!(!bench.runtime("nc-b").exists(), "no token, no folder: {words:?}");
    }
    let refusal = refused(bench.bare("nc-b", &["local", "down"]), &["--daemon-only", "--data-dir", &data]);
    let right = format!("striatum local down --daemon-only --instance nc-a --data-dir {data}");
    assert_eq!(refusal["next"], json!([right]));
    // The same name, seen from a shell with other variables.
    let other = bench.folder().join("other");
    for words in commands {
        let mut command = bench.bare("nc-a", &words);
        command.env("STRIATUM_DAEMON_RUNTIME_DIR", &other);
        let refusal = refused(command, &["--data-dir", &data]);
        assert_eq!(refusal["code"], "data_dir_of_another", "{refusal}");
        let run = bench.folder().join("run").display().to_string();
        let right = format!(
            "STRIATUM_DAEMON_RUNTIME_DIR={run} striatum {} --instance nc-a --data-dir {data}",
            words.join(" ")
        );
        assert_eq!(refusal["next"], json!([right]));
        assert!(!other.exists(), "{words:?}");
    }
    // And another directory for the same installation.
    let second = bench.data("d2").display().to_string();
    for words in commands {
        let refusal = refused(bench.bare("nc-a", &words), &["--data-dir", &second]);
        assert_eq!(refusal["code"], "instance_elsewhere", "{refusal}");
        let right = format!("striatum {} --instance nc-a --data-dir {data}", words.join(" "));
        assert_eq!(refusal["next"], json!([right]));
        assert!(!bench.data("d2").exists(), "{words:?}");
    }
    // Also where it was made before there was such a file.
    fs::remove_file(bench.data("nc-a").join("local.instance")).expect("a record");
    let refusal = refused(bench.bare("nc-b", &["local", "down"]), &["--data-dir", &data]);
    assert_eq!(refusal["message"], format!("{data} belongs to instance nc-a"));
    let status = bench.json("nc-a", &["local", "status"]);
    assert_eq!(
        (&status["postgres"]["state"], &status["daemon"]["state"]),
        (&json!("running"), &json!("serving"))
    );
}

#[test]
fn the_directory_is_found_again_without_the_flag() {
    let bench = Bench::new();
    // Relative to where it was typed.
    let mut up = bench.bare("a", &["local", "up", "--data-dir", "./x/../a"]);
    up.current_dir(bench.folder());
    let up = answered(up);
    let data = bench.data("a").display().to_string();
    assert_eq!(up["installation"]["data_dir"], data);

    let status = answered(bench.bare("a", &["local", "status"]));
    assert_eq!((&status["data_dir"], &status["postgres"]["state"]), (&json!(data), &json!("running")));
    answered(bench.bare("a", &["daemon", "status"]));
    let down = answered(bench.bare("a", &["local", "down", "--daemon-only"]));
    assert_eq!(down["daemon_stopped"], true);
    // The configuration of the directory, not the usual one.
    let recovered = answered(bench.bare("a", &["token", "recover"]));
    assert_eq!(recovered["token_file"], bench.runtime("a").join("client-token").display().to_string());
    let started = answered(bench.bare("a", &["daemon", "start"]));
    assert_eq!(started["log"], bench.data("a").join("daemon.log").display().to_string());

    // What runs is found also where the runtime directory was emptied.
    fs::remove_file(bench.runtime("a").join("data.place")).expect("a note");
    let status = answered(bench.bare("a", &["local", "status"]));
    assert_eq!((&status["data_dir"], &status["postgres"]["state"]), (&json!(data), &json!("running")));
    let down = answered(bench.bare("a", &["local", "down"]));
    assert_eq!((&down["daemon_stopped"], &down["postgres_stopped"]), (&json!(true), &json!(true)));
    let output = bench.bare("a", &["local", "status"]).output().expect("it starts");
    assert!(stdout(&output).contains("where it was made with --data-dir, give that again"));
    // Given again, it is known again; also one that was made before there were such files.
    fs::remove_file(bench.data("a").join("local.instance")).expect("a record");
    bench.json("a", &["local", "up"]);
    let status = answered(bench.bare("a", &["local", "status"]));
    assert_eq!((&status["data_dir"], &status["postgres"]["state"]), (&json!(data), &json!("running")));
    assert!(bench.data("a").join("local.instance").exists(), "adopted");
}

#[test]
fn a_folder_with_files_of_somebody_else_is_refused_by_name() {
    let bench = Bench::new();
    for file in ["thesis.tex", "cluster.data/PG_VERSION"] {
        let folder = bench.data("a");
        let file = folder.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, "15\n").expect("a file");
        for words in [["local", "up"], ["local", "down"], ["daemon", "start"]] {
            let (refusal, exit_code) = bench.refused("a", &words);
            assert_eq!((&refusal["code"], exit_code), (&json!("data_dir_unsafe"), 78), "{refusal}");
            let said = refusal["message"].as_str().expect("text");
            assert!(said.contains("is neither empty nor an installation's"), "{said}");
        }
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing was made");
        fs::remove_dir_all(&folder).expect("an end");
    }
}

#[test]
fn a_parked_daemon_is_told_the_line_that_starts_its_postgres() {
    let bench = Bench::new();
    bench.json("a", &["local", "up"]);
    bench.json("a", &["local", "down"]);
    let line = format!("striatum local up --instance a --data-dir {}", bench.data("a").display());
    let (refusal, _) = bench.refused("a", &["daemon", "start"]);
    assert_eq!((&refusal["code"], &refusal["next"][0]), (&json!("daemon_parked"), &json!(line)));
    let status = answered(bench.bare("a", &["local", "status"]));
    assert_eq!((&status["daemon"]["state"], &status["next"][0]), (&json!("parked"), &json!(line)));
}
