//! Front matter as it comes: where it ends, what it may hold, and what is refused by name.

use striatum_contract::artifact::{MOST_OCTETS, check};

use super::{finding, found};

/// A finding, line by line, with some other way to end a line, to open and to close.
fn framed(first: &str, end: &str, last: &str) -> Vec<String> {
    let lines = ["schema_version: striatum.finding.v1", "artifact_kind: finding", "verdict_intent: wrong"];
    let text = [&[first], lines.as_slice(), &[last, "# Title", "---", ""]].concat().join(end);
    found(&check("finding", text.as_bytes()))
}

/// STR-FRONTMATTER-01, and B065: blanks may follow a fence, and any line end ends a line; `----` and an indented fence
/// are none, so that such a file has no block.
#[test]
fn a_block_stands_between_fences_at_the_beginning() {
    for end in ["\n", "\r\n", "\r"] {
        for (first, last) in
            [("---", "---"), ("---  ", "---\t"), ("\u{feff}---", "---"), ("---", "..."), ("---", "... ")]
        {
            assert_eq!(
                framed(first, end, last),
                ["value_not_allowed /verdict_intent"],
                "{first:?} {end:?} {last:?}"
            );
        }
        for first in ["----", " ---", "--- x", "# Title\n---", "", "---#"] {
            assert!(framed(first, end, "---").is_empty(), "{first:?} {end:?}");
        }
        assert_eq!(
            framed("---", end, "----")[0],
            "yaml_malformed ",
            "the next fence closes it, and this is no field"
        );
    }
    let mixed =
        "---\r\nschema_version: striatum.finding.v1\nartifact_kind: finding\r\nverdict_intent: accept\n---\n";
    assert!(check("finding", mixed.as_bytes()).is_valid());
    assert!(check("finding", b"\xff\xd8 no text, and no block").is_valid());
    assert!(check("finding", b"").is_valid());
}

#[test]
fn three_dashes_in_a_value_or_in_the_body_close_nothing() {
    let checked = finding("summary: |\n  one\n  ---\n  two\n");
    assert!(checked.is_valid(), "{checked:?}");
    assert_eq!(checked.front_matter["summary"], "one\n---\ntwo\n");
    let text = "---\nschema_version: striatum.finding.v1\nartifact_kind: finding\n\
                verdict_intent: accept\n---\n\n---\nx: [\n";
    assert!(check("finding", text.as_bytes()).is_valid());
}

/// A ledger about an artifact of this name.
fn audited(name: &str) -> String {
    let head = "---\nschema_version: striatum.support_ledger.v1\nartifact_kind: support_ledger\n";
    format!("{head}audited_artifact: {name}\n---\n")
}

/// A bare word keeps its text where the field is a text; elsewhere it is what YAML 1.2 says.
#[test]
fn a_bare_word_keeps_its_text_where_the_field_is_a_text() {
    for word in [
        "no",
        "on",
        "yes",
        "true",
        "1.10",
        "10:30",
        "0123",
        "1e3",
        "2026-11-30",
        "0x1f",
        "+5",
        "-",
        "=",
        "a#b",
    ] {
        let note = audited(word);
        let checked = check("support_ledger", note.as_bytes());
        if word == "-" {
            assert_eq!(found(&checked), ["yaml_malformed "], "a dash begins a list");
            continue;
        }
        assert!(checked.is_valid(), "{word}: {checked:?}");
        assert_eq!(checked.front_matter["audited_artifact"], word);
    }
    // What is left blank is no text, and neither is null: quoted it is.
    for (word, expected) in
        [("", "field_empty"), ("~", "field_empty"), ("null", "field_empty"), ("'  '", "field_empty")]
    {
        let note = audited(word);
        assert_eq!(
            found(&check("support_ledger", note.as_bytes())),
            [format!("{expected} /audited_artifact")]
        );
    }
}

