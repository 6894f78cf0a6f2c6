//! Every field of every contract, broken in every single way: refused with its pointer and the code that is written
//! down here.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use striatum_contract::artifact::{KINDS, check, codes, contract};

use super::file;

/// A field of the full block: its schema, its pointer, and whether it has to be there.
struct Field<'s> {
    schema: &'s Value,
    pointer: String,
    is_required: bool,
}

/// All that the full block of a kind has.
fn fields<'s>(schema: &'s Value, value: &Value, outer: &str, into: &mut Vec<Field<'s>>) {
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    for (key, member) in value.as_object().into_iter().flatten() {
        let named = schema["properties"].get(key);
        let Some(of_key) = named.or_else(|| schema.get("additionalProperties")) else { continue };
        let pointer = format!("{outer}/{key}");
        for (at, item) in member.as_array().into_iter().flatten().enumerate() {
            fields(&of_key["items"], item, &format!("{pointer}/{at}"), into);
            into.push(Field {
                schema: &of_key["items"],
                pointer: format!("{pointer}/{at}"),
                is_required: false,
            });
        }
        fields(of_key, member, &pointer, into);
        into.push(Field { schema: of_key, pointer, is_required: required.iter().any(|known| known == key) });
    }
}

/// What breaks a field, and the code that says so.
fn breaks(field: &Field<'_>) -> Vec<(Value, &'static str)> {
    let schema = field.schema;
    let wrong = json!({"a mapping": 1});
    if schema["enum"].is_array() {
        return vec![
            (json!("blue"), "value_not_allowed"),
            (wrong, "value_not_allowed"),
            (json!(""), "field_empty"),
            (Value::Null, "field_empty"),
        ];
    }
    let mut breaks = match schema["type"].as_str() {
        Some("integer") => vec![
            (json!("x"), "field_type"),
            (json!("3"), "field_type"),
            (wrong, "field_type"),
            (Value::Null, "field_empty"),
            (json!(""), "field_empty"),
            (json!(-1), "value_too_small"),
            (json!(9_007_199_254_740_993_i64), "value_too_large"),
        ],
        Some("boolean") => vec![
            (json!("no"), "field_type"),
            (json!(0), "field_type"),
            (wrong, "field_type"),
            (Value::Null, "field_empty"),
        ],
        Some("array") => {
            let mut breaks =
                vec![(json!("a"), "field_type"), (wrong, "field_type"), (Value::Null, "field_empty")];
            if schema["minItems"] == 1 {
                breaks.push((json!([]), "field_empty"));
            }
            breaks
        }
        Some("object") => {
            vec![(json!("a"), "field_type"), (json!(["a"]), "field_type"), (Value::Null, "field_empty")]
        }
        // A text, or a text or null.
        _ => vec![(wrong, "field_type"), (json!(["a"]), "field_type")],
    };
    if schema["type"] == "string" {
        breaks.push((Value::Null, "field_empty"));
    }
    match (schema["pattern"].as_str(), schema["format"].as_str()) {
        (Some("\\S"), _) => breaks.extend([(json!(""), "field_empty"), (json!(" \t"), "field_empty")]),
        (Some(_), _) => {
            breaks.extend(
                ["dialogue:", "dialogue:x", "3", "dialogue:1 "].map(|turn| (json!(turn), "value_malformed")),
            );
        }
        (None, Some("moment")) => breaks.push((json!("2026-02-30"), "moment_impossible")),
        (None, Some(_)) => {
            breaks.extend(
                ["/abs", "../up", "a/../b", "a//b", ""].map(|path| (json!(path), "path_not_relative")),
            );
        }
        (None, None) => {}
    }
    breaks
}

