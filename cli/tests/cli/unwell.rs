//! A daemon that is not there, not well, or not a daemon; and a token that should not be used.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use striatum_contract::methods::{Method, REGISTRY};

use crate::other_end::{OtherEnd, TOKEN, done, refused};
use crate::{stderr, stdout};

const ASK: [&str; 5] = ["repo", "add", "/r", "--request-id", "r1"];

/// Exit code and everything on standard error; standard output stays empty.
#[track_caller]
fn fails(end: &OtherEnd, arguments: &[&str], exit_code: i32, said: &str) {
    let answer = end.striatum(arguments);
    assert_eq!(stderr(&answer), said);
    assert_eq!((answer.status.code(), stdout(&answer)), (Some(exit_code), ""));
}

fn nobody() -> OtherEnd {
    let end = OtherEnd::new(|_, _| {});
    fs::remove_file(end.socket()).expect("the socket goes");
    end
}

/// STR-CLI-14: exit code 11, the path of the socket, what to do.
#[test]
fn without_a_daemon_the_socket_is_named() {
    let end = nobody();
    let said = |socket: &Path, why: &str| {
        format!(
            "error: no daemon answers on {}: {why} (daemon_unreachable)\nnext:  striatum local up\n\
             next:  striatum daemon start\n",
            socket.display()
        )
    };
    fails(&end, &ASK, 11, &said(&end.socket(), "No such file or directory (os error 2)"));
    // A socket that nobody listens on any more, as a daemon leaves it that was killed.
    drop(std::os::unix::net::UnixListener::bind(end.socket()).expect("a socket"));
    fails(&end, &ASK, 11, &said(&end.socket(), "Connection refused (os error 111)"));
    let elsewhere = Path::new("/no/such/socket");
    let ask = [&ASK[..], &["--socket", "/no/such/socket"]].concat();
    fails(&end, &ask, 11, &said(elsewhere, "No such file or directory (os error 2)"));
    let json = [&ASK[..], &["--json"]].concat();
    let answer = end.striatum(&json);
    let line: Value = serde_json::from_str(stderr(&answer)).expect("JSON");
    assert_eq!((&line["ok"], &line["error"]["code"]), (&json!(false), &json!("daemon_unreachable")));
}

/// A line for each command that the daemon answers, with a value for all that it requires.
fn lines() -> Vec<Vec<String>> {
    let value = |property: &Value| {
        let words = property["enum"].as_array().or_else(|| property["items"]["enum"].as_array());
        let word = words.map(|words| words[0].as_str().expect("a word"));
        match property["type"].as_str() {
            Some("integer") => property["minimum"].to_string(),
            _ => word.unwrap_or("x").to_owned(),
        }
    };
    let line = |method: &Method| {
        let mut line = method.cli_path.clone()?;
        let required = method.params["required"].as_array().cloned().unwrap_or_default();
        for key in required.iter().filter_map(Value::as_str) {
            let property = &method.params["properties"][key];
            if !method.cli_positionals.iter().any(|positional| positional == key) {
                line.push(format!("--{}", key.replace('_', "-")));
            }
            if property["type"] != "boolean" {
                line.push(value(property));
            }
        }
        Some(line)
    };
    REGISTRY.methods.iter().filter_map(line).collect()
}

/// STR-BOUNDARY-11: no command that is about state does anything without a daemon, and none can be told to.
/// STR-BOUNDARY-12: nor do the variables that once told it to.
#[test]
fn no_command_goes_past_the_daemon() {
    let away = nobody();
    let unregistered = OtherEnd::new(|peer, _| {
        peer.welcome();
        while let Some(request) = peer.read() {
            peer.say(&refused(&request, "repo_not_registered"));
        }
    });
    let lines = lines();
    assert!(lines.len() > 5, "{lines:?}");
    for line in lines {
        let run = |end: &OtherEnd, more: &[&str]| {
            let answer = Command::new(env!("CARGO_BIN_EXE_striatum"))
                .args(&line)
                .args(more)
                .env("STRIATUM_DAEMON_RUNTIME_DIR", end.path())
                .env("STRIATUM_DAEMON_REQUIRED", "0")
                .env("STRIATUM_TEST_HARNESS", "1")
                .output()
                .expect("the built program starts");
            assert_eq!(stdout(&answer), "", "{line:?}");
            (answer.status.code(), stderr(&answer).to_owned())
        };
        let (code, said) = run(&away, &[]);
        assert!(code == Some(11) && said.contains("(daemon_unreachable)"), "{line:?}: {said}");
        let (code, said) = run(&unregistered, &[]);
        assert!(code == Some(12) && said.contains("(repo_not_registered)"), "{line:?}: {said}");
        let (code, said) = run(&away, &["--no-daemon"]);
        let is_unknown = said.starts_with("error: unexpected argument '--no-daemon' found (usage_invalid)\n");
        assert!(code == Some(2) && is_unknown, "{line:?}: {said}");
    }
}

