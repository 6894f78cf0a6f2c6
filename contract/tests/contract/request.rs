//! The strict reader of a request line: what it takes, and every way in which it says no.

use serde_json::{Value, json};
use striatum_contract::request::{Request, Unread};

const SECRET: &str = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE";

/// A request with this as its params.
fn with(params: &str) -> String {
    format!(r#"{{"schema_version":1,"request_id":"r1","method":"repo.add","params":{params}}}"#)
}

fn unread(line: impl AsRef<[u8]>) -> Unread {
    *Request::read(line.as_ref()).expect_err("refused")
}

/// Pointer and problem of each.
fn found(unread: &Unread) -> Vec<(String, String)> {
    assert_eq!(unread.refusal.code, "schema_invalid");
    let text = |of: &Value, key: &str| of[key].as_str().expect("text").to_owned();
    let problems = unread.refusal.details["problems"].as_array().expect("a list");
    problems.iter().map(|of| (text(of, "pointer"), text(of, "problem"))).collect()
}

/// The only problem of params that are JSON, but not as they may be.
fn only(params: &str) -> (String, String) {
    let unread = unread(with(params));
    assert!(!unread.is_malformed, "{params}");
    assert_eq!((unread.request_id.as_deref(), unread.method.as_deref()), (Some("r1"), Some("repo.add")));
    let mut found = found(&unread);
    assert_eq!(found.len(), 1, "{params}: {found:?}");
    found.remove(0)
}

/// STR-RPC-01: the envelope, with and without what may be left out.
#[test]
fn a_request_is_read_as_it_was_sent() {
    let request = Request::read(with(r#"{"path": "/r",  "n": [1.5, 9007199254740992]}"#).as_bytes());
    let request = request.expect("a request");
    assert_eq!((request.request_id.as_str(), request.method.as_str()), ("r1", "repo.add"));
    assert_eq!(request.params, json!({"path": "/r", "n": [1.5, 9_007_199_254_740_992_u64]}));
    assert_eq!(request.params_text.get(), r#"{"path": "/r",  "n": [1.5, 9007199254740992]}"#);
    assert_eq!((request.capability_token, request.deadline_ms), (None, 30_000));

    let line = format!(
        " {{\"deadline_ms\":0,\"capability_token\":\"client_1.{SECRET}\",\"method\":\"\\u0072epo.add\",\
         \"request_id\":\"A-z.0_9:\",\"schema_version\":1}}\r\n"
    );
    let request = Request::read(line.as_bytes()).expect("a request");
    assert_eq!((request.method.as_str(), request.deadline_ms), ("repo.add", 0));
    assert_eq!((&request.params, request.params_text.get()), (&json!({}), "{}"));
    assert_eq!(request.capability_token.as_ref().map(|token| token.secret()), Some(SECRET));
    assert!(!format!("{request:?}").contains(SECRET));
}

#[test]
fn all_that_is_wrong_with_an_envelope_is_said_at_once() {
    let line = r#"{"schema_version":1,"request_id":"a b","methd":"x","params":[],"capability_token":null,
                   "deadline_ms":3600001,"wholly_other":1}"#;
    let unread = unread(line);
    assert!(!unread.is_malformed);
    assert_eq!((unread.request_id.as_deref(), unread.method.as_deref()), (Some("a b"), None));
    let said: Vec<String> = unread.refusal.details["problems"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|of| format!("{}: {}; {}", of["pointer"], of["problem"], of["hint"]).replace('"', ""))
        .collect();
    assert_eq!(
        said,
        [
            ": lacks the key `method`; send a text",
            "/capability_token: has another shape; send a text; without one leave the key out",
            "/request_id: is no request id; use 1 to 128 characters of A-Z a-z 0-9 . _ : -",
            "/deadline_ms: is too long; send an integer from 0 to 3600000",
            "/params: is no object; send an object; without params leave it out",
            "/methd: is no key that is known; did you mean `method`?",
            "/wholly_other: is no key that is known; leave it out; known are schema_version, request_id, method, \
             params, capability_token, deadline_ms",
        ]
    );
    assert_eq!(unread.refusal.message, "the request lacks the key `method` (and 6 more problems)");
    assert_eq!(unread.refusal.next, ["daemon.describe"]);
}

#[test]
fn the_bounds_of_the_envelope_are_exact() {
    let line = |id: &str, method: &str, deadline: &str| {
        format!(r#"{{"schema_version":1,"request_id":"{id}","method":"{method}","deadline_ms":{deadline}}}"#)
    };
    let longest = "x".repeat(128);
    assert!(Request::read(line(&longest, &longest, "3600000").as_bytes()).is_ok());
    let longer = "x".repeat(129);
    for (id, method, deadline, place) in [
        ("", "m", "1", "/request_id"),
        (longer.as_str(), "m", "1", "/request_id"),
        ("é", "m", "1", "/request_id"),
        ("r", "", "1", "/method"),
        ("r", longer.as_str(), "1", "/method"),
        ("r", "m", "-1", "/deadline_ms"),
        ("r", "m", "1.5", "/deadline_ms"),
        ("r", "m", "\"1\"", "/deadline_ms"),
        ("r", "m", "null", "/deadline_ms"),
    ] {
        let found = found(&unread(line(id, method, deadline)));
        assert_eq!(found.iter().map(|(at, _)| at.as_str()).collect::<Vec<_>>(), [place], "{id} {deadline}");
    }
    let told = unread(line(&longer, &"é".repeat(65), "1"));
    assert_eq!(told.request_id.as_deref(), Some(longest.as_str()));
    assert_eq!(told.method.as_deref(), Some("é".repeat(64).as_str()), "cut between two characters");
}

/// STR-STORE-11, whatever else it holds: another envelope may well mean something else by it.
#[test]
fn another_version_is_refused_as_incompatible() {
    let refused = unread(r#"{"schema_version":2,"request_id":"r1","way":"new"}"#);
    assert_eq!(refused.refusal.code, "version_incompatible");
    assert_eq!(refused.refusal.exit_code(), 10);
    assert_eq!(refused.refusal.details, json!({"supported_envelope": [1], "envelope": 2}));
    assert_eq!(refused.request_id.as_deref(), Some("r1"));
    for odd in [r#""1""#, "-1", "null", "1.5"] {
        let line = format!(r#"{{"schema_version":{odd},"request_id":"r","method":"m"}}"#);
        assert_eq!(found(&unread(line))[0].0, "/schema_version", "{odd}");
    }
}

#[test]
fn a_token_that_is_none_is_refused_as_such() {
    let line = r#"{"schema_version":1,"request_id":"r1","method":"m","capability_token":"s3cret"}"#;
    let unread = unread(line);
    assert_eq!(unread.refusal.code, "token_malformed");
    assert!(!format!("{unread:?}").contains("s3cret"));
    assert_eq!(unread.method.as_deref(), Some("m"));
}

/// What jsonb chokes on.
#[test]
fn nul_and_halves_of_surrogate_pairs_are_found_in_values_and_keys() {
    let nul = "holds NUL, which cannot be stored";
    let half = "holds half of a surrogate pair, which is no character";
    assert_eq!(only(r#"{"a":[0,"x\u0000y"]}"#), ("/params/a/1".into(), nul.into()));
    assert_eq!(only(r#"{"a":{"k\u0000":1}}"#), ("/params/a/k\0".into(), nul.into()));
    for text in [r"\ud83e", r"\udde0", r"\udde0\ud83e", r"\ud83ex", r"\ud83e\u0041", r"\ud83e\ud83e\udde0"] {
        assert_eq!(only(&format!(r#"{{"a":"{text}"}}"#)), ("/params/a".into(), half.into()), "{text}");
    }
    for text in [r"\ud83e\udde0", r"\uD83E\uDDE0", "🧠", r"\\u0000", r"\u0001", r"\uffff"] {
        assert!(Request::read(with(&format!(r#"{{"a":"{text}"}}"#)).as_bytes()).is_ok(), "{text}");
    }
}

#[test]
fn a_key_that_stands_twice_is_found_at_any_depth_and_however_it_is_written() {
    let twice = "stands twice in one object";
    assert_eq!(only(r#"{"a":1,"a":1}"#), ("/params/a".into(), twice.into()));
    assert_eq!(only(r#"{"l":[{},{"a":1,"b":2,"\u0061":3}]}"#), ("/params/l/1/a".into(), twice.into()));
    assert_eq!(only(r#"{"":1,"":2}"#), ("/params/".into(), twice.into()));
    assert_eq!(only(r#"{"🧠":1,"\ud83e\udde0":2}"#), ("/params/🧠".into(), twice.into()));
    assert_eq!(only(r#"{"a/b~c":1,"a\/b~c":2}"#), ("/params/a~1b~0c".into(), twice.into()));
    assert!(Request::read(with(r#"{"a":{"a":{"a":1}},"A":1}"#).as_bytes()).is_ok());
    let line = r#"{"schema_version":1,"request_id":"r1","request_id":"r2","method":"m"}"#;
    let unread = unread(line);
    assert_eq!(found(&unread), [("/request_id".into(), twice.into())]);
    assert_eq!(unread.request_id.as_deref(), Some("r1"));
}

/// A number is either the same everywhere or refused.
#[test]
fn numbers_that_would_not_be_kept_are_found() {
    for number in ["0", "-1", "1.5", "-0.25", "9007199254740992", "-9007199254740992", "0.1", "0.000001"] {
        assert!(Request::read(with(&format!(r#"{{"n":{number}}}"#)).as_bytes()).is_ok(), "{number}");
    }
    let beyond = "is a number beyond 9007199254740992 in magnitude";
    let exponent = "is a number with an exponent";
    let rewritten = "is a number that would not be kept as it is written";
    let long = "9".repeat(400);
    for (number, problem) in [
        ("9007199254740993", beyond),
        ("-9007199254740993", beyond),
        ("9007199254740993.5", beyond),
        (long.as_str(), beyond),
        ("1e3", exponent),
        ("1E+400", exponent),
        ("-0.1e-7", exponent),
        ("-0", rewritten),
        ("-0.0", rewritten),
        ("1.0", rewritten),
        ("1.50", rewritten),
        ("9007199254740992.5", rewritten),
        ("0.12345678901234567890", rewritten),
        ("0.00000000000000000001", rewritten),
    ] {
        assert_eq!(only(&format!(r#"{{"n":{number}}}"#)), ("/params/n".into(), problem.into()), "{number}");
    }
    let hint = |number: &str| {
        unread(with(&format!(r#"{{"n":{number}}}"#))).refusal.details["problems"][0]["hint"].clone()
    };
    assert_eq!(hint("1.50"), "write 1.5");
    assert_eq!(hint("-0"), "write 0");
    assert_eq!(hint(&format!("0.{}", "0".repeat(1_000_000))), "write 0");
}

#[test]
fn nesting_is_counted_from_the_request_itself() {
    let nested = |depth: usize| with(&format!(r#"{{"a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth)));
    assert!(Request::read(nested(62).as_bytes()).is_ok());
    let line = nested(63).replace(r#""params""#, r#""x":"\u0000","params""#);
    let unread = unread(line);
    assert!(!unread.is_malformed);
    let pointer = format!("/params/a{}", "/0".repeat(62));
    assert_eq!(
        found(&unread),
        [("/x".into(), "holds NUL, which cannot be stored".into()), (pointer, "nests deeper than 64".into())]
    );
}

/// What stands behind something too deep is still read: the row of the refusal names the request.
#[test]
fn the_request_is_named_although_its_params_are_too_deep() {
    let deep = format!("{}{}", "[\"]\\\"\",".repeat(10_000), "0".to_owned() + &"]".repeat(10_000));
    let unread = unread(format!(r#"{{"params":{deep},"request_id":"r9","method":"m"}}"#));
    assert_eq!((unread.request_id.as_deref(), unread.method.as_deref()), (Some("r9"), Some("m")));
    assert!(!unread.is_malformed);
    assert_eq!(found(&unread).len(), 1);
}

#[test]
fn what_is_no_json_is_malformed_and_said_with_its_place() {
    let json = |at: usize, expected: &str, found: &str| {
        format!("is not JSON: {expected} was expected at octet {at}, not {found}")
    };
    for (line, pointer, problem) in [
        ("", "", json(1, "a value", "the end")),
        ("\u{feff}{}", "", json(1, "a value", "octet 0xef")),
        ("{", "", json(2, "a key in quotes", "the end")),
        ("{}{}", "", json(3, "nothing more", "`{`")),
        ("{} x", "", json(4, "nothing more", "`x`")),
        (r#"{"a":1,}"#, "", json(8, "a key in quotes", "`}`")),
        (r#"{"a":[1,]}"#, "/a/1", json(9, "a value", "`]`")),
        (r#"{"a":[1}"#, "/a/0", json(8, "`,` or `]`", "`}`")),
        (r#"{"a" 1}"#, "/a", json(6, "`:`", "`1`")),
        (r#"{'a':1}"#, "", json(2, "a key in quotes", "`'`")),
        (r#"{"a":NaN}"#, "/a", json(6, "a value", "`N`")),
        (r#"{"a":nul}"#, "/a", json(6, "a value", "`n`")),
        (r#"{"a":01}"#, "/a", json(7, "`,` or `}`", "`1`")),
        (r#"{"a":-}"#, "/a", json(7, "a digit", "`}`")),
        (r#"{"a":1.}"#, "/a", json(8, "a digit", "`}`")),
        (r#"{"a":1e}"#, "/a", json(8, "a digit", "`}`")),
        (r#"{"a":"x"#, "/a", json(8, "the end of a text", "the end")),
        (r#"{"a":"\x"}"#, "/a", json(8, "an escape that JSON knows", "`x`")),
        (r#"{"a":"\u00g0"}"#, "/a", json(11, "four hexadecimal digits", "`g`")),
        ("{\"a\":\"x\ty\"}", "/a", json(8, "no raw control character in a text", "octet 0x09")),
        ("{\"a\":\0}", "/a", json(6, "a value", "octet 0x00")),
    ] {
        let unread = unread(line);
        assert!(unread.is_malformed, "{line}");
        assert_eq!(found(&unread), [(pointer.to_owned(), problem)], "{line}");
    }
}

#[test]
fn a_text_that_is_no_text_is_malformed_and_the_rest_is_read() {
    let mut line = with(r#"{"a":"é","b":1e3}"#).into_bytes();
    let at = line.iter().position(|octet| *octet == 0xc3).expect("it is there");
    line[at + 1] = b'"';
    line[at + 2] = b' ';
    let unread = unread(&line);
    assert!(unread.is_malformed);
    assert_eq!(
        found(&unread),
        [
            ("/params/a".into(), format!("is not UTF-8 at octet {}", at + 1)),
            ("/params/b".into(), "is a number with an exponent".into())
        ]
    );
    let line = with("{\"a\":\"x\0y\"}");
    let unread = Request::read(line.as_bytes()).expect_err("refused");
    assert!(unread.is_malformed, "a raw NUL is no JSON");
    assert_eq!(found(&unread), [("/params/a".into(), "holds NUL, which cannot be stored".into())]);
}

#[test]
fn json_that_is_no_object_is_a_request_that_is_invalid() {
    for line in ["[]", "5", "null", "\"x\"", " true "] {
        let unread = unread(line);
        assert!(!unread.is_malformed, "{line}");
        assert_eq!(found(&unread), [(String::new(), "is no object".into())]);
        assert_eq!((unread.request_id, unread.method), (None, None));
    }
}

#[test]
fn more_problems_than_are_listed_are_counted() {
    let many = vec!["1e1"; 100_000].join(",");
    let unread = unread(with(&format!(r#"{{"a":[{many}]}}"#)));
    assert_eq!(found(&unread).len(), 20);
    assert_eq!(unread.refusal.details["more"], 99_980);
    assert_eq!(unread.refusal.message, "/params/a/0 is a number with an exponent (and 99999 more problems)");
}

/// No line of 8 MiB makes the reader deep, slow or large.
#[test]
fn hostile_lines_end() {
    let size = 8 << 20;
    let fill = |part: &str| part.repeat(size / part.len());
    for line in
        [fill("["), fill("{\"a\":"), fill("[{\"\":"), fill("\""), fill("\\"), fill("\"\\u0000"), fill("1")]
    {
        assert!(Request::read(line.as_bytes()).is_err());
    }
    let unread = unread(format!(r#"{{"{}":1e1}}"#, fill("~")));
    assert!(serde_json::to_string(&unread.refusal).expect("JSON").len() < 1000, "a long key is cut");
    let keys: Vec<String> = (0..200_000).map(|n| format!("\"{n}\":0")).collect();
    assert!(Request::read(with(&format!("{{{}}}", keys.join(","))).as_bytes()).is_ok());
}

#[test]
fn what_is_told_of_a_refused_request_can_be_stored() {
    let unread = unread(r#"{"request_id":"a\u0000b\ud800","method":"\"\\\n\u00e9","x":"#);
    assert!(unread.is_malformed);
    assert_eq!(unread.request_id.as_deref(), Some("a\u{fffd}b\u{fffd}"));
    assert_eq!(unread.method.as_deref(), Some("\"\\\né"));
    let unread = Request::read(br#"{"request_id":7,"params":{"method":"inner"},"method":["m"]}"#);
    let unread = unread.expect_err("refused");
    assert_eq!((unread.request_id, unread.method), (None, None));
}
