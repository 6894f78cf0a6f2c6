//! On inputs that nobody thought of: never a panic, bounded answers, and an offer that can be taken.

use proptest::prelude::*;
use striatum_contract::artifact::{Checked, KINDS, block_of, check, codes, contract};

use super::filled::{filled, settled};

/// Seeds are not kept: what was found once becomes a test of its own.
fn often(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Pieces of YAML.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "---",
            "\n",
            "\r\n",
            "\r",
            "  ",
            "\t",
            "- ",
            ": ",
            ":",
            "? ",
            "[",
            "]",
            "{",
            "}",
            ",",
            "#",
            " # ",
            "|\n",
            ">-\n",
            "'",
            "\"",
            "&a ",
            "*a",
            "!!str ",
            "!",
            "%",
            "@",
            "~",
            "null",
            "true",
            "1",
            "0123",
            "...",
            "\\",
            "\u{feff}",
            "<<: ",
            "\0",
            "\\0",
            "a",
            "schema_version",
            "artifact_kind",
            "verdict_intent: accept\n",
            "refs: [dialogue:1]",
            "<choose: a|b>",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..50).prop_map(|pieces| pieces.concat())
}

fn kinds() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.kind.as_str()).filter(|kind| contract(kind).is_some()).collect()
}

/// A kind, an example of it, and what is done to its lines.
fn edited() -> impl Strategy<Value = (&'static str, String)> {
    let edit = (0..7usize, any::<prop::sample::Index>(), any::<prop::sample::Index>(), pieces());
    let edits = prop::collection::vec(edit, 1..5);
    (prop::sample::select(kinds()), 0..2usize, edits).prop_map(|(kind, example, edits)| {
        let block = block_of(contract(kind).expect("a contract"), example);
        let mut lines: Vec<String> = block.lines().skip(1).map(str::to_owned).collect();
        lines.pop();
        for (what, one, other, text) in edits {
            if lines.is_empty() {
                break;
            }
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            match what {
                0 => drop(lines.remove(one)),
                1 => lines.insert(other, lines[one].clone()),
                2 => lines.swap(one, other),
                3 => lines[one] = lines[one].replace(": ", &format!(": {text}")),
                4 => lines[one].push_str(&text),
                5 => {
                    // The value of one line for that of another.
                    let value = lines[other].split_once(": ").map_or("x", |(_, value)| value).to_owned();
                    let key = lines[one].split_once(": ").map_or("x", |(key, _)| key).to_owned();
                    lines[one] = format!("{key}: {value}");
                }
                _ => {
                    let key = lines[one].split(':').next().unwrap_or_default().to_owned();
                    lines[one] = format!("{key}: {}", text.replace(['\n', '\r'], " "));
                }
            }
        }
        (kind, format!("---\n{}\n---\n", lines.join("\n")))
    })
}

/// PostgreSQL's jsonb takes it.
fn is_stored(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => !text.contains('\0'),
        serde_json::Value::Array(items) => items.iter().all(is_stored),
        serde_json::Value::Object(members) => {
            members.iter().all(|(key, member)| !key.contains('\0') && is_stored(member))
        }
        _ => true,
    }
}

fn assert_bounded(checked: &Checked) -> Result<(), TestCaseError> {
    prop_assert!(is_stored(&serde_json::to_value(checked).expect("JSON")), "{checked:?}");
    prop_assert!(checked.problems.len() <= 100);
    prop_assert!(checked.corrected.as_ref().is_none_or(|block| block.len() <= 64 * 1024));
    for problem in &checked.problems {
        prop_assert!(codes().iter().any(|code| code.code == problem.code), "{} is not listed", problem.code);
        prop_assert!(
            problem.line > 0 && problem.column > 0 && !problem.message.is_empty() && !problem.hint.is_empty()
        );
        prop_assert!(
            problem.message.len() < 2000 && problem.given.as_ref().is_none_or(|given| given.len() < 200)
        );
    }
    Ok(())
}

/// What is offered, filled: no field is wrong any more, and what the rules then say is settled the same way.
fn assert_taken(kind: &str, checked: Checked, choice: usize) -> Result<(), TestCaseError> {
    let Some(corrected) = checked.corrected.clone() else {
        prop_assert!(checked.is_valid(), "{checked:?}");
        return Ok(());
    };
    let first = check(kind, filled(kind, &corrected, |choices| choice % choices).as_bytes());
    let of_rules: Vec<&str> =
        codes().into_iter().filter(|code| code.kind.is_some()).map(|code| code.code).collect();
    for problem in &first.problems {
        prop_assert!(of_rules.contains(&problem.code), "{corrected}{problem:?}");
    }
    let (rounds, settled) = settled(kind, first, |choices| choice % choices);
    prop_assert!(settled.is_valid() && rounds <= 3, "after {rounds}: {corrected}{settled:?}");
    Ok(())
}

proptest! {
    #![proptest_config(often(1500))]

    #[test]
    fn no_text_makes_the_reader_panic(
        text in pieces(), octets in prop::collection::vec(any::<u8>(), 0..40), kind in prop::sample::select(kinds()),
        choice in 0..4usize,
    ) {
        let file = [b"---\n", text.as_bytes(), b"\n---\n"].concat();
        let checked = check(kind, &file);
        assert_bounded(&checked)?;
        assert_taken(kind, checked, choice)?;
        assert_bounded(&check(kind, &[b"---\n", octets.as_slice(), text.as_bytes()].concat()))?;
        assert_bounded(&check(kind, &octets))?;
    }

    #[test]
    fn what_is_offered_for_a_broken_block_can_be_taken((kind, text) in edited(), choice in 0..4usize) {
        let checked = check(kind, text.as_bytes());
        assert_bounded(&checked)?;
        assert_taken(kind, checked, choice)?;
    }
}
