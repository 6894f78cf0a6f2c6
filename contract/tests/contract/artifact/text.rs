//! What an author is told about a kind.

use striatum_contract::artifact::{KINDS, codes, contract, kind, kinds_page, page};

/// Fields, types, vocabularies, rules and both blocks: nothing else has to be read to write a file.
#[test]
fn the_page_of_a_kind_says_all_that_its_contract_does() {
    for kind in KINDS.iter() {
        let page = page(kind);
        let Some(contract) = contract(&kind.kind) else {
            assert!(!page.contains("## Fields"), "{page}");
            continue;
        };
        for (key, field) in contract.schema["properties"].as_object().expect("fields") {
            assert!(page.contains(key.as_str()), "{}: {key}", kind.kind);
            for word in field["enum"].as_array().into_iter().flatten() {
                assert!(page.contains(word.as_str().expect("a word")), "{}: {word}", kind.kind);
            }
        }
        for code in codes().iter().filter(|code| code.kind == Some(&kind.kind)) {
            assert!(page.contains(code.code) && page.contains(code.says), "{}: {}", kind.kind, code.code);
        }
        assert_eq!(page.matches("```yaml\n---\n").count(), 2, "two blocks to copy");
    }
    let ledger = page(kind("collaboration_ledger").expect("a kind"));
    for line in [
        "- `entries[].kind` (required): one of claim, challenge, rebuttal, constraint, nomination.",
        "- `constraints[].verification.gate` (optional): a text.",
        "- `cycle` (optional): a whole number from 0.",
    ] {
        assert!(ledger.contains(line), "{line}");
    }
}

#[test]
fn the_page_of_all_kinds_lists_each_code_once_a_kind() {
    let page = kinds_page();
    let mut rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let all = rows.len();
    rows.dedup();
    assert!(all >= codes().len() && rows.len() >= codes().len() - 1);
    assert!(KINDS.iter().all(|kind| page.contains(&format!("\n## {}\n", kind.kind))));
}
