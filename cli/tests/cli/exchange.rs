//! What goes over the socket, and what becomes of it on the screen.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::other_end::{OtherEnd, TOKEN, done, refused};
use crate::{stderr, stdout, striatum};

/// STR-RPC-01: the envelope, as the command line sends it.
#[test]
fn a_command_greets_and_asks_once() {
    let end = OtherEnd::answering(json!({"repository_id": "repo_1", "is_new": true}));
    let answer = end.striatum_in(end.path(), &["repo", "add", "../x/./y", "--init", "--request-id", "r-1"]);
    assert_eq!((stdout(&answer), stderr(&answer)), ("repository id:  repo_1\nnew:            yes\n", ""));
    assert!(answer.status.success());
    let mut asked = end.asked();
    assert_eq!(asked.len(), 1);
    let deadline = asked[0]["deadline_ms"].take();
    assert!(deadline.as_u64().is_some_and(|left| left <= 30_000), "{deadline}");
    let path = end.path().parent().expect("a folder").join("x/y");
    assert_eq!(
        asked[0],
        json!({"schema_version": 1, "request_id": "r-1", "method": "repo.add", "capability_token": TOKEN,
               "params": {"path": path, "init": true}, "deadline_ms": null})
    );
}

/// STR-RPC-03: the handshake names what this program speaks, without a token.
#[test]
fn the_handshake_says_what_is_spoken_here() {
    let end = OtherEnd::new(|peer, _| {
        let hello = peer.read().expect("a handshake");
        peer.say(&done(&hello, &json!({"envelope": 1, "framing": "json", "heard": hello})));
        let request = peer.read().expect("a request");
        peer.say(&done(&request, &json!({"heard": hello})));
    });
    let answer = end.striatum(&["repo", "resolve", ".", "--json"]);
    let line: Value = serde_json::from_str(stdout(&answer)).expect("JSON");
    let heard = &line["data"]["heard"];
    assert_eq!(heard["method"], "daemon.hello");
    assert_eq!(heard.get("capability_token"), None);
    assert_eq!(
        heard["params"],
        json!({"client": {"name": "striatum", "version": env!("CARGO_PKG_VERSION"), "supported_envelope": [1],
               "supported_framings": ["json"]}})
    );
}

/// STR-CLI-08: text to read by default, the reply as it is with `--json`.
#[test]
fn json_is_the_line_as_it_was_sent() {
    let line = concat!(
        r#"{"ok":true, "schema_version":1,"data":{"n":12345678901234567890,"a_at":"2000-01-01T00:00:00.000000Z"},"#,
        r#""request_id":"r1","new":1.50,"replayed":true,"effects":"pending"}"#
    );
    let end = OtherEnd::new(move |peer, _| {
        peer.welcome();
        peer.read();
        peer.say(line);
    });
    let ask = ["repo", "add", "/r", "--request-id", "r1"];
    let answer = end.striatum(&[&ask[..], &["--json"]].concat());
    assert_eq!((stdout(&answer), stderr(&answer)), (format!("{line}\n").as_str(), ""));
    let answer = end.striatum(&ask);
    let notes = "note:  this was answered before; nothing was done again\n\
                 note:  not all of it is done yet; the daemon goes on\n";
    assert!(stdout(&answer).ends_with(notes), "{}", stdout(&answer));
    assert!(stdout(&answer).contains(" days ago\n"), "{}", stdout(&answer));
    let answer = end.striatum(&[&ask[..], &["--verbose"]].concat());
    assert!(stdout(&answer).contains("2000-01-01T00:00:00.000000Z ("), "{}", stdout(&answer));
}

