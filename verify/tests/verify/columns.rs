//! No column of any row can be changed, left out, doubled or renamed without that row being named.

use serde_json::{Value, json};
use striatum_contract::hash::{AUDIT_COLUMNS, EVENT_COLUMNS};
use striatum_verify::{Code, Difference};

use crate::difference;
use crate::export::{Export, write};

/// The columns of a chain, and its id.
fn columns(chain: usize) -> (&'static [&'static str], &'static str) {
    if chain == 0 { (&AUDIT_COLUMNS, "audit_id") } else { (&EVENT_COLUMNS, "event_id") }
}

/// Does it once for each column of each row of each chain.
fn each(mut change: impl FnMut(Export, usize, usize, &'static str)) {
    let good = Export::good();
    for chain in 0..3 {
        for row in 0..good.clone().chain(chain).len() {
            for column in columns(chain).0 {
                change(good.clone(), chain, row, column);
            }
        }
    }
}

/// Another value of the same form.
fn other(column: &str, value: &Value) -> Value {
    match (column, value) {
        // What the hash does not cover can be seen to be wrong only where it contradicts what the hash does.
        ("recorded_at", Value::String(at)) => json!(at.replace("T00:", "T01:")),
        ("ts" | "created_at", Value::String(at)) => json!(at.replace("T00:", "T01:")),
        ("segment_id", _) => json!("3"),
        ("audit_id" | "event_id", Value::String(id)) => json!(format!("{id}0")),
        ("schema_version" | "hash_format_version" | "exit_code", Value::Number(number)) => {
            json!(number.as_u64().expect("positive") + 1)
        }
        ("exit_code", Value::Null) => json!(1),
        ("transport", Value::String(way)) => json!(if way == "rpc" { "mcp" } else { "rpc" }),
        ("decision", Value::String(decision)) => json!(if decision == "denied" { "error" } else { "denied" }),
        ("payload_json", Value::String(_)) => json!("{\"changes\": []}"),
        ("previous_hash" | "row_hash" | "params_sha256", Value::String(hash)) => {
            let first = if hash.starts_with('0') { "1" } else { "0" };
            json!(format!("{first}{}", &hash[1..]))
        }
        (_, Value::String(text)) => json!(format!("{text}x")),
        ("previous_hash" | "params_sha256", Value::Null) => json!("0".repeat(64)),
        (_, Value::Null) => json!(""),
        (_, _) => unreachable!("no column holds another kind of value"),
    }
}

fn assert_named(found: &Difference, export: &Export, chain: usize, row: usize, column: &str) {
    assert_eq!(found.file, export.file(chain), "{column}: {}", found.text());
    assert_eq!(found.line, Some(row as u64 + 1), "{column}: {}", found.text());
    assert!(found.column.is_some() && found.row.is_some(), "{column}: {}", found.text());
}

/// STR-AUTHZ-12: each hashed column is hashed.
#[test]
fn each_column_that_is_changed_is_seen_in_its_row() {
    let mut seen = 0;
    each(|mut export, chain, row, column| {
        let rows = export.chain(chain);
        // Nothing in the export binds who a client was at the time; only that nobody can be somebody.
        if matches!(column, "principal_id" | "session_id") && rows[row]["client_id"] != Value::Null {
            return;
        }
        rows[row][column] = other(column, &rows[row][column]);
        assert_named(&difference(&export), &export, chain, row, column);
        seen += 1;
    });
    assert_eq!(seen, 6 * 20 - 5 * 2 + 9 * 15);
}

#[test]
fn null_and_the_empty_text_are_not_the_same() {
    each(|mut export, chain, row, column| {
        let value = &mut export.chain(chain)[row][column];
        if matches!(column, "principal_id" | "session_id") || value == "" {
            return;
        }
        *value = if value.is_null() { json!("") } else { Value::Null };
        assert_named(&difference(&export), &export, chain, row, column);
    });
}

#[test]
fn each_column_that_is_left_out_is_missed() {
    each(|mut export, chain, row, column| {
        export.chain(chain)[row].as_object_mut().expect("a row").remove(column);
        let found = difference(&export);
        assert_eq!((found.code, found.column.as_deref()), (Code::ColumnMissing, Some(column)));
        assert_eq!((found.file.clone(), found.line), (export.file(chain), Some(row as u64 + 1)));
    });
}

#[test]
fn each_column_that_stands_twice_is_seen() {
    each(|mut export, chain, row, column| {
        let value = export.chain(chain)[row][column].clone();
        let file = export.file(chain);
        let mut files = export.files();
        let (_, octets) = files.iter_mut().find(|(name, _)| *name == file).expect("its file");
        let text = String::from_utf8(octets.clone()).expect("text");
        let doubled = text.lines().enumerate().map(|(n, line)| match n == row {
            true => format!("{},\"{column}\":{value}}}\n", line.trim_end_matches('}')),
            false => format!("{line}\n"),
        });
        *octets = doubled.collect::<String>().into_bytes();
        let report = striatum_verify::verify(write(&files).path()).expect("it can be read");
        let found = report.first_difference.expect("a difference");
        assert_eq!((found.code, found.column.as_deref()), (Code::ColumnRepeated, Some(column)));
        assert_eq!((found.file, found.line), (file, Some(row as u64 + 1)));
    });
}

#[test]
fn a_key_that_is_no_column_is_seen() {
    for chain in 0..3 {
        let mut export = Export::good();
        export.chain(chain)[1]["note"] = Value::Null;
        let found = difference(&export);
        assert_eq!(
            (found.code, found.column.as_deref(), found.line),
            (Code::ColumnUnknown, Some("note"), Some(2))
        );
    }
}

#[test]
fn each_value_of_another_kind_is_seen() {
    for value in [json!(true), json!([1]), json!({"a": {}}), json!(-1), json!(1.0), json!(256)] {
        each(|mut export, chain, row, column| {
            export.chain(chain)[row][column] = value.clone();
            let found = difference(&export);
            assert_eq!(
                (found.code, found.column.as_deref()),
                (Code::ValueMalformed, Some(column)),
                "{value}"
            );
        });
    }
}
