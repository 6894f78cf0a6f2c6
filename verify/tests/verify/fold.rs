//! What the events say they changed, folded: each starts from what those before it left. Every hash here is right.

use serde_json::{Value, json};
use striatum_verify::{Code, Difference, Verdict};

use crate::difference;
use crate::export::{Export, REPOSITORIES, change, edit_payload, event};

/// An export whose first repository has an event for each of these lists of changes, sealed.
fn folded(events: &[Vec<Value>]) -> Export {
    let mut export = Export::good();
    export.events[0].1 =
        events.iter().map(|changes| event(REPOSITORIES[0], "job.changed", changes)).collect();
    export.seal();
    export
}

fn job(from: Value, to: Value) -> Vec<Value> {
    vec![change("job", "job_1", from, to)]
}

fn assert_differs(export: &Export, line: u64, key: &str, expected: &str, found: &str) {
    let Difference { code, column, line: at, expected: is, found: said, .. } = difference(export);
    assert_eq!(code, Code::FoldDiffers);
    assert_eq!((at, column), (Some(line), Some(format!("payload_json.changes[job job_1].{key}"))));
    assert_eq!((is.as_deref(), said.as_deref()), (Some(expected), Some(found)));
}

#[test]
fn a_change_starts_from_what_is() {
    let made = job(Value::Null, json!({"state": "queued", "attempt": 1}));
    let wrong = job(json!({"state": "running"}), json!({"state": "completed"}));
    assert_differs(&folded(&[made, wrong]), 2, "from.state", "\"queued\"", "\"running\"");
}

#[test]
fn nothing_is_made_twice_or_changed_before_it_is_made_or_after_it_is_gone() {
    let made = || job(Value::Null, json!({"state": "queued"}));
    let gone = || job(json!({"state": "queued"}), Value::Null);
    assert_differs(&folded(&[made(), made()]), 2, "from", "the object, which exists", "null");
    assert_differs(&folded(&[gone()]), 1, "from", "null", "{\"state\":\"queued\"}");
    assert_differs(&folded(&[made(), gone(), gone()]), 3, "from", "null", "{\"state\":\"queued\"}");
    assert_differs(&folded(&[job(Value::Null, Value::Null)]), 1, "to", "an object", "null");
    assert_eq!(folded(&[made(), gone(), made()]).verify().verdict, Verdict::Verified);
}

#[test]
fn changes_of_one_event_are_taken_in_their_order() {
    let both = [job(Value::Null, json!({"n": 1})), job(json!({"n": 1}), json!({"n": 2}))].concat();
    assert_eq!(folded(std::slice::from_ref(&both)).verify().verdict, Verdict::Verified);
    let reversed = both.into_iter().rev().collect();
    assert_differs(&folded(&[reversed]), 1, "from", "null", "{\"n\":1}");
}

/// A column that an object does not have is null, on either side.
#[test]
fn what_is_not_there_is_null() {
    let made = || job(Value::Null, json!({"state": "queued", "lease_id": null}));
    let said = || job(json!({"lease_id": null}), json!({"lease_id": "l"}));
    let unsaid = || job(json!({}), json!({"lease_id": "l"}));
    assert_eq!(folded(&[made(), said()]).verify().verdict, Verdict::Verified);
    assert_eq!(folded(&[made(), unsaid()]).verify().verdict, Verdict::Verified);
    assert_differs(&folded(&[made(), said(), unsaid()]), 3, "from.lease_id", "\"l\"", "null");
}

/// A value of any length and shape counts as a whole.
#[test]
fn long_and_nested_values_are_compared_whole() {
    let note = |end: &str| format!("{}{end}", "x".repeat(200));
    let scope = |end: &str| json!({"scope": {"paths": ["a b", "c\"  d\\"], "note": note(end)}});
    let made = || job(Value::Null, scope("1"));
    let good = folded(&[made(), job(scope("1"), scope("2")), job(scope("2"), Value::Null)]);
    assert_eq!(good.verify().verdict, Verdict::Verified);
    let found = difference(&folded(&[made(), job(scope("2"), scope("1"))]));
    assert_eq!((found.code, found.line), (Code::FoldDiffers, Some(2)));
    for (one, other) in [("[1, 2]", "[1,2]"), ("{\"a\": \" \"}", "{\"a\":\" \"}")] {
        let raw = |from: &str, to: &str| {
            json!(format!(
                "{{\"changes\": [{{\"of\": \"job\", \"id\": \"j\", \"from\": {from}, \"to\": {to}}}]}}"
            ))
        };
        let mut export = folded(&[vec![], vec![]]);
        export.events[0].1[0]["payload_json"] = raw("null", &format!("{{\"c\": {one}}}"));
        export.events[0].1[1]["payload_json"] = raw(&format!("{{\"c\": {other}}}"), "null");
        export.seal();
        assert_eq!(export.verify().verdict, Verdict::Verified, "{one} is {other}");
    }
}

#[test]
fn a_column_twice_or_a_side_that_is_no_object_is_seen() {
    for side in ["{\"a\": 1, \"a\": 1}", "{\"a\": 1, \"b\": 1, \"\\u0061\": 2}", "[]", "1", "\"{}\""] {
        let mut export = folded(&[vec![]]);
        export.events[0].1[0]["payload_json"] = json!(format!(
            "{{\"changes\": [{{\"of\": \"job\", \"id\": \"j\", \"from\": null, \"to\": {side}}}]}}"
        ));
        export.seal();
        let found = difference(&export);
        assert_eq!((found.code, found.line), (Code::PayloadMalformed, Some(1)), "{side}");
    }
}

/// Another kind with the same id, another id of the same kind, the same in another repository: all others.
#[test]
fn an_object_is_its_kind_and_its_id_in_its_repository() {
    let made = |of: &str, id: &str| vec![change(of, id, Value::Null, json!({"state": "queued"}))];
    let mut export = folded(&[made("job", "1"), made("lease", "1"), made("job", "2"), made("jo", "b1")]);
    export.events[1].1 = vec![event(REPOSITORIES[1], "job.created", &made("job", "1"))];
    export.seal();
    assert_eq!(export.verify().verdict, Verdict::Verified, "{}", export.verify().text());
}

/// Any one event with changes deleted, and everything after it hashed anew, as only the owner of a database could: the
/// fold alone still sees it, unless nothing after it speaks of the same objects.
#[test]
fn an_event_that_never_was_is_missed_by_what_follows_it() {
    for gone in 0..2 {
        let mut export = Export::good();
        export.events[0].1.remove(gone);
        export.seal();
        let found = difference(&export);
        assert_eq!((found.code, found.file), (Code::FoldDiffers, export.file(1)), "{gone}");
    }
}

/// A changed column of a payload with everything after it hashed anew.
#[test]
fn a_state_that_was_rewritten_is_missed_by_what_follows_it() {
    let mut export = Export::good();
    edit_payload(&mut export.events[0].1[1], |payload| {
        payload["changes"][0]["to"]["state"] = json!("completed");
    });
    export.seal();
    assert_differs(&export, 4, "from.state", "\"completed\"", "\"running\"");
}
