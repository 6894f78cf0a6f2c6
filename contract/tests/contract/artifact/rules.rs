//! What a schema cannot say: each rule kept, broken, and nearly broken.

use serde_json::{Value, json};
use striatum_contract::artifact::{check, contract};

use super::{file, found};

/// The full block of a kind.
fn full(kind: &str) -> Value {
    contract(kind).expect("a contract").schema["examples"][1].clone()
}

/// The smallest one.
fn smallest(kind: &str) -> Value {
    contract(kind).expect("a contract").schema["examples"][0].clone()
}

/// What is wrong with a block after these changes: a pointer each, and null for what is taken away.
fn after(mut values: Value, changes: &[(&str, Value)]) -> Vec<String> {
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        match values.pointer_mut(parent).expect("a parent") {
            Value::Object(members) if value.is_null() => drop(members.remove(key)),
            Value::Object(members) => drop(members.insert(key.to_owned(), value.clone())),
            Value::Array(items) if value.is_null() => drop(items.remove(key.parse().expect("a number"))),
            Value::Array(items) => items[key.parse::<usize>().expect("a number")] = value.clone(),
            other => panic!("{other}"),
        }
    }
    let kind = values["artifact_kind"].as_str().expect("a kind").to_owned();
    found(&check(&kind, file(&values).as_bytes()))
}

const LEDGER: &str = "collaboration_ledger";

/// STR-FRONTMATTER-36: and one that does not clear needs nothing of it.
#[test]
fn a_clearing_verdict_needs_a_claim_a_challenge_and_a_rebuttal() {
    for verdict in ["accept", "accept_with_findings"] {
        assert!(after(smallest(LEDGER), &[("/verdict", json!(verdict))]).is_empty());
        for at in 0..3 {
            for change in [
                (format!("/entries/{at}"), Value::Null),
                (format!("/entries/{at}/kind"), json!("constraint")),
                (format!("/entries/{at}/refs"), json!([])),
            ] {
                let changes = [(change.0.as_str(), change.1), ("/verdict", json!(verdict))];
                assert_eq!(
                    after(smallest(LEDGER), &changes),
                    ["clearing_unsupported /verdict"],
                    "{changes:?}"
                );
                for open in ["needs_revision", "reject"] {
                    let changes = [changes[0].clone(), ("/verdict", json!(open))];
                    assert!(after(smallest(LEDGER), &changes).is_empty());
                }
            }
        }
    }
    let mut values = smallest(LEDGER);
    values["entries"] = json!([]);
    let checked = check(LEDGER, file(&values).as_bytes());
    assert_eq!(
        checked.problems[0].message,
        "the verdict clears, and no entry with a reference is a claim or a challenge or a rebuttal"
    );
    assert_eq!(checked.problems[0].allowed, ["needs_revision", "reject"]);
    assert!(
        checked.corrected.is_some_and(|block| block.contains("verdict: \"<choose: needs_revision|reject>\""))
    );
}

/// STR-FRONTMATTER-35: by a participant, and by nobody else.
#[test]
fn an_entry_is_by_a_participant() {
    assert_eq!(
        after(smallest(LEDGER), &[("/entries/1/by", json!("Falsifier"))]),
        ["participant_unknown /entries/1/by"]
    );
    assert_eq!(
        after(smallest(LEDGER), &[("/participants", json!(["holder"]))]),
        ["participant_unknown /entries/1/by"]
    );
    assert!(
        after(smallest(LEDGER), &[("/participants/0", json!("holder")), ("/entries/1/by", json!("holder"))])
            .is_empty()
    );
}

/// Whatever names a file gives, what is offered can be taken.
#[test]
fn names_that_cannot_be_listed_are_not_offered() {
    let many: Vec<String> = (0..2000).map(|n| format!("participant-{n}")).collect();
    let same = vec!["holder"; 2000];
    for names in [json!(many), json!(same), json!(["a|b"]), json!(["<x>", " y "]), json!([])] {
        let mut values = full(LEDGER);
        values["participants"] = names.clone();
        values["findings"][0]["id"] = json!("a|b");
        let checked = check(LEDGER, file(&values).as_bytes());
        let (rounds, settled) = super::filled::settled(LEDGER, checked, |choices| choices - 1);
        assert!(settled.is_valid() && rounds <= 3, "{names}: {:?}", settled.problems);
    }
}

