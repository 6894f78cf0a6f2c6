//! Files that somebody made to do harm, and files that are none.

use serde_json::json;

use super::{checked, good, said, with};
use crate::workflow::bounds::{MOST_KEPT, MOST_OCTETS};
use crate::workflow::{Around, Tree, read, reader};

fn codes(octets: &[u8]) -> Vec<&'static str> {
    checked(octets).findings.iter().map(|found| found.code).collect()
}

/// STR-WORKFLOW-01: a workflow file is one JSON object in UTF-8, and what else it may be is refused by its name.
/// A place that cannot be read is the one where reading stopped, said once.
#[test]
fn what_cannot_be_read_is_shown_where_it_stands() {
    let cases: &[(&[u8], &str, (usize, usize))] = &[
        (b"{\n  \"a\": {\n    \"b\": 1\n    \"c\": 2\n  }\n}", "json_malformed", (4, 5)),
        (b"{\n  \"a\": [1,\n  2,]\n}", "json_malformed", (3, 5)),
        (b"{}\n\n {}", "json_trailing", (3, 2)),
        (b"{\n \"\xff\": 1}", "file_not_utf8", (2, 3)),
    ];
    for (octets, code, place) in cases {
        let found = checked(octets).findings;
        let first = found.first().expect("a finding");
        assert_eq!((first.code, (first.line, first.column)), (*code, *place), "{first:?}");
        assert!(!first.message.contains("line"), "{first:?}");
    }
}

#[test]
fn what_is_no_json_object_is_refused_by_its_name() {
    let text = good().to_string();
    let octets = |text: &str| text.as_bytes().to_vec();
    let cases: Vec<(&str, Vec<u8>, Vec<u8>)> = vec![
        ("file_too_large", vec![b' '; MOST_OCTETS as usize + 1], vec![b' '; MOST_OCTETS as usize]),
        ("file_has_mark", octets(&format!("\u{feff}{text}")), octets(&text.replace("wf", "\u{feff}"))),
        ("file_not_utf8", [&text.as_bytes()[..9], b"\xff", &text.as_bytes()[9..]].concat(), octets(&text)),
        ("file_is_yaml", octets("schema_version: v1\n"), octets("{\"schema_version\": 1}")),
        ("file_is_yaml", octets("---\na: 1\n"), octets("-1")),
        ("file_is_yaml", octets("# a workflow\n"), octets(" \n {}")),
        ("json_malformed", octets("{\"a\": 1,}"), octets("{\"a\": 1}")),
        ("json_malformed", octets(""), octets("{}")),
        ("json_trailing", octets(&format!("{text} {{}}")), octets(&format!("{text} \n"))),
        ("json_not_object", octets("[]"), octets("{}")),
        (
            "json_too_deep",
            octets(&format!("{{\"a\": {}1{}}}", "[".repeat(64), "]".repeat(64))),
            octets(&text),
        ),
        ("json_unsafe", octets(&text.replace("\"a workflow\"", "1e3")), octets(&text.replace("wf", "1e3"))),
        (
            "json_unsafe",
            octets(&text.replace("a workflow", "\\ud800")),
            octets(&text.replace("wf", "\\u00e4")),
        ),
        ("key_repeated", octets("{\"a\": 1, \"a\": 1}"), octets("{\"a\": 1, \"b\": {\"a\": 1}}")),
    ];
    for (code, broken, near) in &cases {
        assert!(codes(broken).contains(code), "{code}: {:?}", codes(broken));
        assert!(!codes(near).contains(code), "{code}: {:?}", codes(near));
    }
    for told in reader::CODES {
        assert!(cases.iter().any(|(code, ..)| *code == told.code), "{} has no case", told.code);
    }
    assert_eq!(codes(&cases[0].1), ["file_too_large"]);
}

#[test]
fn yaml_is_refused_by_its_name_too() {
    for (path, is_yaml) in
        [("wf.yaml", true), ("flow/wf.YML", true), ("yaml", false), ("wf.yaml.json", false)]
    {
        let tree = Tree { path, look: &super::entry, program: None };
        let read = read(good().to_string().as_bytes(), &Around { tree: Some(tree), is_strict: false });
        assert_eq!(
            read.findings.first().map(|found| found.code == "file_is_yaml"),
            is_yaml.then_some(true),
            "{path}"
        );
    }
}

/// A key that stands twice hides nothing of what else is wrong.
#[test]
fn the_rest_of_a_file_with_a_repeated_key_is_checked_too() {
    let text = good().to_string().replacen('{', "{\"name\": \"\", ", 1);
    let with_both = text.replace("\"a workflow\"", "\"\"");
    assert_eq!(said(with_both.as_bytes()), ["key_repeated /name", "line_malformed /name"]);
}

#[test]
fn brackets_without_end_are_refused() {
    for text in [
        "[".repeat(10_000),
        "{\"a\":".repeat(10_000),
        format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)),
    ] {
        let codes = codes(text.as_bytes());
        assert!(codes.contains(&"json_too_deep"), "{codes:?}");
        assert_eq!(checked(text.as_bytes()).workflow, json!(null));
    }
}

