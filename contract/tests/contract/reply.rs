//! The wire reply, written and read.

use serde_json::value::RawValue;
use striatum_contract::refusal::Refusal;
use striatum_contract::reply::{Outcome, Reply, ReplyProblem};

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).expect("JSON")
}

fn line(reply: &Reply) -> String {
    String::from_utf8(reply.to_line()).expect("text")
}

fn done(data: &str) -> Reply {
    Reply {
        request_id: "r1".to_owned(),
        outcome: Outcome::Done(raw(data)),
        audit_id: Some("12".to_owned()),
        is_replayed: false,
        has_pending_effects: false,
    }
}

/// STR-RPC-02: version and request id come back, with exactly one of data and a stable error.
#[test]
fn a_reply_is_one_line_with_data_or_an_error() {
    assert_eq!(
        line(&done(r#"{"b": 1.50, "a": 2}"#)),
        "{\"schema_version\":1,\"request_id\":\"r1\",\"ok\":true,\"data\":{\"b\": 1.50, \"a\": 2},\
         \"audit_id\":\"12\"}\n"
    );
    let pending = Reply { is_replayed: true, has_pending_effects: true, audit_id: None, ..done("{}") };
    assert_eq!(
        line(&pending),
        "{\"schema_version\":1,\"request_id\":\"r1\",\"ok\":true,\"data\":{},\"replayed\":true,\
         \"effects\":\"pending\"}\n"
    );
    let refusal = Refusal::new("busy", "locked", ["again".to_owned()]);
    assert_eq!(
        line(&Reply::refused("", &refusal, None)),
        "{\"schema_version\":1,\"request_id\":\"\",\"ok\":false,\"error\":{\"code\":\"busy\",\"message\":\"locked\",\
         \"details\":{},\"next\":[\"again\"]}}\n"
    );
}

#[test]
fn line_breaks_between_tokens_do_not_end_the_line() {
    let written = line(&done("{\r\n  \"a\": \"x\\ny\"\n}"));
    assert_eq!(written.matches('\n').count(), 1, "{written:?}");
    let Outcome::Done(data) = Reply::read(&written).expect("a reply").outcome else { panic!("refused") };
    assert_eq!(serde_json::from_str::<serde_json::Value>(data.get()).expect("JSON")["a"], "x\ny");
}

/// STR-RPC-09: a key that was added is passed over.
#[test]
fn what_was_written_is_read_and_keys_of_a_newer_daemon_are_passed_over() {
    let text = r#"{"new":{"x":1},"schema_version":1,"request_id":"r1","ok":true,"data":{"n":12345678901234567890},
                   "audit_id":"7","replayed":true}"#;
    let reply = Reply::read(text).expect("a reply");
    assert_eq!((reply.request_id.as_str(), reply.audit_id.as_deref()), ("r1", Some("7")));
    assert!(reply.is_replayed && !reply.has_pending_effects);
    let Outcome::Done(data) = &reply.outcome else { panic!("refused") };
    assert_eq!(data.get(), r#"{"n":12345678901234567890}"#);
    assert_eq!(reply.outcome.refusal().expect("typed"), None);

    let refusal = Refusal::new("busy", "locked", []);
    let written = line(&Reply::refused("r2", &refusal, Some("8".to_owned())));
    let read = Reply::read(&written).expect("a reply");
    assert_eq!(read.outcome.refusal().expect("typed"), Some(refusal));
}

#[test]
fn what_is_no_reply_is_told_apart() {
    let with = |rest: &str| format!("{{\"schema_version\":1,\"request_id\":\"r\",{rest}}}");
    for halves in [r#""ok":true"#, r#""ok":false,"data":{}"#, r#""ok":true,"data":{},"error":{}"#] {
        assert!(matches!(Reply::read(&with(halves)), Err(ReplyProblem::Halves)), "{halves}");
    }
    let newer = r#"{"schema_version":2,"request_id":"r","ok":true,"data":{}}"#;
    assert!(matches!(Reply::read(newer), Err(ReplyProblem::Version(2))));
    for shape in ["", "[]", "{}", "HTTP/1.1 400 Bad Request", r#"{"schema_version":1,"ok":true,"data":{}}"#] {
        assert!(matches!(Reply::read(shape), Err(ReplyProblem::Shape(_))), "{shape}");
    }
    assert!(matches!(Reply::read(&with(r#""ok":true,"ok":false,"data":{}"#)), Err(ReplyProblem::Shape(_))));
    let odd = Reply::read(&with(r#""ok":false,"error":{"code":7}"#)).expect("a reply");
    assert!(odd.outcome.refusal().is_err());
}