#[test]
fn a_refusal_ends_with_the_exit_code_of_its_code() {
    let end = OtherEnd::new(|peer, _| {
        peer.welcome();
        let request = peer.read().expect("a request");
        let mut reply: Value = serde_json::from_str(&refused(&request, "schema_invalid")).expect("JSON");
        reply["error"]["details"] =
            json!({"problems": [{"pointer": "/params/path", "problem": "is \u{1b}[2J", "hint": "send it"}]});
        peer.say(&reply.to_string());
    });
    let answer = end.striatum(&["repo", "add", "/r", "--request-id", "r1"]);
    assert_eq!(answer.status.code(), Some(2));
    assert_eq!(
        stderr(&answer),
        "error: it may not be (schema_invalid)\n\x20      /params/path is \\u{1b}[2J; send it\n\
         next:  striatum repo add .\n"
    );
    assert_eq!(stdout(&answer), "");
    let answer = end.striatum(&["repo", "add", "/r", "--request-id", "r1", "--json"]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(stderr(&answer).starts_with(r#"{"error":{"code":"schema_invalid","details":{"problems":[{"#));
}

/// What is told next stays with the installation of the line, to a person as to a program.
#[test]
fn the_next_steps_name_the_installation() {
    let end = OtherEnd::new(|peer, _| {
        peer.welcome();
        let request = peer.read().expect("a request");
        match request["method"].as_str() {
            Some("doctor") => {
                let check =
                    |name: &str, next| json!({"name": name, "ok": false, "message": "bad", "next": [next]});
                let checks = [
                    check("one", "striatum db apply"),
                    check("two", "ls"),
                    check("three", "striatum x --instance b"),
                ];
                peer.say(&done(
                    &request,
                    &json!({"ok": false, "checks": checks, "next": ["striatum local up"]}),
                ));
            }
            _ => peer.say(&refused(&request, "schema_invalid")),
        }
    });
    let socket = end.socket().display().to_string();
    let token = end.token_file().display().to_string();
    let at = ["--socket", &socket, "--token-file", &token, "--instance", "a"];
    let answer = end.striatum(&[&["doctor"], &at[..]].concat());
    let said = stdout(&answer);
    for line in [
        "striatum db apply --instance a\n",
        "  ls\n",
        "striatum x --instance b\n",
        "striatum local up --instance a\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(answer.status.code(), Some(1), "not all is well");
    let answer = end.striatum(&[&["doctor", "--json"], &at[..]].concat());
    for step in [r#""striatum db apply --instance a""#, r#""ls""#, r#""striatum x --instance b""#] {
        assert!(stdout(&answer).contains(step), "{step}: {}", stdout(&answer));
    }
    assert_eq!(answer.status.code(), Some(1), "not all is well");
    let answer = end.striatum(&[&["repo", "add", "/r"], &at[..]].concat());
    assert!(stderr(&answer).ends_with("next:  striatum repo add . --instance a\n"), "{}", stderr(&answer));
    let answer = end.striatum(&[&["repo", "add", "/r", "--json"], &at[..]].concat());
    assert!(
        stderr(&answer).contains(r#""next":["striatum repo add . --instance a"]"#),
        "{}",
        stderr(&answer)
    );
    let answer = end.striatum(&[&["repo", "add"], &at[..]].concat());
    assert!(
        stderr(&answer).ends_with("next:  striatum repo add --help --instance a\n"),
        "{}",
        stderr(&answer)
    );
}

/// The flag names the token's file, else the variable does, else it is the runtime directory's.
#[test]
fn the_file_with_the_token_may_be_named_by_a_variable() {
    use std::os::unix::fs::PermissionsExt as _;
    let end = OtherEnd::answering(json!({"repositories": []}));
    let tokens = ["variable", "flag"].map(|name| {
        let (file, token) =
            (end.path().join(name), TOKEN.replace("a1", if name == "flag" { "f1" } else { "e1" }));
        fs::write(&file, &token).expect("a token");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("its mode");
        (file, token)
    });
    let [(variable, of_variable), (flag, of_flag)] = &tokens;
    let flag = ["repo", "list", "--token-file", flag.to_str().expect("text")];
    let lines: [(&[&str], &str, &str); 3] = [
        (&flag, variable.to_str().expect("text"), of_flag),
        (&flag[..2], variable.to_str().expect("text"), of_variable),
        (&flag[..2], "", TOKEN),
    ];
    for (line, named, token) in lines {
        let answer = end.command(line).env("STRIATUM_TOKEN_FILE", named).output().expect("it starts");
        assert!(answer.status.success(), "{}", stderr(&answer));
        assert_eq!(end.asked()[0]["capability_token"], *token, "{line:?} {named}");
    }
    let nowhere = end.path().join("nowhere");
    let answer = end.command(&flag[..2]).env("STRIATUM_TOKEN_FILE", &nowhere).output().expect("it starts");
    assert_eq!(answer.status.code(), Some(11));
    let said = format!("the token file {} does not exist (token_unavailable)", nowhere.display());
    assert!(stderr(&answer).contains(&said), "{}", stderr(&answer));
}

/// Whoever renews the token that the line came with finds the new one where the old one was.
#[test]
fn a_renewed_token_is_put_where_the_old_one_was() {
    use std::os::unix::fs::PermissionsExt as _;
    const NEW: &str = "client_00000000000000b2.0bCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE";
    const OWN: &str = "client_00000000000000a1";
    let end = OtherEnd::answering(json!({"client_id": "client_00000000000000b2", "token": NEW}));
    let held = || fs::read_to_string(end.token_file()).expect("a token").trim_end().to_owned();
    end.striatum(&["token", "rotate", "client_00000000000000c3"]);
    assert_eq!(held(), TOKEN, "another's");

    let answer = end.striatum(&["token", "rotate", OWN]);
    assert_eq!(held(), NEW);
    assert_eq!(fs::metadata(end.token_file()).expect("it").permissions().mode() & 0o777, 0o600);
    let note =
        format!("note:  the new token is in {}, in the place of the old one\n", end.token_file().display());
    assert!(stdout(&answer).contains(NEW) && stdout(&answer).ends_with(&note), "{}", stdout(&answer));

    let own = end.path().join("own");
    fs::rename(end.token_file(), &own).expect("a file of one's own");
    fs::write(&own, TOKEN).expect("the old token");
    let own = own.to_str().expect("text");
    let answer = end.striatum(&["token", "rotate", OWN, "--token-file", own, "--json"]);
    assert_eq!((stderr(&answer), answer.status.code()), ("", Some(0)));
    assert_eq!(fs::read_to_string(own).expect("a token").trim_end(), NEW);
    assert!(!end.token_file().exists(), "nothing else is written");
    let names = fs::read_dir(end.path()).expect("a folder").count();
    assert_eq!(names, 2, "no draft is left");
}

/// Each problem has its line, but for what the message says already.
#[test]
fn a_refusal_lists_what_is_wrong_in_whatever_shape_it_was_found() {
    let end = OtherEnd::new(|peer, _| {
        peer.welcome();
        let request = peer.read().expect("a request");
        let mut reply: Value = serde_json::from_str(&refused(&request, "schema_invalid")).expect("JSON");
        reply["error"]["details"] = json!({"more": 3, "problems": [
            {"pointer": "/params/a", "problem": "is empty", "hint": "it is: A"},
            {"pointer": "", "problem": "lacks the key `b`"},
            {"code": "field_missing", "line": 2, "message": "severity is missing", "hint": "add it"},
            {"code": "repo_git_missing", "message": "there is no git"},
            {"message": "it may not be"},
            "a text",
            7,
        ]});
        peer.say(&reply.to_string());
    });
    let answer = end.striatum(&["repo", "add", "/r"]);
    assert_eq!(
        stderr(&answer),
        "error: it may not be (schema_invalid)\n\
         \x20      /params/a is empty; it is: A\n\
         \x20      the request lacks the key `b`\n\
         \x20      line 2: severity is missing; add it\n\
         \x20      there is no git\n\
         \x20      a text\n\
         \x20      and 3 more\n\
         next:  striatum repo add .\n"
    );
}

/// The lines of a text turn at the columns that are set; without a terminal and without them they do not.
#[test]
fn text_is_as_wide_as_there_is_room() {
    let end = OtherEnd::answering(json!({"said": "one two three four five six seven eight nine ten"}));
    let run = |columns: &str| {
        let answer = Command::new(env!("CARGO_BIN_EXE_striatum"))
            .args(["repo", "add", "/r"])
            .env("STRIATUM_DAEMON_RUNTIME_DIR", end.path())
            .env("COLUMNS", columns)
            .output();
        stdout(&answer.expect("the built program starts")).to_owned()
    };
    assert_eq!(run("40"), "said:  one two three four five six seven\n       eight nine ten\n");
    for none in ["", "0", "many"] {
        assert_eq!(run(none), "said:  one two three four five six seven eight nine ten\n");
    }
}

#[test]
fn a_code_of_a_newer_daemon_ends_with_1() {
    let end = OtherEnd::new(|peer, _| {
        peer.welcome();
        let request = peer.read().expect("a request");
        peer.say(&refused(&request, "moon_full"));
    });
    let answer = end.striatum(&["repo", "add", "/r"]);
    assert_eq!(answer.status.code(), Some(1));
    assert_eq!(stderr(&answer), "error: it may not be (moon_full)\nnext:  striatum repo add .\n");
}

#[test]
fn the_repository_of_a_command_is_that_of_the_working_directory() {
    let end = OtherEnd::answering(json!({"repository_id": "repo_1"}));
    let answer = end.striatum_in(end.path(), &["repo", "remove", "--request-id", "r1"]);
    assert_eq!((stdout(&answer), stderr(&answer)), ("repository id:  repo_1\n", ""));
    let asked = end.asked();
    let seen: Vec<_> = asked.iter().map(|asked| (asked["method"].as_str(), &asked["params"])).collect();
    assert_eq!(
        seen,
        [
            (Some("repo.resolve"), &json!({"path": end.path()})),
            (Some("repo.remove"), &json!({"repository_id": "repo_1"}))
        ]
    );
    assert_eq!(asked[1]["request_id"], "r1");
    assert_ne!(asked[0]["request_id"], "r1");

    end.striatum(&["repo", "remove", "repo_2"]);
    let asked = end.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0]["params"], json!({"repository_id": "repo_2"}));
}

#[test]
fn a_working_directory_of_no_repository_is_refused_as_the_daemon_says() {
    let end = OtherEnd::new(|peer, _| {
        peer.welcome();
        let request = peer.read().expect("a request");
        assert_eq!(request["method"], "repo.resolve");
        peer.say(&refused(&request, "repo_not_here"));
    });
    let answer = end.striatum(&["repo", "remove"]);
    assert_eq!(stderr(&answer), "error: it may not be (repo_not_here)\nnext:  striatum repo add .\n");
    assert_eq!(end.asked().len(), 1);
}

#[test]
fn nothing_that_the_daemon_sends_steers_the_terminal() {
    let end = OtherEnd::answering(json!({"a\u{9b}": "\u{1b}]0;x\u{7}\u{202e}", "b": [{"c": "\r\u{9b}1m"}]}));
    for arguments in [&["repo", "add", "/r"][..], &["repo", "add", "/r", "--json"]] {
        let answer = end.striatum(arguments);
        assert!(answer.status.success());
        let shown = stdout(&answer);
        assert!(shown.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')), "{shown:?}");
    }
}

#[test]
fn a_path_that_is_no_text_is_refused_before_anybody_is_asked() {
    use std::os::unix::ffi::OsStrExt as _;
    let end = OtherEnd::answering(json!({}));
    let answer = Command::new(env!("CARGO_BIN_EXE_striatum"))
        .args(["repo", "add"])
        .arg(std::ffi::OsStr::from_bytes(b"/x\xff\x1by"))
        .env("STRIATUM_DAEMON_RUNTIME_DIR", end.path())
        .output()
        .expect("the built program starts");
    assert_eq!(answer.status.code(), Some(2));
    assert_eq!(
        stderr(&answer),
        "error: the path \"/x\\xFF\\u{1b}y\" is no UTF-8, so it cannot be recorded (path_not_utf8)\n\
         next:  ls --quoting-style=shell-escape\n"
    );
    assert_eq!(end.asked().len(), 0);
}

#[test]
fn each_instance_has_a_runtime_directory_of_its_own() {
    let end = OtherEnd::answering(json!({}));
    let parent = end.path().parent().expect("a folder");
    let name = end.path().file_name().and_then(|name| name.to_str()).expect("text");
    let run = |instance: &str| {
        Command::new(env!("CARGO_BIN_EXE_striatum"))
            .args(["repo", "add", "/r", "--instance", instance])
            .env("STRIATUM_DAEMON_RUNTIME_DIR", parent)
            .output()
            .expect("the built program starts")
    };
    // The name of a temporary folder begins with a point, that of an instance never does.
    let answer = run(name);
    assert_eq!(answer.status.code(), Some(2), "{}", stderr(&answer));
    assert!(stderr(&answer).starts_with("error: invalid value '"), "{}", stderr(&answer));
    let answer = run("other");
    let socket = parent.join("other/striatumd.sock");
    assert_eq!(
        stderr(&answer),
        format!(
            "error: no daemon answers on {}: No such file or directory (os error 2) (daemon_unreachable)\n\
             next:  striatum local up --instance other\nnext:  striatum daemon start --instance other\n",
            socket.display()
        )
    );
}

#[test]
fn completions_know_the_commands_of_the_daemon() {
    let script = striatum(&["completions", "bash"]);
    for word in ["repo", "resolve", "--init", "--token-file"] {
        assert!(stdout(&script).contains(word), "{word}");
    }
}
