//! The reference vectors, made by an independent implementation (contract/vectors/make_vectors.py).

use serde_json::Value;
use striatum_contract::hash::{AUDIT_FIELDS, EVENT_FIELDS, canonical_v3, hash_v3};

const AUDIT: &str = include_str!("../../vectors/audit-v3.json");
const EVENT: &str = include_str!("../../vectors/event-v3.json");

/// STR-AUTHZ-12: Rust reproduces every audit vector, octet for octet.
#[test]
fn every_audit_vector_is_reproduced() {
    assert_eq!(reproduce(AUDIT, &AUDIT_FIELDS), 7);
}

/// STR-AUTHZ-12: Rust reproduces every event vector, octet for octet.
#[test]
fn every_event_vector_is_reproduced() {
    assert_eq!(reproduce(EVENT, &EVENT_FIELDS), 5);
}

#[test]
fn null_and_empty_and_the_text_of_null_hash_differently() {
    let hashes = [hash_v3([None]), hash_v3([Some("")]), hash_v3([Some("-1:")]), hash_v3([])];
    for (i, one) in hashes.iter().enumerate() {
        assert!(!hashes[i + 1..].contains(one), "hash {i} occurs twice");
    }
}

#[test]
fn a_boundary_between_fields_cannot_be_moved() {
    assert_ne!(canonical_v3([Some("ab"), Some("c")]), canonical_v3([Some("a"), Some("bc")]));
    assert_ne!(canonical_v3([Some("1:a")]), canonical_v3([Some("1"), Some("a")]));
}

/// Checks each row of a vector file and says how many there were.
fn reproduce(vectors: &str, fields: &[&str]) -> usize {
    let file: Value = serde_json::from_str(vectors).expect("the vector file is JSON");
    assert_eq!(file["fields_in_order"], serde_json::json!(fields), "the published order of the fields");
    let rows = file["rows"].as_array().expect("rows is a list");
    for (n, vector) in rows.iter().enumerate() {
        let texts: Vec<Option<String>> = fields.iter().map(|field| text(&vector["row"][field])).collect();
        let row = || texts.iter().map(Option::as_deref);
        let octets: String = canonical_v3(row()).iter().map(|octet| format!("{octet:02x}")).collect();
        assert_eq!(
            octets,
            vector["canonical_hex"].as_str().expect("canonical_hex is text"),
            "row {n}, canonical form"
        );
        assert_eq!(hash_v3(row()), vector["row_hash"].as_str().expect("row_hash is text"), "row {n}, hash");
    }
    rows.len()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        number => Some(number.to_string()),
    }
}
