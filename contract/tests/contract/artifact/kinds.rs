//! Which kinds there are, and what may become of them.

use std::collections::BTreeSet;

use striatum_contract::artifact::{
    FrontMatter, KINDS, Kind, Placement, Retention, STANDARD_METADATA, check, contract, kind, nearest_kind,
};

use super::found;

fn those(is_meant: impl Fn(&Kind) -> bool) -> Vec<&'static str> {
    KINDS.iter().filter(|kind| is_meant(kind)).map(|kind| kind.kind.as_str()).collect()
}

/// What is compared though no contract says so, and how a ledger is handed in, is on the pages.
#[test]
fn a_page_says_what_publishing_looks_at() {
    let page = |kind: &str| {
        striatum_contract::artifact::page(KINDS.iter().find(|known| known.kind == kind).expect("a kind"))
    };
    assert!(page("handoff").contains("a line `author:` of a Markdown file has to be the author line"));
    assert!(page("collaboration_ledger").contains("`striatum submit-review LEASE_ID PATH VERDICT`"));
    assert!(!page("synthesis").contains("submit-review"));
}

/// STR-ARTIFACT-24: the kinds without a contract, and those with one.
/// STR-FRONTMATTER-06: of the former no front matter is looked at.
#[test]
fn there_are_these_kinds() {
    let plain = ["handoff", "marker", "other", "patch_summary", "prompt", "test_report"];
    assert_eq!(those(|kind| kind.front_matter == FrontMatter::Unchecked), plain);
    assert_eq!(
        those(|kind| kind.front_matter != FrontMatter::Unchecked),
        [
            "action_item_ledger",
            "advisory_minority_report",
            "auto_finalize_gate_evidence",
            "claim_ledger",
            "collaboration_ledger",
            "commit_request",
            "decision",
            "escalation",
            "finding",
            "findings_ledger",
            "harness_improvement_proposal",
            "join_manifest",
            "operator_brief",
            "operator_report",
            "pr_request",
            "progress_note",
            "receipt",
            "support_ledger",
            "synthesis",
            "work_plan",
        ]
    );
    for kind in KINDS.iter() {
        assert_eq!(
            contract(&kind.kind).is_some(),
            kind.front_matter != FrontMatter::Unchecked,
            "{}",
            kind.kind
        );
    }
    for kind in plain {
        assert!(check(kind, b"---\nnothing: [that is: looked at").is_valid());
    }
}

/// STR-FRONTMATTER-02: a file without a block is fine, but where it is required.
#[test]
fn only_a_collaboration_ledger_needs_a_block() {
    assert_eq!(those(|kind| kind.front_matter == FrontMatter::Required), ["collaboration_ledger"]);
    for kind in KINDS.iter() {
        let expected: &[&str] = match kind.front_matter {
            FrontMatter::Required => &["front_matter_missing "],
            _ => &[],
        };
        assert_eq!(found(&check(&kind.kind, b"# Title\n\n---\n")), expected, "{}", kind.kind);
    }
}

/// STR-WARM-02, STR-WARM-03, STR-WARM-04: what is never evicted, what may be, and everything else, which is not.
#[test]
fn what_may_be_evicted_is_said_kind_by_kind() {
    assert_eq!(
        those(|kind| kind.retention == Retention::Durable),
        ["decision", "escalation", "finding", "handoff", "operator_brief", "synthesis", "work_plan"]
    );
    assert_eq!(
        those(|kind| kind.retention == Retention::Evictable),
        [
            "action_item_ledger",
            "auto_finalize_gate_evidence",
            "collaboration_ledger",
            "findings_ledger",
            "harness_improvement_proposal",
            "operator_report",
            "progress_note",
            "support_ledger",
            "test_report",
        ]
    );
    // Apart from where a body is kept: each pair of both is there.
    let pairs: BTreeSet<String> =
        KINDS.iter().map(|kind| format!("{:?} {:?}", kind.placement, kind.retention)).collect();
    assert_eq!(pairs.len(), 6, "{pairs:?}");
}

/// The default of STR-ARTIFACT-09 as data; no blob store uses it yet.
#[test]
fn where_a_body_is_kept_is_said_kind_by_kind() {
    assert_eq!(
        those(|kind| kind.placement == Placement::BlobExhaust),
        [
            "action_item_ledger",
            "claim_ledger",
            "collaboration_ledger",
            "finding",
            "findings_ledger",
            "harness_improvement_proposal",
            "progress_note",
            "support_ledger",
            "synthesis",
        ]
    );
}

/// STR-FRONTMATTER-04: whatever its value is, but where the kind gives it a meaning.
/// STR-FRONTMATTER-05: any other is refused, and the answer names all that there are.
#[test]
fn standard_metadata_is_taken_as_it_is_and_any_other_field_refused() {
    let standard = [
        "author",
        "created_at",
        "cycle",
        "date",
        "lane",
        "model",
        "ordinal",
        "phase",
        "related",
        "role",
        "run_id",
        "session_id",
        "status",
        "summary",
        "tags",
        "title",
        "updated_at",
        "visibility",
        "workflow",
    ];
    assert_eq!(STANDARD_METADATA.keys().collect::<Vec<_>>(), standard);
    let lines: String = standard.iter().map(|key| format!("{key}: {{any: [2026-02-30, '', ~]}}\n")).collect();
    let text = format!("---\nschema_version: striatum.synthesis.v1\nartifact_kind: synthesis\n{lines}---\n");
    assert!(check("synthesis", text.as_bytes()).is_valid());
    let own: Vec<String> = found(&super::finding(&lines)).into_iter().collect();
    assert_eq!(own, ["field_type /tags"], "what the kind itself checks is checked");

    let checked = super::finding("mood: good\n");
    assert_eq!(found(&checked), ["field_unknown "]);
    let problem = &checked.problems[0];
    assert_eq!((problem.field.as_str(), problem.line), ("mood", 5));
    for name in ["verdict_intent", "severity", "schema_version"].iter().chain(&standard) {
        assert!(problem.hint.contains(name), "{name}: {}", problem.hint);
    }
}

#[test]
fn a_kind_that_nobody_knows_is_one_problem() {
    let checked = check("findings", b"---\n: : :\n");
    assert_eq!(found(&checked), ["kind_unknown "]);
    assert_eq!(checked.problems[0].allowed.len(), 26);
    assert!(checked.problems[0].hint.contains("finding"));
    assert_eq!(nearest_kind("Collaboration-Ledger"), Some("collaboration_ledger"));
    assert!(kind("Finding").is_none());
}
