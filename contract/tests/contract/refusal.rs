//! The codes, as a program without a database knows them.

use serde_json::json;
use striatum_contract::refusal::{ERROR_CODES, Refusal};

#[test]
fn codes_are_distinct_and_ordered() {
    let codes: Vec<&str> = ERROR_CODES.iter().map(|known| known.code.as_str()).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
    assert!(codes.contains(&"internal_error"));
}

#[test]
fn a_refusal_ends_a_program_with_its_codes_exit_code() {
    assert_eq!(Refusal::new("usage_invalid", "no such flag", []).exit_code(), 2);
    assert_eq!(Refusal::new("database_ahead", "a newer program was here", []).exit_code(), 9);
}

/// The shape that callers rely on.
#[test]
fn a_refusal_serializes_as_code_message_details_next() {
    let refusal = Refusal::new("usage_invalid", "no such flag", ["striatum --help".to_owned()])
        .with_details(json!({"flag": "--no-daemon"}));
    assert_eq!(
        serde_json::to_value(&refusal).expect("a refusal is JSON"),
        json!({"code": "usage_invalid", "message": "no such flag", "details": {"flag": "--no-daemon"},
               "next": ["striatum --help"]})
    );
}
