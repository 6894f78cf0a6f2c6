//! Rows that are cut, put in, moved or doubled; lines that are none.

use serde_json::{Value, json};
use striatum_verify::{Code, LONGEST_LINE};

use crate::export::{Export, write};
use crate::{difference, place, placed};

#[test]
fn any_row_that_is_cut_is_missed() {
    let good = Export::good();
    for chain in 0..3 {
        let length = good.clone().chain(chain).len();
        for row in 0..length {
            let mut export = good.clone();
            export.chain(chain).remove(row);
            let (code, column) = if row + 1 < length {
                (Code::OutOfSequence, if chain == 0 { "audit_id" } else { "event_id" })
            } else {
                (Code::RowMissing, "")
            };
            assert_eq!(place(&export), placed(code, &export.file(chain), row as u64 + 1, column));
        }
    }
}

/// Whoever cuts the last rows may write the manifest anew; only what is kept elsewhere can tell.
#[test]
fn the_manifest_is_held_against_the_rows_and_not_the_rows_against_it_alone() {
    let mut export = Export::good();
    let last = export.audit.pop().expect("a row");
    export.manifest["audit"]["rows"] = json!(5);
    assert_eq!(place(&export), placed(Code::ManifestDiffers, "manifest.json", 0, "audit.last_audit_id"));
    export.manifest["audit"]["last_audit_id"] = json!("5");
    let found = difference(&export);
    assert_eq!((found.code, found.column.as_deref()), (Code::ManifestDiffers, Some("audit.last_hash")));
    assert_eq!(found.found.as_deref(), last["row_hash"].as_str());
    assert_eq!(found.expected.as_deref(), last["previous_hash"].as_str());
}

#[test]
fn rows_that_are_swapped_or_doubled_are_seen() {
    for chain in 0..3 {
        let id = if chain == 0 { "audit_id" } else { "event_id" };
        let mut export = Export::good();
        export.chain(chain).swap(1, 2);
        assert_eq!(place(&export), placed(Code::OutOfSequence, &export.file(chain), 2, id));
        let mut export = Export::good();
        let row = export.chain(chain)[1].clone();
        export.chain(chain).insert(2, row);
        assert_eq!(place(&export), placed(Code::OutOfSequence, &export.file(chain), 3, id));
        let mut export = Export::good();
        let row = export.chain(chain).last().expect("a row").clone();
        export.chain(chain).push(row);
        let line = export.chain(chain).len() as u64;
        assert_eq!(place(&export), placed(Code::RowUnexpected, &export.file(chain), line, ""));
    }
}

/// The ids of a swapped pair can be written anew, their links and hashes cannot without all that follows.
#[test]
fn swapped_rows_with_their_ids_mended_are_seen_by_their_links() {
    let mut export = Export::good();
    export.audit.swap(1, 2);
    for row in 1..=2 {
        export.audit[row]["audit_id"] = json!((row + 1).to_string());
    }
    assert_eq!(place(&export), placed(Code::LinkBroken, "audit.jsonl", 2, "previous_hash"));
}

/// A changed row whose own hash is made anew breaks the link of the next.
#[test]
fn a_row_that_is_hashed_anew_is_seen_by_the_next() {
    let mut export = Export::good();
    export.events[0].1[1]["run_id"] = json!("run_2");
    export.hash_event(0, 1);
    assert_eq!(place(&export), placed(Code::LinkBroken, &export.file(1), 3, "previous_hash"));
    let mut export = Export::good();
    export.events[0].1[3]["run_id"] = json!("run_2");
    export.hash_event(0, 3);
    assert_eq!(place(&export), placed(Code::ManifestDiffers, "manifest.json", 0, "events[0].last_hash"));
}

#[test]
fn a_row_of_another_chain_is_seen() {
    let mut export = Export::good();
    export.events[0].1[0]["repository_id"] = json!("repo_00000000000000bb");
    assert_eq!(place(&export), placed(Code::ColumnsDisagree, &export.file(1), 1, "repository_id"));
    let mut export = Export::good();
    export.audit[1] = export.events[0].1[1].clone();
    assert_eq!(difference(&export).line, Some(2));
}

/// One chain's difference does not keep the others from being checked.
#[test]
fn every_chain_has_its_first_difference() {
    let mut export = Export::good();
    export.audit[2]["method"] = json!("work.complete");
    export.events[1].1[4]["run_id"] = Value::Null;
    let report = export.verify();
    let lines: Vec<_> =
        report.chains.iter().map(|chain| chain.difference.as_ref().and_then(|d| d.line)).collect();
    assert_eq!(lines, [Some(3), None, Some(5)]);
    assert_eq!((report.audit_rows, report.events), (2, 8));
    assert_eq!(report.first_difference.and_then(|first| first.line), Some(3));
}

/// A file of the audit chain whose line 2 is this instead.
fn with_line(line: &[u8]) -> (Code, Option<u64>) {
    let mut files = Export::good().files();
    let (_, octets) = &mut files[1];
    let mut lines: Vec<&[u8]> = octets.split_inclusive(|octet| *octet == b'\n').collect();
    lines[1] = line;
    *octets = lines.concat();
    let report = striatum_verify::verify(write(&files).path()).expect("it can be read");
    let first = report.first_difference.expect("a difference");
    assert_eq!(first.file, "audit.jsonl");
    (first.code, first.line)
}

#[test]
fn a_line_that_is_no_object_is_seen() {
    for line in [
        "\n",
        "null\n",
        "[]\n",
        "{\n",
        "{}}\n",
        "{} {}\n",
        "1e999\n",
        "\"\\ud800\"\n",
        "{\"ts\": \"\\ud800\"}\n",
        "\0\n",
        "{\"ts\": 1e999}\n",
        "{\"ts\" 1}\n",
        "{'ts': 1}\n",
        "{\"ts\": NaN}\n",
    ] {
        assert_eq!(with_line(line.as_bytes()), (Code::LineMalformed, Some(2)), "{line}");
    }
    assert_eq!(with_line(b"{\"ts\": \"\xff\"}\n"), (Code::LineMalformed, Some(2)));
    let deep = format!("{{\"ts\": {}{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(with_line(deep.as_bytes()), (Code::ColumnMissing, Some(2)), "read, and not by recursion");
}

#[test]
fn a_line_without_an_end_is_not_read_to_its_end() {
    assert_eq!(
        with_line(&[vec![b'x'; LONGEST_LINE + 1], b"\n".to_vec()].concat()),
        (Code::LineTooLong, Some(2))
    );
    assert_eq!(
        with_line(&[vec![b' '; LONGEST_LINE], b"\n".to_vec()].concat()),
        (Code::LineMalformed, Some(2))
    );
}

#[test]
fn a_file_that_ends_within_a_line_is_seen() {
    let mut files = Export::good().files();
    files[1].1.pop();
    let report = striatum_verify::verify(write(&files).path()).expect("it can be read");
    let first = report.first_difference.expect("a difference");
    assert_eq!((first.code, first.line), (Code::LineUnfinished, Some(6)));
}
