//! What a client may send by mistake or on purpose: each has its code, its audit row, and changes nothing.

use serde_json::{Value, json};
use striatum_testkit::Client;

use crate::stage::{Stage, code};

/// A line that is refused: what it is, the line, the code, and the request id that its row has (empty: none).
type Case = (&'static str, String, &'static str, &'static str);

/// A request to read, valid but for what stands in its params or beside them.
fn request(params: &str, beside: &str) -> String {
    format!(
        r#"{{"schema_version":1,"request_id":"bad","method":"daemon.describe","params":{params}{beside}}}"#
    )
}

fn cases(token: &str) -> Vec<Case> {
    let token = &format!(r#","capability_token":"{token}""#);
    let deep = format!("{{\"method\":{}{}}}", "[".repeat(80), "]".repeat(80));
    let with = |params: &str| request(params, token);
    let envelope = |text: &str| text.to_owned();
    vec![
        ("no JSON", "{".to_owned(), "schema_invalid", ""),
        ("no UTF-8 escape", r#"{"request_id":"bad\x"}"#.to_owned(), "schema_invalid", ""),
        ("two documents", "{} {}".to_owned(), "schema_invalid", ""),
        ("an array", "[]".to_owned(), "schema_invalid", ""),
        ("a text", r#""hello""#.to_owned(), "schema_invalid", ""),
        ("an empty object", "{}".to_owned(), "schema_invalid", ""),
        ("NUL in a text", with(r#"{"method":"a\u0000"}"#), "schema_invalid", "bad"),
        ("NUL in a key", with(r#"{"a\u0000":1}"#), "schema_invalid", "bad"),
        ("NUL in the request id", r#"{"request_id":"a\u0000b"}"#.to_owned(), "schema_invalid", "a\u{fffd}b"),
        ("NUL in the method", with("{}").replace("describe", r"a\u0000"), "schema_invalid", "bad"),
        ("a lone high surrogate", with(r#"{"method":"\ud83e"}"#), "schema_invalid", "bad"),
        ("a lone low surrogate", with(r#"{"method":"\udde0"}"#), "schema_invalid", "bad"),
        ("a key twice", with(r#"{"method":"a","method":"a"}"#), "schema_invalid", "bad"),
        ("a key of the envelope twice", request("{}", r#","request_id":"bad""#), "schema_invalid", "bad"),
        ("too deep", with(&deep), "schema_invalid", "bad"),
        ("2^53 + 1", with(r#"{"method":9007199254740993}"#), "schema_invalid", "bad"),
        ("an exponent", with(r#"{"method":1e5}"#), "schema_invalid", "bad"),
        ("an unknown param", with(r#"{"methd":"a"}"#), "schema_invalid", "bad"),
        ("a param of another type", with(r#"{"method":5}"#), "schema_invalid", "bad"),
        (
            "a param that is too long",
            with(&format!(r#"{{"method":"{}"}}"#, "a".repeat(129))),
            "schema_invalid",
            "bad",
        ),
        ("params that are no object", with("[]"), "schema_invalid", "bad"),
        ("an unknown key", request("{}", r#","token":"a""#), "schema_invalid", "bad"),
        (
            "no version",
            envelope(r#"{"request_id":"bad","method":"daemon.describe"}"#),
            "schema_invalid",
            "bad",
        ),
        ("no method", envelope(r#"{"schema_version":1,"request_id":"bad"}"#), "schema_invalid", "bad"),
        (
            "no request id",
            envelope(r#"{"schema_version":1,"method":"daemon.describe"}"#),
            "schema_invalid",
            "",
        ),
        (
            "a request id with a space",
            envelope(r#"{"schema_version":1,"request_id":"b d","method":"daemon.describe"}"#),
            "schema_invalid",
            "b d",
        ),
        ("a deadline of a day", request("{}", r#","deadline_ms":86400000"#), "schema_invalid", "bad"),
        ("a negative deadline", request("{}", r#","deadline_ms":-1"#), "schema_invalid", "bad"),
        ("no time at all", request("{}", &format!(r#"{token},"deadline_ms":0"#)), "deadline_exceeded", "bad"),
        (
            "another version",
            envelope(r#"{"schema_version":2,"request_id":"bad","method":"daemon.describe"}"#),
            "version_incompatible",
            "bad",
        ),
        ("an unknown method", with("{}").replace("describe", "reboot"), "method_unknown", "bad"),
        (
            "a retired method",
            with("{}").replace("daemon.describe", "apply.reviewed_patch"),
            "method_unknown",
            "bad",
        ),
        (
            "a method of the daemon's own",
            with("{}").replace("daemon.describe", "effect.due"),
            "method_unknown",
            "bad",
        ),
        (
            "the method that records",
            with("{}").replace("daemon.describe", "effect.record"),
            "method_unknown",
            "bad",
        ),
        ("a function's name", with("{}").replace("daemon.describe", "repo_add"), "method_unknown", "bad"),
        ("a method that is described by no name", with(r#"{"method":"no.such"}"#), "method_unknown", "bad"),
        ("no token", request("{}", ""), "token_missing", "bad"),
        ("a malformed token", request("{}", r#","capability_token":"secret""#), "token_malformed", "bad"),
        ("an empty token", request("{}", r#","capability_token":"""#), "token_malformed", "bad"),
        ("a token of null", request("{}", r#","capability_token":null"#), "schema_invalid", "bad"),
        ("a transport of its own", request("{}", r#","transport":"internal""#), "schema_invalid", "bad"),
        ("a phase of its own", request("{}", r#","phase":"record""#), "schema_invalid", "bad"),
    ]
}

/// STR-RPC-01: what is not the envelope is refused; STR-RPC-02: every reply is of the one shape (the client asserts
/// it); STR-RPC-07: each leaves its row in the chain; STR-RPC-08: an unknown, retired or internal method is
/// `method_unknown`, in the reply and in the row.
#[tokio::test]
async fn each_bad_line_has_its_code_and_its_row_and_changes_nothing() {
    let mut stage = Stage::set().await;
    let token = stage.daemon.setup().token().expect("a token");
    let state = stage.state().await;
    for (what, line, expected, request_id) in cases(&token) {
        let mut client = stage.client();
        let rows = stage.audit_rows().await;
        let reply = client.line(line.as_bytes()).expect(what).expect(what);
        assert_eq!(code(&reply), expected, "{what}: {reply}");
        assert_eq!(stage.audit_rows().await, rows + 1, "{what}");
        let (method, decision, reason, transport, id, _, exit) = stage.last_row().await;
        assert_eq!(
            (decision.as_str(), reason.as_deref(), transport.as_str()),
            ("denied", Some(expected), "rpc"),
            "{what}"
        );
        assert_eq!(id.as_deref().unwrap_or_default(), request_id, "{what}");
        assert!(exit.is_some_and(|exit| exit > 0), "{what}");
        let newest = "select max(audit_id)::text from striatumd.audit_log where transport <> 'internal'";
        assert_eq!(reply["audit_id"], stage.text(newest).await, "{what}");
        assert!(method.len() <= 128);
        assert_eq!(stage.state().await, state, "{what}");
        let goes_on = client.ask("daemon.describe", json!({})).expect(what);
        assert_eq!(goes_on["ok"], true, "{what}: {goes_on}");
    }
}

/// All that is wrong is said at once, each with its place.
#[tokio::test]
async fn all_problems_are_said_at_once() {
    let stage = Stage::set().await;
    let mut client = stage.client();
    let reply =
        client.ask("repo.add", json!({"pth": "/a", "init": "yes", "display_name": ""})).expect("a reply");
    assert_eq!(code(&reply), "schema_invalid");
    let problems = reply["error"]["details"]["problems"].as_array().expect("a list");
    let pointers: Vec<&str> = problems.iter().map(|one| one["pointer"].as_str().expect("a text")).collect();
    for place in ["/params/pth", "/params/init", "/params/display_name", "/params"] {
        assert!(pointers.contains(&place), "{place}: {reply}");
    }
    let reply = client
        .line(br#"{"schema_version":1,"request_id":"b d","method":"","params":[],"deadline_ms":-1,"more":1}"#)
        .expect("a connection")
        .expect("a reply");
    assert_eq!(reply["error"]["details"]["problems"].as_array().map(Vec::len), Some(5), "{reply}");
}

/// The third line that is no JSON is answered, and the connection closed; others do not count.
#[tokio::test]
async fn three_malformed_lines_end_a_connection() {
    let mut stage = Stage::set().await;
    let mut client = stage.client();
    let rows = stage.audit_rows().await;
    for (line, is_malformed) in [("{", 1), ("{}", 0), ("nonsense", 1), ("[]", 0), ("\"", 1)] {
        let reply = client.line(line.as_bytes()).expect("a connection").expect("a reply");
        assert_eq!(code(&reply), "schema_invalid", "{line} {is_malformed}");
    }
    assert!(client.hear().expect("an end").is_none());
    assert_eq!(stage.audit_rows().await, rows + 5);
    assert_eq!(stage.client().ask("daemon.describe", json!({})).expect("another connection")["ok"], true);
}

/// Blank lines are no requests; a request may come in pieces; two may come at once.
#[tokio::test]
async fn lines_are_told_apart_whatever_comes_between() {
    let mut stage = Stage::set().await;
    let mut client = stage.client();
    let rows = stage.audit_rows().await;
    let line = |id: &str| client.request(id, "daemon.describe", json!({"method": "repo.add"})).to_string();
    let both = format!("\n \r\n{}\r\n\n{}", line("one"), line("two"));
    client.say(both.as_bytes()).expect("a connection");
    for id in ["one", "two"] {
        let reply = client.hear().expect("a connection").expect("a reply");
        assert_eq!((reply["request_id"].as_str(), &reply["ok"]), (Some(id), &json!(true)));
    }
    assert_eq!(stage.audit_rows().await, rows + 2);
}

/// A line without end takes no memory without end: past the limit it is refused and the connection closed.
#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_ends_the_connection() {
    let mut stage = Stage::set().await;
    let mut client = stage.client();
    let rows = stage.audit_rows().await;
    let room = (8 << 20) - client.request("big", "daemon.describe", json!({"method": ""})).to_string().len();
    // One octet less fits into the line, whatever becomes of it then.
    let line = client.request("big", "daemon.describe", json!({"method": "a".repeat(room - 1)})).to_string();
    let reply = client.line(line.as_bytes()).expect("a connection").expect("a reply");
    assert_eq!((code(&reply), reply["request_id"].as_str()), ("schema_invalid", Some("big")));
    // The daemon does not wait for what comes behind: whoever sends it may find the connection closed.
    drop(client.say("a".repeat(9 << 20).as_bytes()));
    let reply = client.hear().expect("a connection").expect("a reply");
    assert_eq!(code(&reply), "schema_invalid", "{reply}");
    assert!(!matches!(client.hear(), Ok(Some(_))), "the connection is closed");
    assert_eq!(stage.audit_rows().await, rows + 2);
    assert_eq!(stage.last_row().await.2.as_deref(), Some("schema_invalid"));
}

fn greeting(envelopes: Value, framings: Value) -> Value {
    json!({"client": {"name": "old", "version": "0", "supported_envelope": envelopes, "supported_framings": framings}})
}

/// STR-RPC-03, STR-STORE-11: before hello nothing is served; who speaks no envelope or framing of this daemon's is
/// refused with exit code 10, again and again, and never served on other terms.
#[tokio::test]
async fn nothing_is_served_before_a_hello_that_both_sides_understand() {
    let mut stage = Stage::set().await;
    let token = stage.daemon.setup().token().expect("a token");
    let mut client = stage.daemon.connect().expect("a connection").with_token(&token);
    let hellos = [
        greeting(json!([2, 3]), json!(["json"])),
        greeting(json!([1]), json!(["cbor"])),
        greeting(json!([]), json!([])),
    ];
    for params in hellos {
        let refused = client.ask("daemon.hello", params).expect("a reply");
        assert_eq!(code(&refused), "version_incompatible", "{refused}");
        assert_eq!(stage.last_row().await.6, Some(10));
        let before = client.ask("daemon.describe", json!({})).expect("a reply");
        assert_eq!(code(&before), "version_incompatible", "{before}");
        assert_eq!(before["error"]["next"][0], "daemon.hello");
        assert_eq!(stage.last_row().await.6, Some(10));
    }
    let reply =
        client.ask("daemon.hello", greeting(json!([1, 2]), json!(["cbor", "json"]))).expect("a reply");
    assert_eq!((&reply["data"]["envelope"], &reply["data"]["framing"]), (&json!(1), &json!("json")));
    assert_eq!(client.ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
    // Of another connection that says nothing.
    let mut other = Client::connect(&stage.daemon.setup().socket()).expect("a connection").with_token(&token);
    assert_eq!(code(&other.ask("daemon.describe", json!({})).expect("a reply")), "version_incompatible");
}