/// STR-FRONTMATTER-40: where it may stand, and what a clearing verdict needs once it stands there.
#[test]
fn a_correspondence_is_of_a_challenge_and_decides() {
    let judged = |words: &[&str], verdict: &str| {
        let mut values = full(LEDGER);
        values["verdict"] = json!(verdict);
        let challenge = values["entries"][1].clone();
        let entries = values["entries"].as_array_mut().expect("a list");
        entries.remove(1);
        for word in words {
            let mut challenge = challenge.clone();
            challenge["correspondence"] = json!(word);
            entries.push(challenge);
        }
        after(values, &[])
    };
    let refused = ["clearing_unrebutted /verdict"];
    assert!(judged(&["landed_and_rebutted"], "accept").is_empty());
    assert!(judged(&["landed_and_rebutted", "not_material"], "accept").is_empty());
    assert_eq!(judged(&["landed_and_rebutted", "landed_unrebutted"], "accept"), refused);
    assert_eq!(judged(&["landed_unrebutted"], "accept_with_findings"), refused);
    assert_eq!(judged(&["not_material"], "accept"), refused);
    assert!(judged(&["landed_unrebutted"], "needs_revision").is_empty());
    for at in [0, 2, 3] {
        let pointer = format!("/entries/{at}/correspondence");
        assert_eq!(
            after(full(LEDGER), &[(&pointer, json!("not_material"))]),
            [format!("correspondence_misplaced {pointer}")]
        );
    }
}

/// STR-FRONTMATTER-41
#[test]
fn a_coverage_is_of_a_constraint_in_fog_of_war_review() {
    let shape = ("/shape", json!("cross_examination"));
    assert_eq!(after(full(LEDGER), &[shape]), ["coverage_misplaced /entries/3/coverage"]);
    assert_eq!(
        after(full(LEDGER), &[("/entries/0/coverage", json!("missed"))]),
        ["coverage_misplaced /entries/0/coverage"]
    );
    assert!(after(full(LEDGER), &[("/entries/3/coverage", json!("hallucinated"))]).is_empty());
}

/// STR-FRONTMATTER-42
#[test]
fn two_adjudicators_stand_behind_a_clearing_verdict_that_was_contested() {
    let refused = ["adjudicators_too_few /verdict"];
    for few in [json!(["a"]), json!(["a", "a"]), json!(["a", " a "]), Value::Null] {
        let changes = [("/adjudicators", few.clone())];
        assert_eq!(after(full(LEDGER), &changes), refused, "{few}");
        for open in ["needs_revision", "reject"] {
            let changes = [changes[0].clone(), ("/verdict", json!(open))];
            assert!(after(full(LEDGER), &changes).is_empty());
        }
        for mode in [json!("single"), Value::Null] {
            let changes = [changes[0].clone(), ("/adjudication_mode", mode)];
            assert!(after(full(LEDGER), &changes).is_empty());
        }
    }
}

/// STR-FRONTMATTER-38 and STR-FRONTMATTER-39: what the first version does not have.
#[test]
fn what_is_new_needs_the_new_version() {
    let old = ("/schema_version", json!("striatum.collaboration_ledger.v1"));
    let mut expected: Vec<String> = [
        "adjudication_mode",
        "adjudicators",
        "branches",
        "constraints",
        "entries/1/correspondence",
        "entries/3/coverage",
        "findings",
    ]
    .iter()
    .map(|key| format!("version_too_old /{key}"))
    .collect();
    let mut seen = after(full(LEDGER), std::slice::from_ref(&old));
    expected.sort();
    seen.sort();
    assert_eq!(seen, expected, "and `cycle` is standard metadata in it");
    let extraction = ("/shape", json!("adjudicated_constraint_extraction"));
    assert_eq!(
        after(smallest(LEDGER), std::slice::from_ref(&extraction)),
        ["shape_needs_version /schema_version"]
    );
    let new = ("/schema_version", json!("striatum.collaboration_ledger.v1.1"));
    assert!(after(smallest(LEDGER), &[extraction, new]).is_empty());
    let checked = check(
        LEDGER,
        file(&{
            let mut values = full(LEDGER);
            values["schema_version"] = old.1;
            values
        })
        .as_bytes(),
    );
    let mended = check(LEDGER, checked.corrected.expect("a block").as_bytes());
    assert!(mended.is_valid() && mended.front_matter == full(LEDGER), "one reading: the new version");
}

