//! What no hash covers, or what a hash covers that should never have been written: checked all the same. Each export
//! here is sealed anew after the change, so that every hash and link in it is right.

use serde_json::{Value, json};
use striatum_verify::{Code, Verdict};

use crate::export::{Export, set};
use crate::{place, placed};

/// An export with these values in a row of a chain, sealed.
fn with(chain: usize, row: usize, values: Value) -> Export {
    let mut export = Export::good();
    set(&mut export.chain(chain)[row], values);
    export.seal();
    export
}

/// STR-AUTHZ-13: the version is dispatched on; 2 answers `hash_format_unsupported`.
#[test]
fn a_row_of_another_hash_format_is_named_and_never_read_as_one_of_ours() {
    for (version, code) in
        [(2, Code::HashFormatUnsupported), (1, Code::HashFormatUnknown), (4, Code::HashFormatUnknown)]
    {
        let export = with(0, 2, json!({"hash_format_version": version}));
        assert_eq!(place(&export), placed(code, "audit.jsonl", 3, "hash_format_version"));
    }
    let export = with(0, 2, json!({"schema_version": 2}));
    assert_eq!(place(&export), placed(Code::ValueMalformed, "audit.jsonl", 3, "schema_version"));
}

#[test]
fn the_second_is_the_instant_cut() {
    let cases = [(0, "ts"), (1, "created_at")];
    for (chain, second) in cases {
        let export = with(chain, 1, json!({"recorded_at": "2026-11-30T00:00:06.000000Z"}));
        assert_eq!(place(&export), placed(Code::ColumnsDisagree, &export.file(chain), 2, second));
    }
}

#[test]
fn instants_are_written_in_one_way() {
    for (column, value) in [
        ("ts", "2026-11-30T00:00:01+00:00"),
        ("ts", "2026-11-30 00:00:01Z"),
        ("ts", "2026-11-31T00:00:01Z"),
        ("recorded_at", "2026-11-30T00:00:01Z"),
        ("recorded_at", "2026-11-30T00:00:01.123Z"),
        ("recorded_at", "2026-11-30T00:00:01.000123z"),
    ] {
        let export = with(0, 1, json!({column: value}));
        assert_eq!(place(&export), placed(Code::ValueMalformed, "audit.jsonl", 2, column), "{value}");
    }
}

#[test]
fn allowed_means_neither_exit_code_nor_reason() {
    for (row, values) in [
        (1, json!({"exit_code": 4})),
        (1, json!({"denial_reason": "busy"})),
        (2, json!({"decision": "allowed"})),
        (2, json!({"exit_code": null, "denial_reason": null})),
        (4, json!({"exit_code": null, "denial_reason": null})),
    ] {
        let export = with(0, row, values);
        assert_eq!(place(&export), placed(Code::ColumnsDisagree, "audit.jsonl", row as u64 + 1, "decision"));
    }
}

#[test]
fn nobody_is_nobody() {
    for column in ["principal_id", "session_id"] {
        let export = with(0, 0, json!({column: "x"}));
        assert_eq!(place(&export), placed(Code::ColumnsDisagree, "audit.jsonl", 1, column));
    }
}

#[test]
fn vocabularies_are_closed() {
    for (row, column, value) in [
        (1, "transport", "smtp"),
        (1, "transport", "RPC"),
        (1, "decision", "Allowed"),
        (1, "method", "claim."),
        (1, "method", "work.claim next"),
        (1, "method", ""),
        (1, "params_sha256", "D0E4505AB5E45C540D6502D07898872B029A4C2904A8B7D657094E4DA2AA2735"),
    ] {
        let export = with(0, row, json!({column: value}));
        assert_eq!(
            place(&export),
            placed(Code::ValueMalformed, "audit.jsonl", row as u64 + 1, column),
            "{value}"
        );
    }
}

#[test]
fn segments_never_fall_and_events_are_in_none_that_the_audit_chain_does_not_know() {
    let export = with(0, 1, json!({"segment_id": "3"}));
    assert_eq!(place(&export), placed(Code::OutOfSequence, "audit.jsonl", 3, "segment_id"));
    let export = with(1, 0, json!({"segment_id": "2"}));
    assert_eq!(place(&export), placed(Code::OutOfSequence, &export.file(1), 2, "segment_id"));
    let export = with(1, 3, json!({"segment_id": "3"}));
    assert_eq!(place(&export), placed(Code::OutOfSequence, &export.file(1), 4, "segment_id"));
    for value in ["0", "01", "-1", "one", "9223372036854775808"] {
        let export = with(1, 0, json!({"segment_id": value}));
        assert_eq!(place(&export), placed(Code::ValueMalformed, &export.file(1), 1, "segment_id"), "{value}");
    }
}

#[test]
fn a_payload_is_a_small_object_without_output() {
    for key in ["stdout", "stderr", "transcript", "raw_output", "provider_output"] {
        let export = with(1, 1, json!({"payload_json": json!({key: null}).to_string()}));
        let column = format!("payload_json.{key}");
        assert_eq!(place(&export), placed(Code::PayloadForbidden, &export.file(1), 2, &column));
        let export = with(2, 4, json!({"payload_json": json!({"note": {key: null}}).to_string()}));
        assert_eq!(export.verify().verdict, Verdict::Verified, "only the top is meant");
    }
    for payload in [
        "",
        "null",
        "[]",
        "{",
        "{} x",
        "\"{}\"",
        "{\"changes\": {}}",
        "{\"changes\": null}",
        "{\"changes\": [1]}",
        "{\"changes\": [[\"job\", \"job_1\", null, {}]]}",
        "{\"changes\": [], \"changes\": []}",
        "{\"changes\": [{\"of\": \"job\", \"id\": \"j\", \"to\": {}}]}",
        "{\"changes\": [{\"of\": \"job\", \"id\": \"j\", \"from\": null}]}",
        "{\"changes\": [{\"of\": \"job\", \"id\": \"j\", \"from\": null, \"to\": {}, \"x\": 1}]}",
        "{\"changes\": [{\"of\": \"job\", \"id\": 1, \"from\": null, \"to\": {}}]}",
    ] {
        let export = with(1, 0, json!({"payload_json": payload}));
        assert_eq!(
            place(&export),
            placed(Code::PayloadMalformed, &export.file(1), 1, "payload_json"),
            "{payload}"
        );
    }
}

#[test]
fn a_payload_has_at_most_262144_octets() {
    let payload = |length: usize| format!("{{\"note\": \"{}\"}}", "x".repeat(length - 12));
    let export = with(2, 4, json!({"payload_json": payload(262_144)}));
    assert_eq!(export.verify().verdict, Verdict::Verified);
    let export = with(2, 4, json!({"payload_json": payload(262_145)}));
    assert_eq!(place(&export), placed(Code::PayloadMalformed, &export.file(2), 5, "payload_json"));
}