/// As many edges as a file can hold are not looked at one by one.
#[test]
fn too_much_of_anything_ends_the_check() {
    let million = format!("[{}0]", "0,".repeat(1_000_000));
    let text = good().to_string().replace("\"edges\":[", &format!("\"phases\":{million},\"edges\":["));
    assert_eq!(said(text.as_bytes()), ["limit_exceeded /phases"]);
    let keys: String = (0..2000).map(|at| format!("\"strange {at}\":1,")).collect();
    let text = good().to_string().replacen('{', &format!("{{{keys}"), 1);
    assert_eq!(said(text.as_bytes()), ["limit_exceeded"]);
    let mut workflow = good();
    for job in 0..3 {
        let notes = (0..400).map(|at| (format!("strange {at}"), json!(1)));
        workflow["jobs"][job].as_object_mut().expect("a job").extend(notes);
    }
    let found = codes(workflow.to_string().as_bytes());
    assert_eq!((found[0], found.len()), ("limit_exceeded", MOST_KEPT + 1));
}

#[test]
fn what_is_shown_of_a_hostile_value_is_short_and_steers_nothing() {
    for value in [json!("\u{1b}[2J"), json!("x".repeat(100_000)), json!(vec!["x"; 1000])] {
        for pointer in
            ["/jobs/0/role_id", "/schema_version", "/branch/mode", "/workflow_id", "/jobs/0/lease_secs"]
        {
            let read = checked(with(good(), pointer, value.clone()).to_string().as_bytes());
            for found in read.findings {
                assert!(found.message.len() < 610, "{}: {}", found.code, found.message.len());
                assert!(!found.message.contains('\u{1b}'), "{}: {:?}", found.code, found.message);
            }
        }
    }
}

/// B024: a time is a time wherever it stands, also under a key that nobody knows.
#[test]
fn times_are_whole_seconds_of_a_day_at_most() {
    let places = [
        "/lease_seconds",
        "/liveness/lease_seconds",
        "/lanes/author/lease_seconds",
        "/lanes/author/liveness/heartbeat_seconds",
        "/jobs/0/heartbeat_seconds",
        "/recovery_policy/lease_seconds",
        "/branch/strange_seconds",
    ];
    for pointer in places {
        let base = || {
            let workflow = with(with(good(), "/liveness", json!({})), "/recovery_policy", json!({}));
            with(workflow, "/lanes/author/liveness", json!({}))
        };
        for (value, is_time) in [
            (json!(1), true),
            (json!(86_400), true),
            (json!(0), false),
            (json!(-5), false),
            (json!(1_000_000_000_000_u64), false),
            (json!("30s"), false),
            (json!(1.5), false),
        ] {
            let mut workflow = base();
            let (around, key) = pointer.rsplit_once('/').expect("a pointer");
            let object = workflow.pointer_mut(around).and_then(|around| around.as_object_mut());
            object.expect("an object").insert(key.to_owned(), value.clone());
            let read = checked(workflow.to_string().as_bytes());
            let refused: Vec<String> = read.problems(false).map(|found| found.pointer.clone()).collect();
            let expected: &[&str] = if is_time { &[] } else { &[pointer] };
            assert_eq!(refused, expected, "{pointer} {value}");
        }
        let text = base().to_string().replacen('{', "{\"lease_seconds\": null, ", 1);
        assert!(said(text.as_bytes())[0].starts_with("seconds_out_of_range /lease_seconds"));
    }
}

/// B042: loops are refused with their names, and a long chain is none.
#[test]
fn a_circle_is_named_and_a_chain_of_two_thousand_jobs_is_none() {
    let loop_of_two = with(good(), "/edges/2", json!({"from": "review", "to": "draft"}));
    let read = checked(loop_of_two.to_string().as_bytes());
    let circle = read.findings.iter().find(|found| found.code == "edges_cyclic").expect("a circle");
    assert!(circle.message.ends_with("draft -> review -> draft"), "{}", circle.message);

    let job = |at: usize| {
        let mut job = json!({"role_id": "author", "objective": "x", "write_scope": {"repo_write": false}});
        job["id"] = json!(format!("j{at}"));
        job
    };
    let mut workflow = good();
    workflow["jobs"] = (0..2000).map(job).collect();
    workflow["edges"] =
        (1..2000).map(|at| json!({"from": format!("j{}", at - 1), "to": format!("j{at}")})).collect();
    workflow["cycles"] = json!([]);
    assert_eq!(said(workflow.to_string().as_bytes()), [""; 0]);
    let back = json!({"from": "j1999", "to": "j0"});
    workflow["edges"].as_array_mut().expect("a list").push(back);
    assert_eq!(said(workflow.to_string().as_bytes()), ["edges_cyclic /jobs/0"]);
}
