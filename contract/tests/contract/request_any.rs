//! The reader of requests, on inputs that nobody thought of.

use proptest::prelude::*;
use serde_json::Value;
use striatum_contract::methods::{REGISTRY, validate};
use striatum_contract::reply::Reply;
use striatum_contract::request::Request;

/// Seeds are not kept: what was found once becomes a test of its own.
fn often(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Octets that matter to JSON far more often than others.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        any::<u8>().prop_map(|octet| vec![octet]),
        prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\"",
            "\\",
            "\\u0000",
            "\\ud83e",
            "\\udde0",
            "\"a\"",
            "\"a\":",
            "0",
            "-",
            "1.5",
            "e",
            "E9",
            "true",
            "null",
            " ",
            "\n",
            "é",
            "\"method\":",
            "\"request_id\":\"r\"",
            "\"schema_version\":1",
            "\"params\":{",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

/// Any JSON, numbers and texts of all kinds among it.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1000i32..1000).prop_map(|n| Value::from(f64::from(n) / 8.0)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// What PostgreSQL's jsonb refuses or rewrites does not stand in a text.
fn is_kept(value: &Value) -> bool {
    let is_text_kept = |text: &str| !text.contains('\0');
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(number) => {
            number.as_f64().is_some_and(|number| number.abs() <= 9_007_199_254_740_992.0)
        }
        Value::String(text) => is_text_kept(text),
        Value::Array(entries) => entries.iter().all(is_kept),
        Value::Object(members) => members.iter().all(|(key, value)| is_text_kept(key) && is_kept(value)),
    }
}

proptest! {
    #![proptest_config(often(2000))]

    #[test]
    fn no_octets_make_a_reader_panic(octets in octets()) {
        if let Err(unread) = Request::read(&octets) {
            prop_assert!(!unread.refusal.message.is_empty());
            for told in [&unread.request_id, &unread.method].into_iter().flatten() {
                prop_assert!(told.len() <= 128 && !told.contains('\0'));
            }
            // What is no JSON to another reader is malformed to this one, and the other way round.
            let is_json = serde_json::from_slice::<Value>(&octets).is_ok();
            let is_halved = unread.refusal.details.to_string().contains("surrogate");
            prop_assert!(is_json != unread.is_malformed || is_halved, "{unread:?}");
        }
        if let Ok(text) = std::str::from_utf8(&octets) {
            let _ = Reply::read(text);
        }
    }

    #[test]
    fn octets_in_a_request_are_read_or_refused(octets in octets()) {
        let head = br#"{"schema_version":1,"request_id":"r","method":"m","params":{"a":"#;
        let line = [head, octets.as_slice(), b"}}"].concat();
        match Request::read(&line) {
            Ok(request) => {
                prop_assert!(is_kept(&request.params));
                let same: Value = serde_json::from_str(request.params_text.get()).expect("JSON");
                prop_assert_eq!(same, request.params);
            }
            Err(unread) => prop_assert_eq!(unread.request_id.as_deref(), Some("r")),
        }
    }
}

proptest! {
    #![proptest_config(often(500))]

    #[test]
    fn any_json_is_kept_or_refused(value in json()) {
        let text = value.to_string();
        let line = format!(r#"{{"schema_version":1,"request_id":"r","method":"m","params":{{"a":{text}}}}}"#);
        match Request::read(line.as_bytes()) {
            Ok(request) => {
                prop_assert!(is_kept(&value));
                prop_assert_eq!(&request.params["a"], &value);
            }
            Err(unread) => prop_assert!(!unread.is_malformed),
        }
        for method in &REGISTRY.methods {
            let _ = validate(&method.method, &value);
        }
    }
}