#[test]
fn a_path_that_no_socket_can_have_is_refused() {
    let end = nobody();
    let long = format!("/{}", "x".repeat(107));
    fails(
        &end,
        &[&ASK[..], &["--socket", &long]].concat(),
        11,
        &format!(
            "error: the path of the socket has 108 octets, and a unix socket can have 107: {long} \
             (daemon_unreachable)\nnext:  STRIATUM_DAEMON_RUNTIME_DIR=/run/striatum striatum daemon start\n"
        ),
    );
    let just = format!("/{}", "x".repeat(106));
    let answer = end.striatum(&[&ASK[..], &["--socket", &just]].concat());
    assert!(stderr(&answer).starts_with(&format!("error: no daemon answers on {just}: No such file")));
}

/// Every command returns within its deadline.
#[test]
fn a_daemon_that_hangs_is_waited_for_no_longer_than_was_asked() {
    late(&OtherEnd::new(|peer, _| {
        peer.welcome();
        peer.hang();
    }));
}

#[test]
fn a_daemon_that_hangs_before_the_handshake_is_waited_for_no_longer() {
    late(&OtherEnd::new(|peer, _| peer.hang()));
}

#[track_caller]
fn late(end: &OtherEnd) {
    let said = format!(
        "error: the daemon on {} did not answer in time (daemon_unreachable)\n\
         next:  striatum repo add /r --request-id r1 --deadline-ms 1\n",
        end.socket().display()
    );
    fails(end, &[&ASK[..], &["--deadline-ms", "1"]].concat(), 11, &said);
}

/// Nobody knows what became of the request: the same id again tells.
#[test]
fn a_daemon_that_vanishes_is_asked_again_with_the_same_id() {
    let end = OtherEnd::new(|peer, number| {
        peer.welcome();
        let Some(request) = peer.read() else { return };
        match number {
            0 => {}
            1 => peer.send(b"{\"schema_version\":1,"),
            _ => peer.say(&done(&request, &json!({"tries": number + 1}))),
        }
    });
    let answer = end.striatum(&["repo", "add", "/r"]);
    assert_eq!((stdout(&answer), stderr(&answer)), ("tries:  3\n", ""));
    let ids: Vec<Value> = end.asked().into_iter().map(|mut asked| asked["request_id"].take()).collect();
    assert_eq!(ids.len(), 3);
    assert!(ids[0].as_str().is_some_and(|id| id.starts_with("cli-")) && ids.iter().all(|id| *id == ids[0]));
}

#[test]
fn a_daemon_that_keeps_vanishing_is_given_up_with_the_line_that_asks_again() {
    let end = OtherEnd::new(|peer, _| {
        peer.welcome();
        peer.read();
    });
    let said = |next: &str| {
        format!(
            "error: the daemon on {} closed the connection before it answered (daemon_unreachable)\nnext:  {next}\n",
            end.socket().display()
        )
    };
    fails(&end, &ASK, 11, &said("striatum repo add /r --request-id r1"));
    let asked = end.asked();
    assert_eq!(asked.len(), 4);
    let answer = end.striatum(&["repo", "add", "/it's here"]);
    let id = end.asked()[0]["request_id"].as_str().expect("an id").to_owned();
    assert_eq!(stderr(&answer), said(&format!("striatum repo add '/it'\\''s here' --request-id {id}")));
}

