//! The examples of each contract, and those of the specification.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use striatum_contract::artifact::{KINDS, block_of, check, contract};

use super::{file, found};

/// Every field below a schema, as a pointer without the numbers of rows.
fn fields(schema: &Value, outer: &str, into: &mut BTreeSet<String>) {
    for (key, field) in schema["properties"].as_object().into_iter().flatten() {
        // Standard metadata that the kind does not look at.
        if field.get("$comment").is_none() {
            into.insert(format!("{outer}/{key}"));
            fields(field, &format!("{outer}/{key}"), into);
            fields(&field["items"], &format!("{outer}/{key}"), into);
        }
    }
}

fn given(value: &Value, outer: &str, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                into.insert(format!("{outer}/{key}"));
                given(member, &format!("{outer}/{key}"), into);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| given(item, outer, into)),
        _ => {}
    }
}

/// STR-FRONTMATTER-07: each contract wants its own id and its own kind.
#[test]
fn the_smallest_block_and_the_full_one_of_each_kind_are_valid() {
    for kind in KINDS.iter().filter_map(|kind| contract(&kind.kind)) {
        assert_eq!(kind.schema["properties"]["artifact_kind"]["enum"], serde_json::json!([kind.kind]));
        let id = format!("striatum.{}.v1", kind.kind);
        assert_eq!(kind.schema["properties"]["schema_version"]["enum"][0], id);
        for example in [0, 1] {
            let block = block_of(kind, example);
            let checked = check(&kind.kind, format!("{block}\n# Title\n").as_bytes());
            assert!(checked.is_valid() && checked.corrected.is_none(), "{block}{checked:?}");
            assert_eq!(checked.front_matter, kind.schema["examples"][example], "read back as it was written");
            assert!(check(&kind.kind, block.replace('\n', "\r\n").as_bytes()).is_valid());
        }
        let [smallest, full] = [0, 1].map(|example| &kind.schema["examples"][example]);
        let required: BTreeSet<&str> =
            kind.schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let keys: BTreeSet<&str> =
            smallest.as_object().into_iter().flat_map(|members| members.keys().map(String::as_str)).collect();
        assert_eq!(keys, required, "{}: nothing could be left out", kind.kind);
        let (mut known, mut shown) = (BTreeSet::new(), BTreeSet::new());
        fields(&kind.schema, "", &mut known);
        given(full, "", &mut shown);
        let missing: Vec<_> = known.difference(&shown).collect();
        assert!(missing.is_empty(), "{}: the full block lacks {missing:?}", kind.kind);
    }
}

/// STR-FRONTMATTER-47: the productive revision, the clearing ledger and the one with a second adjudicator.
/// STR-FRONTMATTER-38: a ledger of the first version is valid as well.
#[test]
#[expect(clippy::disallowed_methods, reason = "reads the ledgers of this source tree")]
fn the_ledgers_of_the_specification_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/artifacts");
    for (name, verdict) in [
        ("ledger-revision.md", "needs_revision"),
        ("ledger-clearing.md", "accept_with_findings"),
        ("ledger-second-adjudicator.md", "accept"),
    ] {
        let text = std::fs::read(folder.join(name)).expect("a file");
        let checked = check("collaboration_ledger", &text);
        assert!(checked.is_valid(), "{name}: {checked:?}");
        assert_eq!(checked.front_matter["verdict"], verdict);
    }
    let ledger = contract("collaboration_ledger").expect("a contract");
    assert_eq!(ledger.schema["examples"][0]["schema_version"], "striatum.collaboration_ledger.v1");
    // Both versions take `cycle`; the first one as it is.
    let mut first = ledger.schema["examples"][0].clone();
    first["cycle"] = Value::from(1);
    assert!(check("collaboration_ledger", file(&first).as_bytes()).is_valid());
    first["cycle"] = Value::from(-1);
    let checked = check("collaboration_ledger", file(&first).as_bytes());
    assert_eq!(found(&checked), ["value_too_small /cycle"]);
}
