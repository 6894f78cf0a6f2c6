//! The manifest: cut, lying, of another format, pointing elsewhere.

use serde_json::{Value, json};
use striatum_verify::{Code, Unreadable, Verdict, verify};

use crate::export::{Export, put};
use crate::{difference, place, placed};

#[test]
fn a_manifest_that_is_cut_anywhere_is_seen() {
    let export = Export::good();
    let folder = export.write();
    let whole = export.manifest.to_string();
    for length in 0..whole.len() {
        put(folder.path(), "manifest.json", &whole.as_bytes()[..length]);
        let report = verify(folder.path()).expect("it can be read");
        let first = report.first_difference.expect("a difference");
        assert_eq!((first.code, report.verdict), (Code::ManifestMalformed, Verdict::Differs), "{length}");
    }
}

#[test]
fn each_key_is_needed_and_no_other_is_known() {
    let good = Export::good();
    for pointer in ["", "/audit", "/events/0"] {
        let keys: Vec<String> = good
            .manifest
            .pointer(pointer)
            .and_then(Value::as_object)
            .expect("keys")
            .keys()
            .cloned()
            .collect();
        for key in keys {
            let mut export = good.clone();
            let object =
                export.manifest.pointer_mut(pointer).and_then(Value::as_object_mut).expect("an object");
            object.remove(&key);
            assert_eq!(difference(&export).code, Code::ManifestMalformed, "{pointer}/{key}");
        }
        let mut export = good.clone();
        export.manifest.pointer_mut(pointer).expect("an object")["note"] = Value::Null;
        assert_eq!(difference(&export).code, Code::ManifestMalformed, "{pointer}");
        let mut export = good.clone();
        let object = export.manifest.pointer_mut(pointer).expect("an object");
        *object = object.as_object().expect("an object").values().cloned().collect();
        assert_eq!(difference(&export).code, Code::ManifestMalformed, "{pointer}: values without names");
    }
    let twice = good.manifest.to_string().replacen("\"rows\":", "\"rows\":1,\"rows\":", 1);
    let folder = good.write();
    put(folder.path(), "manifest.json", twice.as_bytes());
    let first = verify(folder.path()).expect("it can be read").first_difference;
    assert_eq!(first.expect("a difference").code, Code::ManifestMalformed);
}

#[test]
fn each_number_and_hash_is_held_against_the_chain() {
    for (pointer, column) in [("/audit", "audit"), ("/events/0", "events[0]"), ("/events/1", "events[1]")] {
        let id = if pointer == "/audit" { "last_audit_id" } else { "last_event_id" };
        for (key, values) in [
            (id, [Value::Null, json!("3"), json!("04")]),
            ("last_hash", [Value::Null, json!("0".repeat(64)), json!("")]),
        ] {
            for value in values {
                let mut export = Export::good();
                export.manifest.pointer_mut(pointer).expect("an object")[key] = value;
                let column = format!("{column}.{key}");
                assert_eq!(place(&export), placed(Code::ManifestDiffers, "manifest.json", 0, &column));
            }
        }
        let mut export = Export::good();
        export.manifest.pointer_mut(pointer).expect("an object")["rows"] = json!(1_000_000);
        assert_eq!(difference(&export).code, Code::RowMissing);
        let mut export = Export::good();
        export.manifest.pointer_mut(pointer).expect("an object")["rows"] = json!(2);
        let found = difference(&export);
        assert_eq!((found.code, found.line), (Code::RowUnexpected, Some(3)));
    }
}

#[test]
fn files_are_those_of_the_repositories_and_nothing_else() {
    for file in
        ["../secret.jsonl", "/etc/passwd", "events/../audit.jsonl", "audit.jsonl", "events/x.jsonl", ""]
    {
        let mut export = Export::good();
        export.manifest["events"][0]["file"] = json!(file);
        assert_eq!(place(&export), placed(Code::ManifestMalformed, "manifest.json", 0, "events[0].file"));
    }
    for id in ["../../etc/passwd", "..", "", "a/b", "a\0", "repo.1", "r\u{e9}po"] {
        let mut export = Export::good();
        export.manifest["events"][1]["repository_id"] = json!(id);
        export.manifest["events"][1]["file"] = json!(format!("events/{id}.jsonl"));
        assert_eq!(
            place(&export),
            placed(Code::ManifestMalformed, "manifest.json", 0, "events[1].repository_id")
        );
    }
    let mut export = Export::good();
    export.manifest["events"][1] = export.manifest["events"][0].clone();
    assert_eq!(
        place(&export),
        placed(Code::ManifestMalformed, "manifest.json", 0, "events[1].repository_id")
    );
}

#[test]
fn the_time_of_the_export_is_written_in_one_way() {
    let mut export = Export::good();
    export.manifest["exported_at"] = json!("2026-11-30T01:00:00Z");
    assert_eq!(place(&export), placed(Code::ManifestMalformed, "manifest.json", 0, "exported_at"));
}

/// Of a format that it does not know the verifier says neither that it differs nor that it does not.
#[test]
fn another_format_is_not_judged() {
    let mut export = Export::good();
    export.manifest["format"] = json!("striatum.chains.v2");
    export.manifest["more"] = json!({});
    let answer = verify(export.write().path());
    assert!(matches!(answer, Err(Unreadable::Format { found }) if found == "striatum.chains.v2"));
}