#[test]
fn a_daemon_that_is_gone_while_it_is_asked_again_is_unreachable() {
    let end = OtherEnd::new(|peer, _| {
        peer.welcome();
        let request = peer.read().expect("a request");
        let socket = request["params"]["path"].as_str().expect("a path").to_owned();
        fs::remove_file(socket).expect("the socket goes");
    });
    let socket = end.socket().display().to_string();
    fails(
        &end,
        &["repo", "add", &socket, "--request-id", "r1"],
        11,
        &format!(
            "error: no daemon answers on {socket}: No such file or directory (os error 2) (daemon_unreachable)\n\
             next:  striatum local up\nnext:  striatum daemon start\n"
        ),
    );
}

#[test]
fn a_busy_daemon_is_asked_again_on_the_same_connection() {
    let busy = |times: usize| {
        OtherEnd::new(move |peer, _| {
            peer.welcome();
            for tries in 0.. {
                let Some(request) = peer.read() else { return };
                if tries < times {
                    peer.say(&refused(&request, "busy"));
                } else {
                    peer.say(&done(&request, &json!({"tries": tries + 1})));
                }
            }
        })
    };
    let end = busy(2);
    assert_eq!(stdout(&end.striatum(&ASK)), "tries:  3\n");
    assert!(end.asked().iter().all(|asked| asked["request_id"] == "r1"));
    let end = busy(100);
    fails(&end, &ASK, 75, "error: it may not be (busy)\nnext:  striatum repo add .\n");
    assert_eq!(end.asked().len(), 4);
    // No time is left for another try.
    fails(
        &end,
        &[&ASK[..], &["--deadline-ms", "1"]].concat(),
        75,
        "error: it may not be (busy)\nnext:  striatum repo add .\n",
    );
    assert_eq!(end.asked().len(), 1);
}

/// Answers the handshake, then the request with whatever the test wants.
fn saying(answer: impl Fn(&Value) -> Vec<u8> + Send + 'static) -> OtherEnd {
    OtherEnd::new(move |peer, _| {
        peer.welcome();
        let Some(request) = peer.read() else { return };
        let answer = answer(&request);
        peer.send(&answer);
        peer.hang();
    })
}

#[test]
fn what_is_no_reply_is_refused_and_not_asked_again() {
    let none = "error: what came back is no reply to what was asked: it";
    let next = "(reply_unreadable)\nnext:  striatum daemon status\n";
    for (answer, said) in [
        ("HTTP/1.1 400 Bad Request\r\n", format!("{none} has not the shape of a reply {next}")),
        ("\n", format!("{none} has not the shape of a reply {next}")),
        (
            "{\"schema_version\":1,\"request_id\":\"r1\",\"ok\":true}\n",
            format!("{none} does not hold exactly one of data and error, as its `ok` says {next}"),
        ),
        (
            "{\"schema_version\":1,\"request_id\":\"r2\",\"ok\":true,\"data\":{}}\n",
            format!("{none} answers another request {next}"),
        ),
        (
            "{\"schema_version\":1,\"request_id\":\"\",\"ok\":true,\"data\":{}}\n",
            format!("{none} answers another request {next}"),
        ),
        (
            "{\"schema_version\":1,\"request_id\":\"r1\",\"ok\":false,\"error\":{\"code\":7}}\n",
            "error: the daemon refused in a shape that this program does not know (reply_unreadable)\n\
             next:  striatum --version\n"
                .to_owned(),
        ),
        (
            "{\"schema_version\":2,\"request_id\":\"r1\",\"ok\":true,\"data\":{}}\n",
            "error: the daemon speaks envelope 2 in json, and this program envelope 1 in json \
             (version_incompatible)\nnext:  striatum --version\n"
                .to_owned(),
        ),
    ] {
        let end = saying(move |_| answer.into());
        fails(&end, &ASK, 10, &said);
        assert_eq!(end.asked().len(), 1, "{answer}");
    }
}

