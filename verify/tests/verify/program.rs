//! The program: its two streams, its exit codes, and what may reach a terminal.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::export::{Export, REPOSITORIES, put};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_striatum-verify"))
        .args(arguments)
        .output()
        .expect("the built program starts")
}

fn on(folder: &Path, arguments: &[&str]) -> Output {
    run(&[&[folder.to_str().expect("text")], arguments].concat())
}

fn text(octets: &[u8]) -> &str {
    std::str::from_utf8(octets).expect("text")
}

#[test]
fn a_good_export_ends_with_0_and_one_line_a_chain() {
    let answer = on(Export::good().write().path(), &[]);
    assert_eq!(
        text(&answer.stdout),
        "audit                          6 rows  verified\n\
         repo_00000000000000aa          4 rows  verified\n\
         repo_00000000000000bb          5 rows  verified\n\
         chain: verified (6 audit rows, 9 events, by striatum-verify)\n"
    );
    assert_eq!((answer.status.code(), text(&answer.stderr)), (Some(0), ""));
}

#[test]
fn a_difference_ends_with_1_and_says_where() {
    let mut export = Export::good();
    export.events[0].1[2]["event_id"] = json!("7");
    let answer = on(export.write().path(), &[]);
    let place = "events/repo_00000000000000aa.jsonl, line 3, column event_id: expected 3, found 7";
    assert_eq!(
        text(&answer.stdout),
        format!(
            "audit                          6 rows  verified\n\
             repo_00000000000000aa          2 rows  DIFFERS  {place}\n\
             repo_00000000000000bb          5 rows  verified\n\
             chain: DIFFERS ({place})\n"
        )
    );
    assert_eq!((answer.status.code(), text(&answer.stderr)), (Some(1), ""));
}

#[test]
fn json_says_the_same() {
    let answer = on(Export::good().write().path(), &["--json"]);
    let said: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    assert_eq!((said["ok"].as_bool(), answer.status.code()), (Some(true), Some(0)));
    assert_eq!(said["data"]["verdict"], "verified");
    assert_eq!((&said["data"]["audit_rows"], &said["data"]["events"]), (&json!(6), &json!(9)));
    assert_eq!(said["data"]["chains"][1]["repository_id"], REPOSITORIES[0]);

    let mut export = Export::good();
    export.audit[1]["hash_format_version"] = json!(2);
    let answer = on(export.write().path(), &["--json"]);
    let said: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    assert_eq!((said["ok"].as_bool(), answer.status.code()), (Some(false), Some(1)));
    assert_eq!(said["error"]["code"], "chain_differs");
    assert_eq!(said["error"]["details"]["verdict"], "differs");
    assert_eq!(
        said["error"]["details"]["first_difference"],
        json!({"code": "hash_format_unsupported", "file": "audit.jsonl", "line": 2, "row": "2",
               "column": "hash_format_version", "expected": "3", "found": "2"})
    );
}

#[test]
fn what_cannot_be_understood_ends_with_2_and_what_cannot_be_read_with_66() {
    for arguments in [&[][..], &["a", "b"], &["--no-such", "a"]] {
        let answer = run(arguments);
        assert_eq!((answer.status.code(), text(&answer.stdout)), (Some(2), ""));
        assert!(text(&answer.stderr).ends_with("(usage_invalid)\nnext:  striatum-verify --help\n"));
    }
    let answer = run(&["/nowhere/at/all"]);
    assert_eq!((answer.status.code(), text(&answer.stdout)), (Some(66), ""));
    assert!(text(&answer.stderr).starts_with("error: /nowhere/at/all cannot be read: No such file"));
    let answer = run(&["/nowhere/at/all", "--json"]);
    let said: Value = serde_json::from_slice(&answer.stderr).expect("JSON");
    assert_eq!((&said["ok"], &said["error"]["code"]), (&json!(false), &json!("export_unreadable")));
}

#[test]
fn help_and_version_are_answers() {
    for (flag, holds) in [("--help", "Exit code: 0 verified"), ("--version", "striatum-verify 0")] {
        let answer = run(&[flag]);
        assert_eq!((answer.status.code(), text(&answer.stderr)), (Some(0), ""));
        assert!(text(&answer.stdout).contains(holds));
    }
}

/// Whatever an export holds, and wherever: nothing of it steers a terminal, and nothing makes a line of its own.
#[test]
fn nothing_of_an_export_steers_a_terminal() {
    const HOSTILE: &str = "\u{1b}]0;x\u{7}\r\nchain: verified\u{9b}2J\u{202e}\u{7f}";
    let mut exports = Vec::new();
    for column in ["audit_id", "method", "segment_id", "ts", HOSTILE] {
        let mut export = Export::good();
        export.audit[1][column] = json!(HOSTILE);
        exports.push(export);
    }
    for key in ["format", "exported_at", HOSTILE] {
        let mut export = Export::good();
        export.manifest[key] = json!(HOSTILE);
        exports.push(export);
    }
    let mut export = Export::good();
    export.events[0].1[0]["payload_json"] = json!(
        json!({"changes": [
        {"of": HOSTILE, "id": HOSTILE, "from": {HOSTILE: HOSTILE}, "to": {HOSTILE: HOSTILE}}]})
        .to_string()
    );
    export.seal();
    exports.push(export);
    let mut folders: Vec<_> = exports.iter().map(Export::write).collect();
    let folder = Export::good().write();
    put(folder.path(), HOSTILE, b"");
    folders.push(folder);
    for (n, folder) in folders.iter().enumerate() {
        for arguments in [&[][..], &["--json"]] {
            let answer = on(folder.path(), arguments);
            assert!(!answer.status.success(), "{n}");
            for shown in [text(&answer.stdout), text(&answer.stderr)] {
                let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
                assert!(!shown.contains(steers), "{n}: {shown:?}");
                assert!(!shown.lines().any(|line| line.starts_with("chain: verified")), "{n}: {shown}");
            }
        }
    }
}

#[test]
fn a_long_value_is_cut_where_it_is_shown() {
    let mut export = Export::good();
    export.audit[1]["ts"] = json!("\u{1b}[2J".repeat(250_000));
    let answer = on(export.write().path(), &[]);
    assert!(answer.stdout.len() < 4_000 && !answer.stdout.contains(&0x1b), "{}", text(&answer.stdout));
}
