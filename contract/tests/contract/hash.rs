//! The hash format, against the reference vectors.

use striatum_contract::hash::{AUDIT_FIELDS, EVENT_FIELDS, canonical_v3, hash_v3};
use striatum_testkit::vectors::{self, Vectors};

/// STR-AUTHZ-12: Rust reproduces every audit vector, octet for octet.
#[test]
fn every_audit_vector_is_reproduced() {
    assert_eq!(reproduced(&vectors::audit(), &AUDIT_FIELDS), 7);
}

/// STR-AUTHZ-12: Rust reproduces every event vector, octet for octet.
#[test]
fn every_event_vector_is_reproduced() {
    assert_eq!(reproduced(&vectors::event(), &EVENT_FIELDS), 5);
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

/// Checks each row and says how many there were.
fn reproduced(vectors: &Vectors, fields: &[&str]) -> usize {
    assert_eq!(vectors.fields, fields, "the published order of the fields");
    for (n, vector) in vectors.rows.iter().enumerate() {
        let row = || vector.values.iter().map(Option::as_deref);
        let octets: String = canonical_v3(row()).iter().map(|octet| format!("{octet:02x}")).collect();
        assert_eq!(octets, vector.canonical_hex, "row {n}, canonical form");
        assert_eq!(hash_v3(row()), vector.row_hash, "row {n}, hash");
    }
    vectors.rows.len()
}