/// B061: block and inline lists, indented or not, block scalars, comments and quotes are what they are in YAML.
#[test]
fn lists_and_texts_are_taken_in_every_spelling_of_yaml() {
    for tags in [
        "[a, b: c]",
        "[a, b,]\n# a comment",
        "\n- a\n- b",
        "\n  - a\n  - 'b: c' # why",
        "\n    [ a,\n      b ]",
    ] {
        let checked = finding(&format!("tags: {tags}\n"));
        if tags == "[a, b: c]" {
            assert_eq!(found(&checked), ["field_type /tags/1"], "that is a mapping");
            continue;
        }
        assert!(checked.is_valid(), "{tags}: {checked:?}");
        assert_eq!(checked.front_matter["tags"][0], "a");
    }
    for (text, expected) in [
        ("|\n  a: b\n  c\n", "a: b\nc\n"),
        ("|-\n  a\n\n", "a"),
        (">\n  a\n  b\n", "a b\n"),
        ("'it''s: so'\n", "it's: so"),
        ("\"a\\n\\u00e9\"\n", "a\né"),
        ("one\n  two\n", "one two"),
        ("http://x # a comment\n", "http://x"),
    ] {
        let checked = finding(&format!("tags: [a]\nsummary: {text}"));
        assert_eq!(checked.front_matter["summary"], expected, "{checked:?}");
        assert!(checked.is_valid());
    }
}

/// B062: at the exact line, with a hint.
#[test]
fn what_is_no_yaml_is_refused_at_its_line_with_a_hint() {
    for (lines, line, hint) in [
        ("title: a: b\n", 5, "quotation marks"),
        ("title: @x\n", 5, "quotation marks"),
        ("title: %x\n", 5, "quotation marks"),
        ("title: `x`\n", 5, "quotation marks"),
        ("title: 'it's\n", 5, "''"),
        ("summary: x\nrelated:\n\t- a\n", 7, "tab"),
        ("title: \"a\\q\"\n", 5, "quotation mark"),
        ("tags: [a\nx: y\n", 6, "line"),
        ("- a\n", 5, "line"),
    ] {
        let checked = finding(lines);
        assert_eq!(found(&checked), ["yaml_malformed "], "{lines}: {checked:?}");
        let problem = &checked.problems[0];
        assert!(problem.line == line || problem.line == line + 1, "{lines}: line {}", problem.line);
        assert!(problem.column > 0);
        assert!(problem.hint.contains(hint), "{lines}: {}", problem.hint);
        assert!(checked.corrected.is_some_and(|block| block.contains("verdict_intent: \"<choose: accept|")));
    }
}

/// B059: by name, with both lines; and none of both is taken.
#[test]
fn a_field_that_stands_there_twice_is_refused() {
    let checked = finding("severity: low\nverdict_intent: reject\n");
    assert_eq!(found(&checked), ["key_repeated /verdict_intent"]);
    assert_eq!(checked.problems[0].message, "verdict_intent stands on line 4 and on line 6");
    assert_eq!((checked.problems[0].line, checked.problems[0].column), (6, 1));
    let block = checked.corrected.expect("a block");
    assert!(block.contains("verdict_intent: \"<choose: "), "{block}");
    let checked = finding("related: {a: 1, b: {c: 1, c: 2}}\n");
    assert_eq!(found(&checked), ["key_repeated /related/b/c"]);
    assert_eq!(finding("\"severity\": low\n'severity': low\n").problems[0].code, "key_repeated");
}

