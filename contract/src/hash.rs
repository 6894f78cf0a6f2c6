//! Hash format 3: the canonical form of a chain's row, and its hash.
//!
//! Each field is written as the decimal count of its UTF-8 octets, a colon, the octets; an integer is written as
//! its decimal text; null is `-1:`. Nothing stands between fields, so no boundary can be moved. The hash is
//! sha256 in lower-case hexadecimal. `striatumd.hash_v3` is the same in SQL; `contract/vectors` binds both.

use sha2::{Digest, Sha256};

/// The fields of an audit row, in the order in which they are hashed.
pub const AUDIT_FIELDS: [&str; 15] = [
    "ts",
    "schema_version",
    "hash_format_version",
    "daemon_version",
    "client_id",
    "repository_id",
    "method",
    "decision",
    "denial_reason",
    "transport",
    "request_id",
    "exit_code",
    "params_sha256",
    "previous_hash",
    "segment_id",
];

/// The fields of an event, in the order in which they are hashed.
pub const EVENT_FIELDS: [&str; 12] = [
    "previous_hash",
    "repository_id",
    "event_id",
    "run_id",
    "event_type",
    "actor_session_id",
    "job_id",
    "message_id",
    "artifact_id",
    "lease_id",
    "payload",
    "created_at",
];

/// The columns of an audit row as it is exported, hashed or not.
pub const AUDIT_COLUMNS: [&str; 20] = [
    "segment_id",
    "audit_id",
    "ts",
    "recorded_at",
    "schema_version",
    "hash_format_version",
    "daemon_version",
    "client_id",
    "principal_id",
    "session_id",
    "repository_id",
    "method",
    "decision",
    "denial_reason",
    "transport",
    "request_id",
    "exit_code",
    "params_sha256",
    "previous_hash",
    "row_hash",
];

/// The columns of an event as it is exported. Its field `payload` is hashed as the text `payload_json`.
pub const EVENT_COLUMNS: [&str; 15] = [
    "segment_id",
    "repository_id",
    "event_id",
    "run_id",
    "event_type",
    "actor_session_id",
    "job_id",
    "message_id",
    "artifact_id",
    "lease_id",
    "payload_json",
    "created_at",
    "recorded_at",
    "previous_hash",
    "row_hash",
];

/// The hash of a row: `sha256(canonical form)`, 64 lower-case hexadecimal digits.
pub fn hash_v3<'a>(fields: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let hash = hash_v3_in(&mut Vec::with_capacity(512), fields);
    String::from_utf8(hash.to_vec()).expect("digits are ASCII")
}

/// The same for many rows: the canonical form is made in a buffer of the caller's, which keeps it until the next.
pub fn hash_v3_in<'a>(form: &mut Vec<u8>, fields: impl IntoIterator<Item = Option<&'a str>>) -> [u8; 64] {
    form.clear();
    push_canonical(form, fields);
    hex(&Sha256::digest(form))
}

/// The octets that are hashed.
pub fn canonical_v3<'a>(fields: impl IntoIterator<Item = Option<&'a str>>) -> Vec<u8> {
    let mut form = Vec::with_capacity(512);
    push_canonical(&mut form, fields);
    form
}

fn push_canonical<'a>(form: &mut Vec<u8>, fields: impl IntoIterator<Item = Option<&'a str>>) {
    for field in fields {
        match field {
            None => form.extend_from_slice(b"-1:"),
            Some(text) => {
                push_decimal(form, text.len());
                form.push(b':');
                form.extend_from_slice(text.as_bytes());
            }
        }
    }
}

/// As `write!` would, at a fraction of its cost: a chain has millions of fields, and most counts have two digits.
fn push_decimal(form: &mut Vec<u8>, count: usize) {
    if count >= 10 {
        push_decimal(form, count / 10);
    }
    form.push(b'0' + (count % 10) as u8);
}

fn hex(octets: &[u8]) -> [u8; 64] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = [0; 64];
    for (pair, octet) in text.chunks_exact_mut(2).zip(octets) {
        pair.copy_from_slice(&[DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
    }
    text
}