/// STR-FRONTMATTER-39
#[test]
fn a_revision_of_an_extraction_says_what_to_revise() {
    let base = [
        ("/shape", json!("adjudicated_constraint_extraction")),
        ("/verdict", json!("needs_revision")),
        ("/entries/3/coverage", Value::Null),
    ];
    let with = |change: (&'static str, Value)| after(full(LEDGER), &[&base[..], &[change]].concat());
    assert!(with(("/cycle", json!(2))).is_empty(), "its constraint is binding");
    let refused = |pointer: &str| [format!("revision_unproductive {pointer}")];
    assert_eq!(with(("/constraints/0/binding", json!(false))), refused("/constraints"));
    assert_eq!(with(("/constraints", Value::Null)), refused(""));
    assert_eq!(with(("/constraints", json!([]))), refused("/constraints"));
    let question = json!([{"id": "Q", "posture": "p", "severity": "low", "kind": "unresolved_question",
        "binding": false, "text": "t"}]);
    assert!(with(("/constraints", question)).is_empty());
    let reject =
        [&base[..1], &base[2..], &[("/verdict", json!("reject")), ("/constraints", Value::Null)]].concat();
    assert!(after(full(LEDGER), &reject).is_empty());
}

/// STR-FRONTMATTER-45
#[test]
fn a_binding_constraint_comes_from_a_grave_finding_and_is_shown() {
    let unfounded = ["constraint_unfounded /constraints/0/source_finding"];
    for severity in ["low", "medium"] {
        assert_eq!(after(full(LEDGER), &[("/findings/0/severity", json!(severity))]), unfounded);
    }
    assert!(after(full(LEDGER), &[("/findings/0/severity", json!("critical"))]).is_empty());
    assert_eq!(after(full(LEDGER), &[("/constraints/0/source_finding", json!("F2"))]), unfounded);
    assert_eq!(after(full(LEDGER), &[("/findings", Value::Null)]), unfounded);
    assert_eq!(
        after(full(LEDGER), &[("/constraints/0/source_finding", Value::Null)]),
        ["constraint_unfounded /constraints/0"]
    );
    let unverified = "constraint_unverified /constraints/0";
    assert_eq!(after(full(LEDGER), &[("/constraints/0/verification", Value::Null)]), [unverified]);
    assert_eq!(
        after(full(LEDGER), &[("/constraints/0/verification", json!({}))]),
        [format!("{unverified}/verification")]
    );
    for shown in ["gate", "expected_stage"] {
        assert!(after(full(LEDGER), &[("/constraints/0/verification", json!({shown: "x"}))]).is_empty());
    }
    let free = [
        ("/constraints/0/binding", json!(false)),
        ("/constraints/0/source_finding", json!("F2")),
        ("/constraints/0/verification", Value::Null),
    ];
    assert!(after(full(LEDGER), &free).is_empty(), "what does not bind needs none of it");
}

/// STR-FRONTMATTER-46: the two that are no verdicts.
#[test]
fn a_branch_may_wait_and_a_verdict_may_not() {
    for word in ["blocked_pending_answer", "defer_with_successor"] {
        assert!(after(full(LEDGER), &[("/branches/correctness", json!(word))]).is_empty());
        assert_eq!(after(full(LEDGER), &[("/verdict", json!(word))]), ["value_not_allowed /verdict"]);
    }
    for word in ["cleared", "blocked"] {
        assert!(after(full(LEDGER), &[("/branches/a new one", json!(word))]).is_empty());
    }
    assert_eq!(after(full(LEDGER), &[("/branches/x", json!("open"))]), ["value_not_allowed /branches/x"]);
}

/// STR-FRONTMATTER-27: as it is published; and what it is mended to is what it counts as.
/// STR-FRONTMATTER-26: an id once.
#[test]
fn a_verified_claim_is_bound_to_its_inputs() {
    for (key, value) in [
        ("receipt_ref", Value::Null),
        ("bound_input_digest", Value::Null),
        ("evidence_digest", Value::Null),
        ("evidence_digest", json!("sha256:55c1")),
    ] {
        let pointer = format!("/claims/0/{key}");
        let change = [(pointer.as_str(), value)];
        assert_eq!(after(full("claim_ledger"), &change), ["claim_unbound /claims/0/status"], "{key}");
        for status in ["ASSERTED", "DESIGNED"] {
            let changes = [change[0].clone(), ("/claims/0/status", json!(status))];
            assert!(after(full("claim_ledger"), &changes).is_empty());
        }
    }
    let mut unbound = full("claim_ledger");
    unbound["claims"][0]["evidence_digest"] = json!("other");
    let block = check("claim_ledger", file(&unbound).as_bytes()).corrected.expect("a block");
    let mended = check("claim_ledger", block.as_bytes());
    assert!(mended.is_valid() && mended.front_matter["claims"][0]["status"] == "ASSERTED", "{block}");

    let mut twice = full("claim_ledger");
    let claim = twice["claims"][0].clone();
    twice["claims"].as_array_mut().expect("a list").push(claim);
    assert_eq!(after(twice.clone(), &[]), ["id_repeated /claims/1/id"]);
    assert!(after(twice, &[("/claims/1/id", json!("C2"))]).is_empty());
}

#[test]
fn a_row_of_a_ledger_has_an_id_of_its_own() {
    for key in ["findings", "constraints"] {
        let mut twice = full(LEDGER);
        let row = twice[key][0].clone();
        twice[key].as_array_mut().expect("a list").push(row);
        assert_eq!(after(twice.clone(), &[]), [format!("id_repeated /{key}/1/id")]);
        assert!(after(twice, &[(&format!("/{key}/1/id"), json!("X2"))]).is_empty());
    }
}

/// STR-FRONTMATTER-32
#[test]
fn a_minority_report_names_the_outcome_of_its_guard() {
    let report = "advisory_minority_report";
    let refused = ["outcome_disagrees /advisory_outcome"];
    for guard in
        ["advisory_corroborated_abstention", "unanimous_advisory_reject", "advisory_only_panel_ungrounded"]
    {
        let guard = ("/guard_fired", json!(guard));
        assert!(after(full(report), std::slice::from_ref(&guard)).is_empty());
        assert_eq!(after(full(report), &[guard, ("/advisory_outcome", json!("advisory_noted"))]), refused);
    }
    assert_eq!(after(full(report), &[("/guard_fired", json!("none"))]), refused);
    assert!(after(smallest(report), &[("/seats/0/verdict", json!("abstain"))]).is_empty());
}

/// STR-BARRIER-02 and STR-BARRIER-03, and the rows of STR-FRONTMATTER-24.
#[test]
fn a_row_of_a_manifest_shows_what_was_joined_or_why_not() {
    let manifest = "join_manifest";
    for key in ["commit_sha", "staging_ref"] {
        let pointer = format!("/in_edges/0/{key}");
        assert_eq!(after(full(manifest), &[(&pointer, Value::Null)]), ["edge_unproven /in_edges/0"]);
    }
    for status in ["quarantined", "dead_seat"] {
        let changes = [("/in_edges/1/status", json!(status)), ("/in_edges/1/damage_code", Value::Null)];
        assert!(after(full(manifest), &changes[..1]).is_empty());
        assert_eq!(after(full(manifest), &changes), ["edge_unproven /in_edges/1"]);
    }
    assert_eq!(
        after(full(manifest), &[("/in_edges/0/status", json!("dead_seat"))]),
        ["edge_unproven /in_edges/0"]
    );
    assert_eq!(after(full(manifest), &[("/in_edges/0/seal", Value::Null)]), ["field_missing /in_edges/0"]);
}

/// STR-FRONTMATTER-23
#[test]
fn a_gate_is_satisfied_by_enough_evidence() {
    let gate = "auto_finalize_gate_evidence";
    for (key, few, enough) in
        [("live_success_count", 2, 4), ("lane_shape_count", 1, 3), ("contested_audit_chain_events", 1, 0)]
    {
        let pointer = format!("/{key}");
        assert_eq!(after(full(gate), &[(&pointer, json!(few))]), ["gate_unsatisfied /gate_status"], "{key}");
        assert!(after(full(gate), &[(&pointer, json!(enough))]).is_empty());
        assert!(after(full(gate), &[(&pointer, json!(few)), ("/gate_status", json!("pending"))]).is_empty());
    }
}