#[test]
fn a_line_without_an_end_or_without_text_is_refused() {
    let said = |end: &OtherEnd, problem: &str| {
        format!(
            "error: what came back from {} {problem} (reply_unreadable)\n\
             next:  striatum repo add /r --request-id r1\n",
            end.socket().display()
        )
    };
    let end = saying(|_| vec![b'x'; 10 << 20]);
    fails(&end, &ASK, 10, &said(&end, "is longer than 8 MiB"));
    let end = saying(|_| b"{\"a\":\"\xff\"}\n".to_vec());
    fails(&end, &ASK, 10, &said(&end, "is no UTF-8"));
    // One octet more than a line may have, and just as many.
    let of_length = |length: usize| {
        saying(move |request| {
            let line = done(request, &json!({"x": "@"}));
            (line.replace('@', &"y".repeat(length + 1 - line.len())) + "\n").into_bytes()
        })
    };
    let end = of_length((8 << 20) + 1);
    fails(&end, &ASK, 10, &said(&end, "is longer than 8 MiB"));
    let end = of_length(8 << 20);
    let answer = end.striatum(&[&ASK[..], &["--json"]].concat());
    assert_eq!((answer.status.code(), answer.stdout.len()), (Some(0), (8 << 20) + 1), "{}", stderr(&answer));
}

/// STR-CLI-13, STR-RPC-03, STR-STORE-11: nothing is asked where the two do not speak the same, and the exit code is 10.
#[test]
fn a_handshake_that_does_not_fit_ends_it() {
    for (welcome, said) in [
        (
            json!({"envelope": 2, "framing": "json"}),
            "error: the daemon speaks envelope 2 in json, and this program envelope 1 in json \
             (version_incompatible)\nnext:  striatum --version\n",
        ),
        (
            json!({"envelope": 1, "framing": "cbor"}),
            "error: the daemon speaks envelope 1 in cbor, and this program envelope 1 in json \
             (version_incompatible)\nnext:  striatum --version\n",
        ),
        (
            json!({"envelope": 1}),
            "error: what came back is no reply to what was asked: missing field `framing` at line 1 column 14 \
             (reply_unreadable)\nnext:  striatum daemon status\n",
        ),
    ] {
        let end = OtherEnd::new(move |peer, _| {
            peer.greet(&welcome);
            peer.hang();
        });
        fails(&end, &ASK, 10, said);
        assert_eq!(end.asked().len(), 0);
    }
    let end = OtherEnd::new(|peer, _| {
        let hello = peer.read().expect("a handshake");
        peer.say(&refused(&hello, "version_incompatible"));
        peer.hang();
    });
    fails(&end, &ASK, 10, "error: it may not be (version_incompatible)\nnext:  striatum repo add .\n");
}

/// What a daemon that may not serve answers is its own business: it is asked like any other.
#[test]
fn a_parked_daemon_is_asked_all_the_same() {
    let end = OtherEnd::new(|peer, _| {
        let parked = json!({"reason": "database_behind", "message": "old", "next": ["striatumd db apply"]});
        peer.greet(&json!({"daemon_version": "1", "envelope": 1, "framing": "json", "parked": parked}));
        let request = peer.read().expect("a request");
        peer.say(&refused(&request, "database_ahead"));
    });
    fails(&end, &ASK, 9, "error: it may not be (database_ahead)\nnext:  striatum repo add .\n");
}

