//! Texts as they stand on a screen.

use serde_json::{Value, json};

use super::{Paint, Reading};

const SHORT: Reading<'static> =
    Reading { verbose: false, now: 1_796_042_096, width: None, paint: Paint(false), shows: &[] };
const LONG: Reading<'static> = Reading { verbose: true, ..SHORT };

fn render(data: &Value, reading: Reading<'_>) -> String {
    super::render(data, &[], reading)
}

fn showing(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

#[test]
fn values_stand_below_each_other_and_blocks_below_their_names() {
    let data = json!({
        "root": "/r", "is_new": true, "removed_at": null, "note": "", "tags": ["a", "b"], "display_name": "r",
        "state": "active", "added_at": "2026-11-30T12:33:56.000000Z", "repository_id": "repo_1",
        "lines": "one\nnext:  rm -rf /\n", "inner": {"count": 3, "deeper": {"x": 0.5}, "none": {}, "empty": []},
    });
    assert_eq!(
        render(&data, SHORT),
        "repository id:  repo_1\ndisplay name:   r\nnew:            yes\nstate:          active\n\
         added at:       1 min ago\nremoved at:     -\nnote:           \"\"\nroot:           /r\n\
         tags:           a, b\n\
         \ninner:\n  count:  3\n  empty:  -\n  none:   -\n  deeper:\n    x:  0.5\n\
         \nlines:\n  one\n  next:  rm -rf /\n"
    );
}

#[test]
fn what_was_registered_to_be_shown_is_shown_in_that_order() {
    let shows = showing(&["root", "id", "inner"]);
    let data =
        json!({"id": "repo_1", "root": "/r", "state": "active", "inner": {"id": 1, "x": 2}, "z": {"y": 1}});
    let reading = Reading { shows: &shows, ..SHORT };
    assert_eq!(render(&data, reading), "root:  /r\nid:    repo_1\n\ninner:\n  id:  1\n");
    let all = Reading { verbose: true, ..reading };
    assert_eq!(
        render(&data, all),
        "root:  /r\nid:    repo_1\n\ninner:\n  id:  1\n  x:   2\n\nstate:  active\n\nz:\n  y:  1\n"
    );
    assert_eq!(render(&json!({"other": 1}), reading), "other:  1\n", "an answer is never left out whole");
}

#[test]
fn a_list_of_objects_is_a_table_that_lines_up_whatever_the_script() {
    let data = json!({"repositories": [
        {"id": "repo_1", "name": "作業", "created_at": "2026-11-30T12:33:56.000000Z", "gone_at": null, "l": []},
        {"id": "repo_22", "name": "x", "more": {"a": [1], "b": null}, "gone_at": null},
    ]});
    assert_eq!(
        render(&data, SHORT),
        "id       name  created at  more\nrepo_1   作業  1 min ago\nrepo_22  x                 a=[1] b=-\n"
    );
    assert_eq!(render(&json!({"repositories": []}), SHORT), "no repositories\n");
    let data = json!({"n": 1, "all": [{"a": 1}, {"a": 2}]});
    assert_eq!(render(&data, SHORT), "n:  1\n\nall:\n  a\n  1\n  2\n");
}

#[test]
fn a_table_that_is_too_wide_turns_its_lines_and_one_that_cannot_stands_below_each_other() {
    let data =
        json!({"all": [{"id": "repo_1", "said": "one two three four"}, {"id": "repo_2", "said": "five"}]});
    let narrow = |width| Reading { width: Some(width), ..SHORT };
    assert_eq!(
        render(&data, narrow(18)),
        "id      said\nrepo_1  one two\n        three four\nrepo_2  five\n"
    );
    assert_eq!(
        render(&data, narrow(12)),
        "id:    repo_1\nsaid:  one two three four\n\nid:    repo_2\nsaid:  five\n"
    );
}

#[test]
fn long_sentences_turn_and_nothing_is_cut() {
    let data = json!({"said": "one two three four five six seven", "path": "/".repeat(60)});
    let narrow = Reading { width: Some(34), ..SHORT };
    assert_eq!(
        render(&data, narrow),
        format!("path:  {}\nsaid:  one two three four five six\n       seven\n", "/".repeat(60))
    );
    assert_eq!(
        super::render(&json!({}), &["one two three four five six seven"], narrow),
        "done\nnote:  one two three four five six\n       seven\n"
    );
}

#[test]
fn times_are_relative_and_absolute_as_well_on_demand() {
    let data =
        json!({"at": "2026-11-30T12:33:56Z", "ended_at": "2026-11-30T12:33:56.000000Z", "said_at": "soon"});
    assert_eq!(
        render(&data, SHORT),
        "ended at:  1 min ago\nsaid at:   soon\nat:        2026-11-30T12:33:56Z\n"
    );
    assert_eq!(
        render(&data, LONG),
        "ended at:  2026-11-30T12:33:56.000000Z (1 min ago)\nsaid at:   soon\nat:        2026-11-30T12:33:56Z\n"
    );
}

#[test]
fn grants_are_read_as_what_may_be_done_where() {
    let grant = |capability: &str, place: Value| json!({"capability": capability, "repository_id": place});
    let grants =
        [grant("read", json!("repo_1")), grant("admin", Value::Null), grant("write", json!("repo_1"))];
    let data = json!({"grants": grants});
    assert_eq!(render(&data, SHORT), "grants:  read, write in repo_1; admin everywhere\n");
    let other =
        json!({"grants": [{"capability": "read", "repository_id": "r", "more": 1}, {"x": 2}], "a": 1});
    assert_eq!(
        render(&other, SHORT),
        "a:  1\n\ngrants:\n  repository id  capability  more  x\n  r              read        1\n\
         \x20                                  2\n",
        "what looks otherwise is shown as it is"
    );
}

#[test]
fn a_token_stands_on_a_line_of_its_own_and_notes_below_the_data() {
    let data = json!({"client_id": "c", "token": "c.secret", "next": ["striatum token list"]});
    assert_eq!(
        super::render(&data, &["it is shown once"], SHORT),
        "client id:  c\n\ntoken:\nc.secret\nnote:  it is shown once\nnext:  striatum token list\n"
    );
}

#[test]
fn checks_say_first_whether_all_is_well() {
    let check = |ok: bool, name: &str| {
        json!({"ok": ok, "name": name, "message": "what was found there", "affected": ["a", "b"],
               "next": if ok { json!([]) } else { json!(["striatum one", "striatum two"]) }})
    };
    let good =
        json!({"ok": true, "plane": {"ok": true, "checks": [{"ok": true, "name": "n", "message": "m"}]}});
    assert_eq!(render(&good, SHORT), "ok\n\nplane:  ok\n  ok     n  m\n");
    let data =
        json!({"ok": false, "plane": {"ok": false, "checks": [check(true, "long_name"), check(false, "x")]}});
    let narrow = Reading { width: Some(44), ..SHORT };
    assert_eq!(
        render(&data, narrow),
        "FAULT\n\nplane:  FAULT\n\
         \x20 ok     long_name  what was found there\n\
         \x20                   affected:  a, b\n\
         \x20 FAULT  x          what was found there\n\
         \x20                   affected:  a, b\n\
         \x20                   next:      striatum one\n\
         \x20                   next:      striatum two\n"
    );
    let coloured = Reading { paint: Paint(true), ..SHORT };
    assert!(render(&data, coloured).starts_with("\u{1b}[1;31mFAULT\u{1b}[0m\n"));
    assert!(render(&good, coloured).starts_with("\u{1b}[32mok\u{1b}[0m\n"));
}

#[test]
fn params_are_read_where_one_thing_has_them_and_left_out_of_a_table_of_several() {
    let thing = |name: &str| {
        json!({"method": name, "summary": "Does", "examples": ["do it", "do it again"], "params": {
            "type": "object", "required": ["path"], "properties": {
                "init": {"type": "boolean", "description": "Make it"},
                "path": {"type": "string", "format": "path", "maxLength": 9, "description": "Where"}}}})
    };
    assert_eq!(
        render(&json!({"methods": [thing("a.b")]}), SHORT),
        "method:   a.b\nsummary:  Does\n\nexamples:\n  - do it\n  - do it again\n\
         \nparams:\n  path  Where (required path, at most 9 characters)\n  init  Make it (boolean)\n"
    );
    let two = json!({"methods": [thing("a.b"), thing("a.c")]});
    assert_eq!(render(&two, SHORT), "method  summary\na.b     Does\na.c     Does\n");
    assert!(render(&two, LONG).contains("init  Make it"));
}

#[test]
fn next_steps_stand_at_the_end() {
    let data = json!({"next": ["striatum run start"], "a": 1});
    assert_eq!(render(&data, SHORT), "a:  1\nnext:  striatum run start\n");
    assert_eq!(render(&json!({}), SHORT), "done\n");
    assert_eq!(render(&json!({"next": 5}), SHORT), "next:  5\n");
}

#[test]
fn nothing_steers_the_terminal() {
    let evil = "\u{1b}[2J\u{9b}\u{202e}\r";
    let data = json!({evil: evil, "l": [evil], "t": [{evil: evil}], "o": {evil: [[evil]]}, "next": [evil],
                      "c": [{"ok": false, "name": evil, "message": evil, "affected": [evil], "next": [evil]}],
                      "p": {"type": "object", "properties": {evil: {"enum": [evil], "description": evil}}},
                      "grants": [{"capability": evil, "repository_id": evil}], "token": evil,
                      "m": format!("a\n{evil}"), "s": [format!("a {evil}")], "n": [{"x": {evil: {evil: [evil]}}}]});
    for width in [None, Some(1)] {
        let text = super::render(&data, &[evil], Reading { width, ..LONG });
        assert!(text.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')), "{text:?}");
    }
}
