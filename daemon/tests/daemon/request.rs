//! What the reader of requests lets pass, PostgreSQL keeps.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use striatum_contract::request::Request;
use striatum_testkit::Database;

/// Numbers near every edge, as texts.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<f64>().prop_map(|number| number.to_string()),
        (-1e6..1e6).prop_map(|number: f64| number.to_string()),
        any::<i64>().prop_map(|number| (number >> 10).to_string()),
        (0u32..18, 0u64..1_000_000)
            .prop_map(|(zeros, digits)| format!("0.{}{digits}", "0".repeat(zeros as usize))),
        prop::sample::select(vec!["0", "-1", "9007199254740992", "-9007199254740992"])
            .prop_map(str::to_owned),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let escape =
        prop::sample::select(vec![r"\u0000", r"\u0001", r"\ud83e\udde0", r"\ud83e", r"\/", r"\n", "🧠"]);
    (any::<String>(), prop::option::weighted(0.2, escape)).prop_map(|(text, escape)| {
        let quoted = Value::from(text).to_string();
        format!("\"{}{}\"", escape.unwrap_or_default(), &quoted[1..quoted.len() - 1])
    })
}

fn json() -> impl Strategy<Value = String> {
    let leaf =
        prop_oneof![number(), text(), prop::sample::select(vec!["null", "true"]).prop_map(str::to_owned)];
    leaf.prop_recursive(4, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|entries| format!("[{}]", entries.join(", "))),
            prop::collection::vec((text(), inner), 0..4).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(key, value)| format!("{key} : {value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

#[tokio::test]
async fn jsonb_takes_and_keeps_every_params_that_was_let_pass() {
    let mut runner = TestRunner::default();
    let mut passed = Vec::new();
    for _ in 0..3000 {
        let params = json().new_tree(&mut runner).expect("a value").current();
        let line =
            format!(r#"{{"schema_version":1,"request_id":"r","method":"m","params":{{"a":{params}}}}}"#);
        passed.extend(Request::read(line.as_bytes()));
    }
    assert!(passed.len() > 500, "{}", passed.len());
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(62), "]".repeat(62));
    let line = format!(r#"{{"schema_version":1,"request_id":"r","method":"m","params":{deep}}}"#);
    passed.push(Request::read(line.as_bytes()).expect("just as deep as may be"));

    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    for request in passed {
        // As it was sent, and as Rust writes it again.
        let texts = [request.params_text.get().to_owned(), request.params.to_string()];
        let kept: Vec<String> = sqlx::query_scalar(
            "select t::jsonb::text from unnest($1::text[]) with ordinality as u(t, n) order by n",
        )
        .bind(texts.as_slice())
        .fetch_all(&mut connection)
        .await
        .expect("jsonb takes it");
        // A number of 17 digits may have two shortest spellings; it is one number all the same.
        for kept in kept {
            assert_eq!(serde_json::from_str::<Value>(&kept).expect("JSON"), request.params, "{kept}");
        }
    }
}
