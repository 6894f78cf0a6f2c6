//! The verifier as somebody meets it who does not trust an export.
#![expect(clippy::disallowed_methods, reason = "the tests write exports, change them, and start the program")]

mod columns;
mod export;
mod files;
mod fold;
mod manifest;
mod program;
mod property;
mod rows;
mod unhashed;

use striatum_verify::{Code, Difference, Verdict};

use export::Export;

/// The first difference of an export that has one.
fn difference(export: &Export) -> Difference {
    let report = export.verify();
    assert_eq!(report.verdict, Verdict::Differs, "{}", report.text());
    report.first_difference.expect("what differs")
}

/// Its code, file, line and column.
fn place(export: &Export) -> (Code, String, Option<u64>, Option<String>) {
    let Difference { code, file, line, column, .. } = difference(export);
    (code, file, line, column)
}

/// As [`place`] answers it.
fn placed(code: Code, file: &str, line: u64, column: &str) -> (Code, String, Option<u64>, Option<String>) {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    (code, file.to_owned(), (line > 0).then_some(line), some(column))
}

#[test]
fn a_good_export_is_verified() {
    let report = Export::good().verify();
    assert_eq!(report.verdict, Verdict::Verified, "{}", report.text());
    assert_eq!((report.audit_rows, report.events), (6, 9));
    assert_eq!(report.first_difference, None);
    let rows: Vec<u64> = report.chains.iter().map(|chain| chain.rows).collect();
    assert_eq!(rows, [6, 4, 5]);
}

/// A database in which nothing ever happened, and a repository without an event.
#[test]
fn empty_chains_are_verified() {
    let mut export = Export::good();
    export.audit.clear();
    export.events.iter_mut().for_each(|(_, rows)| rows.clear());
    export.seal();
    assert_eq!(export.verify().verdict, Verdict::Verified);
    for key in ["last_audit_id", "last_hash"] {
        assert!(export.manifest["audit"][key].is_null());
    }
}

/// The published rows of the hash format are rows of this export too.
#[test]
fn the_hash_of_a_row_is_that_of_the_reference_vectors() {
    let export = Export::good();
    // contract/vectors/audit-v3.json, the first row.
    let hash = "b290f1b297779239a4223bbd59c0e4ed611317eff8700a74613e2851f23c1714";
    assert_eq!(export.audit[0]["row_hash"], hash);
}