/// STR-REGISTRY-09: a token comes from its file alone.
#[test]
fn a_token_that_others_could_have_read_or_written_is_not_used() {
    let end = OtherEnd::answering(json!({"a": 1}));
    let file = end.token_file();
    let unavailable = |problem: &str, next: &str| {
        let file = file.display();
        format!("error: the token file {file} {problem} (token_unavailable)\nnext:  {next}\n")
    };
    let (list, narrow) = (format!("ls -l {}", file.display()), format!("chmod 600 {}", file.display()));
    for mode in [0o640, 0o604, 0o620, 0o602, 0o601, 0o2777] {
        end.token(TOKEN, mode);
        let problem = format!("has mode {mode:04o}, so that others can use it");
        fails(&end, &ASK, 11, &unavailable(&problem, &narrow));
    }
    for mode in [0o600, 0o400] {
        end.token(&format!("{TOKEN}\n"), mode);
        assert!(end.striatum(&ASK).status.success());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("its mode");
    }
    end.token("s3cret", 0o600);
    fails(
        &end,
        &ASK,
        13,
        &format!(
            "error: the token in {} has no point between the client id and the secret (token_malformed)\n\
             next:  striatum token recover\n",
            file.display()
        ),
    );
    fs::remove_file(&file).expect("the token goes");
    fails(&end, &ASK, 11, &unavailable("does not exist", "striatum local up\nnext:  striatum token recover"));
    let shown = file.display();
    let named = [&ASK[..], &["--token-file", file.to_str().expect("text")]].concat();
    let how = format!(
        "install -m 600 /dev/null {shown}\n\
         next:  put the token into {shown}, on a line of its own: `striatum token create` shows one"
    );
    fails(&end, &named, 11, &unavailable("does not exist", &how));
    fs::create_dir(&file).expect("a folder");
    fails(&end, &ASK, 11, &unavailable("is no file", &list));
    fs::remove_dir(&file).expect("the folder goes");
    let pipe = Command::new("mkfifo").arg("-m").arg("600").arg(&file).status().expect("mkfifo");
    assert!(pipe.success());
    fails(&end, &ASK, 11, &unavailable("is no file", &list));
}

#[test]
fn a_token_file_of_another_user_is_not_used() {
    let end = OtherEnd::answering(json!({}));
    let file = end.token_file();
    // Only root can give a file away; anybody else finds one of root's.
    let (owner, own) = match chown(&file, Some(1), None) {
        Ok(()) => (1, 0),
        Err(_) => {
            fs::remove_file(&file).expect("the token goes");
            symlink("/etc/hostname", &file).expect("a link");
            let folder = fs::metadata(end.path()).expect("the folder");
            (0, std::os::unix::fs::MetadataExt::uid(&folder))
        }
    };
    let said = format!(
        "error: the token file {0} belongs to user {owner} and not to user {own}, who runs this program \
         (token_unavailable)\nnext:  ls -l {0}\n",
        file.display()
    );
    fails(&end, &ASK, 11, &said);
}

#[test]
fn a_token_is_no_argument_and_no_variable() {
    let end = OtherEnd::answering(json!({}));
    fs::remove_file(end.token_file()).expect("the token goes");
    let answer = Command::new(env!("CARGO_BIN_EXE_striatum"))
        .args(ASK)
        .env("STRIATUM_DAEMON_RUNTIME_DIR", end.path())
        .env("STRIATUM_TOKEN", TOKEN)
        .env("STRIATUM_CAPABILITY_TOKEN", TOKEN)
        .output()
        .expect("the built program starts");
    assert_eq!(answer.status.code(), Some(11));
    fails(
        &end,
        &[&ASK[..], &["--token", TOKEN]].concat(),
        2,
        "error: unexpected argument '--token' found (usage_invalid)\nnext:  striatum repo add --help\n",
    );
}

#[test]
fn flags_that_cannot_be_understood_are_usage_errors() {
    let end = nobody();
    let help = "(usage_invalid)\nnext:  striatum repo add --help\n";
    for (arguments, said) in [
        (&["repo", "add", "/r", "--colour"][..], "error: unexpected argument '--colour' found".to_owned()),
        (
            &["repo", "add", "/r", "--request-id", "a b"],
            "error: invalid value 'a b' for '--request-id <ID>': an id is 1 to 128 characters of A-Z a-z 0-9 . _ : -"
                .to_owned(),
        ),
        (
            &["repo", "add", "/r", "--instance", "../x"],
            "error: invalid value '../x' for '--instance <NAME>': a name is 1 to 32 characters of A-Z a-z 0-9 _ -"
                .to_owned(),
        ),
        (
            &["repo", "add", "/r", "--deadline-ms", "3600001"],
            "error: invalid value '3600001' for '--deadline-ms <N>': 3600001 is not in 0..=3600000".to_owned(),
        ),
        (
            &["repo", "add"],
            "error: the following required arguments were not provided: <path>".to_owned(),
        ),
    ] {
        fails(&end, arguments, 2, &format!("{said} {help}"));
    }
}
