//! The list of error codes and the places that refuse know the same codes.

use std::collections::BTreeSet;

use striatum_contract::refusal::ERROR_CODES;

use crate::texts;

/// STR-DDD-07: every listed code is used somewhere, and every code that is used is listed.
#[test]
fn every_code_is_used_and_every_used_code_is_listed() {
    let programs = [
        texts("daemon/src", "rs"),
        texts("cli/src", "rs"),
        texts("contract/src", "rs"),
        texts("verify/src", "rs"),
        texts("sql/functions", "sql"),
    ];
    let programs: Vec<_> =
        programs.concat().into_iter().filter(|(file, _)| !file.ends_with("error_codes.sql")).collect();
    let listed: BTreeSet<&str> = ERROR_CODES.iter().map(|known| known.code.as_str()).collect();
    for code in &listed {
        let quoted = [format!("\"{code}\""), format!("'{code}'")];
        let used = programs.iter().any(|(_, text)| quoted.iter().any(|code| text.contains(code)));
        assert!(used, "{code} is listed and nobody refuses with it");
    }
    for (file, text) in &programs {
        for code in first_arguments(text) {
            assert!(listed.contains(code), "{} refuses with {code}, which is not listed", file.display());
        }
    }
}

/// The code of each `Refusal::new("…"` and each `refuse('…'`.
fn first_arguments(text: &str) -> Vec<&str> {
    [("Refusal::new(", '"'), ("refuse(", '\'')]
        .into_iter()
        .flat_map(|(call, quote)| {
            text.match_indices(call).filter_map(move |(at, _)| {
                text[at + call.len()..].trim_start().strip_prefix(quote)?.split(quote).next()
            })
        })
        .collect()
}

#[test]
fn the_reader_of_codes_sees_both_languages() {
    assert_eq!(
        first_arguments("Refusal::new(\n    \"a_b\", x); perform striatumd.refuse('c_d', y)"),
        ["a_b", "c_d"]
    );
}