/// STR-FRONTMATTER-08 to 22, 24 to 26, 30 to 32, 34, 35, 38, 42 to 44 and 46 are these fields, one by one:
/// STR-FRONTMATTER-08, STR-FRONTMATTER-09, STR-FRONTMATTER-10, STR-FRONTMATTER-11, STR-FRONTMATTER-12,
/// STR-FRONTMATTER-13, STR-FRONTMATTER-14, STR-FRONTMATTER-15, STR-FRONTMATTER-16, STR-FRONTMATTER-17,
/// STR-FRONTMATTER-18, STR-FRONTMATTER-19, STR-FRONTMATTER-20, STR-FRONTMATTER-21, STR-FRONTMATTER-22,
/// STR-FRONTMATTER-24, STR-FRONTMATTER-25, STR-FRONTMATTER-26, STR-FRONTMATTER-30, STR-FRONTMATTER-31,
/// STR-FRONTMATTER-32, STR-FRONTMATTER-34, STR-FRONTMATTER-35, STR-FRONTMATTER-38, STR-FRONTMATTER-42,
/// STR-FRONTMATTER-43, STR-FRONTMATTER-44, STR-FRONTMATTER-46.
#[test]
fn every_single_break_is_refused_where_it_is() {
    let of_rules: BTreeSet<&str> =
        codes().into_iter().filter(|code| code.kind.is_some()).map(|code| code.code).collect();
    let mut tried = 0;
    for kind in KINDS.iter().filter_map(|kind| contract(&kind.kind)) {
        let full = &kind.schema["examples"][1];
        let mut all = Vec::new();
        fields(&kind.schema, full, "", &mut all);
        // What rules say beside it is their own tests'.
        let assert_refused = |values: &Value, expected: (&str, &str)| {
            let checked = check(&kind.kind, file(values).as_bytes());
            let found: Vec<(&str, &str)> = checked
                .problems
                .iter()
                .filter(|problem| !of_rules.contains(problem.code))
                .map(|problem| (problem.code, problem.pointer.as_str()))
                .collect();
            assert_eq!(found, [expected], "{}: {}", kind.kind, file(values));
            assert!(checked.corrected.is_some());
        };
        for field in &all {
            for (value, code) in breaks(field) {
                let mut broken = full.clone();
                *broken.pointer_mut(&field.pointer).expect("it is there") = value;
                assert_refused(&broken, (code, &field.pointer));
                tried += 1;
            }
            let (parent, key) = field.pointer.rsplit_once('/').expect("a field");
            let mut broken = full.clone();
            let Some(members) = broken.pointer_mut(parent).and_then(Value::as_object_mut) else { continue };
            members.insert("surplus".to_owned(), json!(1));
            members.remove(key);
            if kind.schema.pointer("/properties/branches").is_some() && parent == "/branches" {
                continue;
            }
            let checked = check(&kind.kind, file(&broken).as_bytes());
            let codes: Vec<&str> = checked
                .problems
                .iter()
                .filter(|problem| !of_rules.contains(problem.code) && problem.pointer == parent)
                .map(|problem| problem.code)
                .collect();
            let mut expected = vec!["field_unknown"];
            expected.extend(field.is_required.then_some("field_missing"));
            let same = |codes: &[&str]| codes.iter().copied().map(str::to_owned).collect::<BTreeSet<_>>();
            assert_eq!(same(&codes), same(&expected), "{}{}", kind.kind, field.pointer);
            tried += 1;
        }
    }
    assert!(tried > 1000, "{tried} breaks");
}

/// B047: one answer holds all of it, each with field, place, value, what is allowed, and a block to go on with.
/// STR-FRONTMATTER-05: the names of the fields are among it.
#[test]
fn one_answer_lists_all_that_is_wrong() {
    let text = b"---\nauthor: me\nseverity: blocker\ntags: a, b\nverdict_intent: Accept With Findings\n\
                 schema_version: striatum.finding.v1\nauthors: us\n---\n";
    let checked = check("finding", text);
    let shown: Vec<_> = checked
        .problems
        .iter()
        .map(|problem| (problem.code, problem.field.as_str(), problem.line, problem.given.as_deref()))
        .collect();
    assert_eq!(
        shown,
        [
            ("field_missing", "artifact_kind", 2, None),
            ("value_not_allowed", "severity", 3, Some("blocker")),
            ("field_type", "tags", 4, Some("a, b")),
            ("value_not_allowed", "verdict_intent", 5, Some("Accept With Findings")),
            ("field_unknown", "authors", 7, None),
        ]
    );
    assert_eq!(checked.problems[1].allowed, ["info", "low", "medium", "high", "critical"]);
    assert_eq!(
        checked.corrected.as_deref(),
        Some(
            "---\nschema_version: striatum.finding.v1\nartifact_kind: finding\nverdict_intent: \
             accept_with_findings\nauthor: me\nseverity: \"<choose: info|low|medium|high|critical>\"\n\
             tags: [\"a\", \"b\"]\n---\n"
        )
    );
}

#[test]
fn problems_are_listed_up_to_a_bound_and_counted_beyond_it() {
    let lines: String = (0..5000).map(|n| format!("surplus{n}: 1\n")).collect();
    let checked = super::finding(&lines);
    assert_eq!((checked.problems.len(), checked.more), (100, 4900));
    let long = super::finding(&format!("severity: {}\n", "x".repeat(10_000)));
    assert!(
        long.problems[0].message.len() < 300
            && long.problems[0].given.as_ref().is_some_and(|given| given.len() < 130)
    );
}
