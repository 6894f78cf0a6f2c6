//! Valid files, edited at random.

use proptest::prelude::{ProptestConfig, Strategy, any, prop_oneof, proptest};
use proptest::strategy::Just;
use proptest::test_runner::TestCaseError;
use serde_json::{Value, json};

use super::{checked, good, phased};
use crate::workflow::schema;

/// One change of a file: at which of its places, and what is done there.
#[derive(Debug, Clone)]
enum Edit {
    Put(usize, Value),
    Remove(usize),
    Rename(usize, String),
    Copy(usize, usize),
    Cut(usize),
    Octet(usize, u8),
}

fn edit() -> impl Strategy<Value = Edit> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z./~:*-]{0,12}".prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop_oneof![
            Just("review"),
            Just("phase_synthesis"),
            Just("build"),
            Just("draft"),
            Just("fresh"),
            Just("per_job"),
            Just(".."),
            Just("one"),
            Just("striatum.workflow.v1.1")
        ]
        .prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([{"id": "x"}, 1, "y", null])),
    ];
    let place = any::<usize>;
    prop_oneof![
        (place(), value).prop_map(|(at, value)| Edit::Put(at, value)),
        place().prop_map(Edit::Remove),
        (place(), "[a-z_/~]{0,20}").prop_map(|(at, key)| Edit::Rename(at, key)),
        (place(), place()).prop_map(|(from, to)| Edit::Copy(from, to)),
        place().prop_map(Edit::Cut),
        (place(), any::<u8>()).prop_map(|(at, octet)| Edit::Octet(at, octet)),
    ]
}

/// Every pointer of a value.
fn pointers(value: &Value, around: &str, found: &mut Vec<String>) {
    found.push(around.to_owned());
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(key, member)| pointers(member, &format!("{around}/{}", escaped(key)), found));
        }
        Value::Array(entries) => {
            let each = entries.iter().enumerate();
            each.for_each(|(at, entry)| pointers(entry, &format!("{around}/{at}"), found));
        }
        _ => {}
    }
}

fn apply(workflow: &mut Value, edit: &Edit) {
    let mut places = Vec::new();
    pointers(workflow, "", &mut places);
    let at = |place: usize| places[place % places.len()].clone();
    match edit {
        Edit::Put(place, value) => *workflow.pointer_mut(&at(*place)).expect("a place") = value.clone(),
        Edit::Copy(from, to) => {
            let value = workflow.pointer(&at(*from)).expect("a place").clone();
            *workflow.pointer_mut(&at(*to)).expect("a place") = value;
        }
        Edit::Remove(place) | Edit::Rename(place, _) => match workflow.pointer_mut(&at(*place)) {
            Some(Value::Object(members)) => {
                let key = members.keys().nth(place % members.len().max(1)).cloned();
                let member = key.and_then(|key| members.remove(&key));
                if let (Some(member), Edit::Rename(_, name)) = (member, edit) {
                    members.insert(name.clone(), member);
                }
            }
            Some(Value::Array(entries)) if !entries.is_empty() => drop(entries.remove(place % entries.len())),
            _ => {}
        },
        Edit::Cut(_) | Edit::Octet(..) => {}
    }
}

fn check(octets: &[u8]) -> Result<(), TestCaseError> {
    let read = checked(octets);
    for found in &read.findings {
        let place = read.workflow.pointer(&found.pointer);
        let around = found.pointer.rsplit_once('/').and_then(|(around, _)| read.workflow.pointer(around));
        let is_named = place.is_some() || around.is_some() || read.workflow.is_null();
        proptest::prop_assert!(is_named, "{} names {:?}", found.code, found.pointer);
        proptest::prop_assert!(found.line >= 1 && found.column >= 1);
        proptest::prop_assert!(!found.message.is_empty() && !found.hint.is_empty());
    }
    let mut places: Vec<(usize, usize)> =
        read.findings.iter().map(|found| (found.line, found.column)).collect();
    let said = places.clone();
    places.sort_unstable();
    proptest::prop_assert_eq!(said, places);
    // What an editor calls valid by the schema, the checker does, too, and the other way round.
    if read.workflow.is_object() && read.more == 0 {
        let by_schema =
            read.findings.iter().any(|found| schema::CODES.iter().any(|told| told.code == found.code));
        let ours = ["key_unknown", "limit_exceeded", "key_too_long", "id_malformed", "seconds_out_of_range"];
        let by_shape = read.findings.iter().any(|found| ours.contains(&found.code));
        let is_valid = schema::VALIDATOR.is_valid(&read.workflow);
        proptest::prop_assert!(is_valid || by_schema || by_shape);
        proptest::prop_assert!(!is_valid || !by_schema || by_shape);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing panics, nothing hangs, and every finding names a place that is there, or whose parent is.
    #[test]
    fn any_edit_of_a_valid_file_is_told_with_its_place(
        is_phased in any::<bool>(),
        edits in proptest::collection::vec(edit(), 1..8),
    ) {
        let mut workflow = if is_phased { phased() } else { good() };
        edits.iter().for_each(|edit| apply(&mut workflow, edit));
        let mut octets = serde_json::to_string_pretty(&workflow).expect("JSON").into_bytes();
        for edit in &edits {
            match edit {
                Edit::Cut(at) => octets.truncate(octets.len() - at % octets.len().min(40)),
                Edit::Octet(at, octet) => {
                    let place = at % octets.len();
                    octets[place] = *octet;
                }
                _ => {}
            }
        }
        check(&octets)?;
    }
}
