//! The block that is offered: valid values stay, one reading is mended, the rest is the author's.

use serde_json::Value;
use striatum_contract::artifact::{check, contract};

use super::filled::settled;
use super::{file, finding, found};

fn offered(lines: &str) -> String {
    finding(lines).corrected.expect("a block")
}

#[test]
fn what_has_one_reading_is_mended() {
    for (lines, mended) in [
        ("severity: HIGH\n", "severity: high\n"),
        ("severity: ' high'\n", "severity: high\n"),
        // Publishing compares the author line as it stands.
        ("severity: HIGH\nauthor: reviewer-review-a-001\n", "\nauthor: reviewer-review-a-001\n"),
        ("severty: high\n", "severity: high\n"),
        ("tags: one\n", "tags: [one]\n"),
        ("tags: one, two/three\n", "tags: [one, two/three]\n"),
        ("tags: 'one two, three'\n", "tags: [\"one two, three\"]\n"),
    ] {
        assert!(offered(lines).contains(mended), "{lines}: {}", offered(lines));
    }
    for (kind, lines, mended) in [
        ("findings_ledger", "summary_count: '3'\n", "summary_count: 3\n"),
        ("findings_ledger", "summary_count: three\n", "summary_count: \"<fill in: "),
        ("findings_ledger", "summary_count: 03\n", "summary_count: \"<fill in: "),
        ("findings_ledger", "summary_count: 1\nentries_path: ''\n", "summary_count: 1\n---\n"),
        ("decision", "follow_up_required: yes\n", "follow_up_required: true\n"),
        ("decision", "follow_up_required: maybe\n", "follow_up_required: \"<choose: true|false>\"\n"),
        ("decision", "owner: agent\n", "owner: human\n"),
    ] {
        let text = format!("---\nschema_version: x\nartifact_kind: {kind}\n{lines}---\n");
        let block = check(kind, text.as_bytes()).corrected.expect("a block");
        assert!(block.contains(mended), "{block}");
        assert!(
            block.starts_with(&format!("---\nschema_version: striatum.{kind}.v1\nartifact_kind: {kind}\n"))
        );
    }
    let mut ledger = contract("collaboration_ledger").expect("a contract").schema["examples"][0].clone();
    ledger["entries"][0]["refs"] = serde_json::json!([3, {"dialogue": 4}, "dialogue: 5"]);
    let checked = check("collaboration_ledger", file(&ledger).as_bytes());
    assert!(
        checked
            .corrected
            .is_some_and(|block| block.contains("[\"dialogue:3\", \"dialogue:4\", \"dialogue:5\"]"))
    );
}

/// A verdict is never made up, whatever stands there or nearly does.
#[test]
fn a_verdict_is_left_to_its_author() {
    for wrong in ["acept", "''", "yes", "[accept]", "approved", "~"] {
        let text = format!(
            "---\nschema_version: striatum.finding.v1\nartifact_kind: finding\nverdict_intent: {wrong}\n---\n"
        );
        let block = check("finding", text.as_bytes()).corrected.expect("a block");
        let choice = "verdict_intent: \"<choose: accept|accept_with_findings|needs_revision|reject>\"\n";
        assert!(block.contains(choice), "{wrong}: {block}");
    }
}

#[test]
fn a_placeholder_that_was_left_in_is_refused() {
    for (lines, pointer) in [
        ("severity: '<choose: info|low>'\n", "/severity"),
        // Without quotation marks it is no YAML.
        ("severity: <choose: info|low>\n", ""),
        ("severity: \" <choose: info|low> \"\n", "/severity"),
        ("tags: [a, \"<fill in: a text>\"]\n", "/tags/1"),
        ("related: {by: '<fill in: whom>'}\n", "/related/by"),
    ] {
        let checked = finding(lines);
        assert_eq!(found(&checked), [format!("placeholder_left {pointer}")], "{lines}");
    }
    assert_eq!(finding("severity: '<choose: info|low>'\n").problems[0].allowed, ["info", "low"]);
    assert!(finding("summary: choose <one|two> of these\n").is_valid());
}

/// B064: what the block says is read back as what it was, whatever it looks like.
#[test]
fn what_is_written_is_read_back_as_it_was() {
    for text in [
        "TRUE",
        "true",
        "null",
        "~",
        "1e3",
        "0x1f",
        "10:30",
        "- a",
        "# a",
        "a # b",
        "a: b",
        "🧠",
        "a ",
        " a",
        "",
        "'",
        "\"",
        "\\",
        "a\nb\n",
        "a\r\nb",
        "\t",
        "---",
        "...",
        "|",
        "> x",
        "@x",
        "%x",
        "`x`",
        "*a",
        "&a b",
        "!t x",
        "[a",
        "{a",
        "a,b",
        "?",
        "? a",
        "-",
        "y",
        "no",
        "=",
        "<<",
        "\u{7f}\u{85}\u{a0}\u{2028}\u{feff}x",
        "é",
        "2026-11-30",
        ".inf",
        "0o7",
        "\u{1b}[31m",
    ] {
        let mut values = contract("finding").expect("a contract").schema["examples"][0].clone();
        values["summary"] = Value::from(text);
        values["related"] =
            serde_json::json!({text: [text, {"a": text}, [text, [text]], [], {}, null, true, 7]});
        values["severity"] = Value::from("urgent");
        let checked = check("finding", file(&values).as_bytes());
        let block = checked.corrected.expect("a block");
        let again = check("finding", block.as_bytes());
        assert_eq!(again.front_matter["summary"], text, "{block}");
        assert_eq!(again.front_matter["related"], values["related"], "{block}");
        assert_eq!(found(&again), ["placeholder_left /severity"]);
    }
}

/// An empty file of each kind becomes a valid one by filling in what is offered.
#[test]
fn what_is_offered_for_nothing_at_all_can_be_filled_in() {
    for kind in striatum_contract::artifact::KINDS.iter().filter(|kind| contract(&kind.kind).is_some()) {
        for most in [0, 1, 2, 3] {
            let first = check(&kind.kind, b"---\n---\n");
            let (rounds, checked) = settled(&kind.kind, first, |choices| most % choices);
            assert!(checked.is_valid(), "{}: {checked:?}", kind.kind);
            assert!(rounds <= 3, "{}: {rounds} rounds", kind.kind);
        }
    }
}