/// B060, and bombs: refused by name, before they cost anything.
#[test]
fn what_would_cost_too_much_is_refused_by_name() {
    let nested = |open: &str, count: usize| format!("related: {}\n", open.repeat(count));
    let maps: String = (0..300).map(|n| format!("{}a:\n", "  ".repeat(n))).collect();
    let aliases: String = (0..12).map(|n| format!("k{}: &a{} [*a{n}, *a{n}]\n", n + 1, n + 1)).collect();
    let long = "x".repeat(40_000);
    for (lines, code) in [
        (nested("[", 10_000), "nesting_too_deep"),
        (nested("{a: ", 10_000), "nesting_too_deep"),
        (nested("- ", 10_000), "yaml_malformed"),
        (format!("related:\n{maps}"), "nesting_too_deep"),
        (format!("related:\n{}- x\n", "- ".repeat(20)), "nesting_too_deep"),
        (format!("summary: &a0 x\n{aliases}"), "alias_refused"),
        (format!("summary: &a {long}\nrelated: [{}]\n", "*a, ".repeat(10)), "alias_refused"),
        ("related: &a [*a]\n".to_owned(), "alias_refused"),
        ("summary: *none\n".to_owned(), "yaml_malformed"),
        (format!("related: [{}]\n", "1,".repeat(30_000)), "values_too_many"),
        ("summary: !!binary aGk=\n".to_owned(), "tag_refused"),
        ("summary: !x y\n".to_owned(), "tag_refused"),
        ("related: !y [a]\n".to_owned(), "tag_refused"),
        ("summary: \"a\\0\"\n".to_owned(), "character_refused"),
        ("? [a]\n: b\n".to_owned(), "key_not_text"),
        ("--- x\n".to_owned(), "second_document"),
        (format!("summary: {}\n", "x".repeat(MOST_OCTETS)), "front_matter_too_large"),
    ] {
        let checked = finding(&lines);
        let start: String = lines.chars().take(40).collect();
        assert_eq!(checked.problems[0].code, code, "{start}: {:?}", checked.problems[0]);
        assert_eq!(checked.problems.len(), 1, "{start}");
        assert!(checked.problems[0].line > 0);
    }
    let deep = format!("related: {}x{}\n", "[".repeat(15), "]".repeat(15));
    assert!(finding(&deep).is_valid(), "as deep as may be");
    assert!(finding("summary: &a x\nrelated: [*a, *a]\n").is_valid(), "a few aliases are fine");
    let wide = format!("related: [{}1]\n", "1,".repeat(19_000));
    assert!(finding(&wide).is_valid());
}

#[test]
fn an_encoding_that_is_not_utf8_and_a_block_without_end_are_refused_by_name() {
    let utf16: Vec<u8> = "\u{feff}---\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (file, code, line) in [
        (utf16.as_slice(), "encoding_not_utf8", 1),
        (b"\xfe\xff\0-\0-\0-", "encoding_not_utf8", 1),
        (b"---\na: 1\nb: \xff\n---\n", "encoding_not_utf8", 3),
        (b"---\na: 1\n", "front_matter_unclosed", 1),
        (b"---", "front_matter_unclosed", 1),
        (b"---\n- a\n---\n", "front_matter_not_fields", 2),
        (b"---\nonly text\n---\n", "front_matter_not_fields", 2),
    ] {
        let checked = check("finding", file);
        assert_eq!((checked.problems[0].code, checked.problems[0].line), (code, line), "{checked:?}");
    }
    let missing = ["field_missing ", "field_missing ", "field_missing "];
    assert_eq!(found(&check("finding", b"---\n---\n")), missing, "an empty block has no fields");
    assert_eq!(found(&check("finding", b"---\n# only a comment\n---\n")), missing);
}

/// B063: the text stays, and a day that does not exist is refused.
#[test]
fn days_and_times_stay_as_they_were_written_and_have_to_exist() {
    let noted = |date: &str| {
        let text = format!(
            "---\nschema_version: striatum.progress_note.v1\nartifact_kind: progress_note\nnote_date: {date}\n\
             session_slug: a\nrelated_plan: ~\nrelated_brief:\nretrieval_priority: low\n---\n"
        );
        check("progress_note", text.as_bytes())
    };
    for date in [
        "2026-05-01",
        "2026-05-01 10:00:00 -5",
        "2026-05-01T10:00:00Z",
        "2026-05-01T10:00:00.123+02:00",
        "2026-05-01 10:00",
        "2024-02-29",
        "2000-02-29",
        "'2026-12-31T23:59:60Z'",
        "2026-05-01t10:00:00 +0530",
    ] {
        let checked = noted(date);
        assert!(checked.is_valid(), "{date}: {checked:?}");
        assert_eq!(checked.front_matter["note_date"], date.trim_matches('\''));
    }
    for date in [
        "2026-02-30",
        "2026-13-01",
        "2026-00-10",
        "2026-04-31",
        "2025-02-29",
        "1900-02-29",
        "2026-5-1",
        "01.05.2026",
        "2026-05-01T25:00:00Z",
        "2026-05-01T10:60",
        "2026-05-01T10:00:61Z",
        "2026-05-01T10:00:00.Z",
        "2026-05-01T10:00:00+25:00",
        "2026-05-01x",
        "today",
        "2026-05-０1",
    ] {
        assert_eq!(found(&noted(date)), ["moment_impossible /note_date"], "{date}");
    }
}
