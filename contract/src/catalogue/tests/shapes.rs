//! Every shape, in every lane set.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{made, request};
use crate::catalogue::{Generated, LANE_SETS, SHAPES, Tier, shape};
use crate::workflow::model::Workflow;
use crate::workflow::vocabulary::{JOB_TYPES, V1, V1_1};
use crate::workflow::{Around, Entry, Severity, Tree, read};

fn ids(made: &Generated) -> Vec<&str> {
    Workflow::of(made.workflow()).jobs.iter().filter_map(|job| job.id).collect()
}

fn edges(made: &Generated) -> Vec<String> {
    let edge = |edge: &Value| format!("{} {}", edge["from"], edge["to"]).replace('"', "");
    made.workflow()["edges"].as_array().expect("a list").iter().map(edge).collect()
}

fn cycles(made: &Generated) -> Vec<String> {
    let cycle = |cycle: &Value| format!("{} {}", cycle["from"], cycle["to"]).replace('"', "");
    made.workflow()["cycles"].as_array().expect("a list").iter().map(cycle).collect()
}

/// STR-GENERATE-02, STR-GENERATE-15: what is made passes the checker with nothing to be said but what it declares; its
/// documents are among the files, and each artifact says where its body is kept.
#[test]
fn every_shape_passes_the_checker_in_every_lane_set() {
    for shape in SHAPES.iter() {
        for set in LANE_SETS.iter() {
            for more in [&[][..], &[("shared_checkout", "one agent at a time changes code")]] {
                let made = made(&request(shape.name, set.name, more))
                    .unwrap_or_else(|problems| panic!("{} in {}: {problems:?}", shape.name, set.name));
                let said: BTreeSet<&str> = made
                    .read
                    .findings
                    .iter()
                    .filter(|found| found.severity != Severity::Info)
                    .map(|found| found.code)
                    .collect();
                let declared: BTreeSet<&str> = made.declares.iter().map(String::as_str).collect();
                assert_eq!(said, declared, "{} in {}: {:?}", shape.name, set.name, made.read.findings);
                let artifacts = made.workflow()["jobs"].as_array().expect("a list").iter();
                for artifact in
                    artifacts.flat_map(|job| job["expected_artifacts"].as_array().expect("a list"))
                {
                    assert_eq!(artifact["placement"], "git_publication", "{}", shape.name);
                }
            }
        }
    }
}

/// STR-GENERATE-02: read again from its text alone, as a repository would hold it, the same is said.
#[test]
fn what_is_checked_is_what_is_written() {
    let made = made(&request("review", "author_reviewer", &[])).expect("a workflow");
    let paths: BTreeSet<&str> = made.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths.len(), made.files.len(), "no file twice");
    assert!(paths.iter().all(|path| path.starts_with("workflows/review-starter/")), "{paths:?}");
    let look = |path: &str| if paths.contains(path) { Entry::File } else { Entry::Missing };
    let around =
        Around { tree: Some(Tree { path: &made.path, look: &look, program: None }), is_strict: true };
    let again = read(made.files[0].text.as_bytes(), &around);
    assert_eq!(again.problems(false).count(), 0, "{:?}", again.findings);
    assert_eq!(again.workflow, *made.workflow());
}

/// STR-GENERATE-05, STR-GENERATE-06, STR-GENERATE-14: phases where a shape is one of phases, and nowhere else.
#[test]
fn phases_are_for_the_shapes_that_have_them() {
    let phased: Vec<&str> = SHAPES.iter().filter(|shape| shape.phased).map(|shape| shape.name).collect();
    assert_eq!(
        phased,
        [
            "multi_phase",
            "falsification_gate",
            "cross_examination",
            "adjudicated_constraint_extraction",
            "fog_of_war_review",
            "synaptic_prune"
        ]
    );
    for shape in SHAPES.iter() {
        let made = made(&request(shape.name, "local", &[])).expect("a workflow");
        assert_eq!(made.workflow()["schema_version"], if shape.phased { V1_1 } else { V1 }, "{}", shape.name);
    }
    let made = made(&request("multi_phase", "local", &[])).expect("a workflow");
    let closing =
        |phase: &str| json!({"id": phase, "name": phase, "synthesis_job_id": format!("{phase}-synthesis")});
    assert_eq!(made.workflow()["phases"], json!(["discover", "build", "ship"].map(closing)));
    assert_eq!(
        edges(&made),
        [
            "discover-track discover-synthesis",
            "discover-synthesis build-track",
            "build-track build-synthesis",
            "build-synthesis ship-track",
            "ship-track ship-synthesis"
        ]
    );
    let jobs = &made.workflow()["jobs"];
    assert_eq!((&jobs[0]["phase_id"], &jobs[1]["type"]), (&json!("discover"), &json!("phase_synthesis")));
    assert_eq!(cycles(&made).len(), 3);
}

/// STR-GENERATE-06: a frame, proposals, scores and trade-offs, an arbitration, dissent of each pack, a decision; no
/// typed artifact of a committee.
#[test]
fn a_panel_is_made_of_its_packs() {
    let made = made(&request("implementation_panel", "author_reviewer", &[])).expect("a workflow");
    assert_eq!(
        ids(&made),
        [
            "frame",
            "proposal-a",
            "proposal-b",
            "proposal-c",
            "scorecards",
            "tradeoffs",
            "arbitration",
            "dissent-maintainer-cost",
            "dissent-operator-ergonomics",
            "decision"
        ]
    );
    let jobs = made.workflow()["jobs"].as_array().expect("a list");
    assert_eq!(jobs[7]["review_posture"], "custom:maintainer_cost");
    assert_eq!(jobs[2]["role_id"], "proposer_b");
    let kinds: BTreeSet<&str> = jobs
        .iter()
        .flat_map(|job| job["expected_artifacts"].as_array().expect("a list"))
        .filter_map(|artifact| artifact["kind"].as_str())
        .collect();
    assert_eq!(kinds, BTreeSet::from(["finding", "handoff", "synthesis"]));
    let prompt = made.files.iter().find(|file| file.path.ends_with("prompts/dissent-maintainer-cost.md"));
    assert!(prompt.expect("a prompt").text.contains("- **reversibility**: "), "the pack's questions");
}

/// STR-GENERATE-07: the adjudicator closes the dialogue with a ledger, sends back to it so often at most, and no
/// session has to stay.
#[test]
fn a_dispute_is_closed_by_its_adjudicator() {
    for (shape, dialogue, to) in [
        ("falsification_gate", &["holder", "falsifier-a", "falsifier-b", "falsifier-c"][..], "holder"),
        ("cross_examination", &["author", "examiner"], "author"),
    ] {
        let more: &[(&str, &str)] = match shape {
            "falsification_gate" => &[("falsifier_count", "3"), ("max_revision_cycles", "2")],
            _ => &[("max_revision_cycles", "2")],
        };
        let made = made(&request(shape, "multi_review", more)).expect("a workflow");
        assert_eq!(ids(&made), [dialogue, &["adjudicator", "commit"]].concat());
        let jobs = made.workflow()["jobs"].as_array().expect("a list");
        let adjudicator = &jobs[dialogue.len()];
        assert_eq!(adjudicator["type"], "phase_synthesis");
        assert_eq!(adjudicator["expected_artifacts"][0]["kind"], "collaboration_ledger");
        assert_eq!(
            made.workflow()["cycles"],
            json!([{"from": "adjudicator", "to": to, "on_verdict": "needs_revision", "max_iterations": 2}])
        );
        assert!(jobs.iter().all(|job| job.get("interrogable").is_none()), "{shape}");
    }
}

/// STR-GENERATE-08: the cross-examiners may ask whoever drafted.
#[test]
fn cross_examiners_may_ask_the_drafter() {
    let made =
        made(&request("adjudicated_constraint_extraction", "author_reviewer", &[])).expect("a workflow");
    let jobs = made.workflow()["jobs"].as_array().expect("a list").iter();
    let asking: Vec<&Value> = jobs.filter(|job| job.get("interrogation_targets").is_some()).collect();
    let ids: Vec<&str> = asking.iter().filter_map(|job| job["id"].as_str()).collect();
    assert_eq!(ids, ["cross-exam-a", "cross-exam-b"]);
    let target = json!([{"workflow_job_id": "convener-draft", "required": false}]);
    assert!(asking.iter().all(|job| job["interrogation_targets"] == target));
    assert_eq!(made.shape.tier, Tier::Experimental);
    assert!(cycles(&made).contains(&"adjudication convener-draft".to_owned()));
}

/// STR-GENERATE-09: ten jobs: a brief, branches with a frame and a fresh session each, round the lanes, a critic, a
/// closer look, a synthesis.
#[test]
fn ideation_diverges_and_converges() {
    let made = made(&request("divergent_ideation", "multi_review", &[])).expect("a workflow");
    assert_eq!(ids(&made).len(), 10);
    assert_eq!((made.shape.tier, &made.workflow()["schema_version"]), (Tier::Supported, &json!(V1)));
    let jobs = made.workflow()["jobs"].as_array().expect("a list");
    let branches: Vec<&Value> = jobs.iter().filter(|job| job["parallel_group"] == "diverge").collect();
    assert!(branches.iter().all(|job| job["fresh_session_required"] == true));
    let lanes: BTreeSet<&str> = branches.iter().filter_map(|job| job["lane_id"].as_str()).collect();
    assert_eq!(lanes.len(), 4, "all lanes but the one that judges");
    let titles: BTreeSet<&str> = branches.iter().filter_map(|job| job["title"].as_str()).collect();
    assert_eq!(titles.len(), 5, "no frame twice");
}

/// STR-GENERATE-11, STR-GENERATE-12: reconstructors can be asked, a judge keeps the ledger, and the proposal waits for
/// its verdict, which edges say too.
#[test]
fn the_proposal_waits_until_coverage_is_cleared() {
    let made = made(&request("fog_of_war_review", "author_reviewer", &[("reconstructor_count", "2")]));
    let made = made.expect("a workflow");
    assert_eq!(
        made.workflow()["phases"][1]["gate"],
        json!({"withhold_packet_types": ["draft"], "until_verdict_clears": "coverage-gate"})
    );
    assert!(edges(&made).contains(&"coverage-gate proposal".to_owned()));
    let jobs = made.workflow()["jobs"].as_array().expect("a list");
    let leaves: Vec<&str> = jobs[0]["expected_artifacts"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|a| a["path"].as_str())
        .collect();
    assert_eq!(
        leaves,
        ["fragment-a", "fragment-b"]
            .map(|name| format!("docs/fog-of-war-review-starter/fragments/{name}.md"))
    );
    let asked: Vec<&str> =
        jobs.iter().filter(|job| job["interrogable"] == true).filter_map(|job| job["id"].as_str()).collect();
    assert_eq!(asked, ["reconstruct-a", "reconstruct-b"]);
    assert_eq!(jobs[3]["expected_artifacts"][0]["kind"], "collaboration_ledger");
}

/// STR-GENERATE-13: each participant nominates once all have spoken, and the tally is a ledger.
#[test]
fn every_participant_nominates_once() {
    let made =
        made(&request("synaptic_prune", "single_agent", &[("participant_count", "2")])).expect("a workflow");
    assert_eq!(ids(&made), ["forum-a", "forum-b", "nominate-a", "nominate-b", "tally"]);
    assert_eq!(edges(&made).iter().filter(|edge| edge.ends_with(" nominate-a")).count(), 2);
    assert_eq!(made.workflow()["jobs"][4]["expected_artifacts"][0]["kind"], "collaboration_ledger");
    assert_eq!(made.shape.tier, Tier::Experimental);
}

#[test]
fn a_plan_is_a_graph_of_ones_own() {
    let made = made(&request("custom", "custom", &[("lane_of.check-2", "one"), ("lane_of.reviewer", "two")]));
    let made = made.expect("a workflow");
    assert_eq!(ids(&made), ["part-1", "part-2", "part-3", "check-1", "check-2", "check-3", "whole"]);
    assert_eq!(edges(&made)[..3], ["part-1 check-1", "part-2 check-2", "part-3 check-3"]);
    assert_eq!(cycles(&made), ["check-1 part-1", "check-2 part-2", "check-3 part-3"]);
    let lanes: Vec<&str> = made.workflow()["jobs"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|job| job["lane_id"].as_str())
        .collect();
    assert_eq!(lanes, ["one", "one", "one", "two", "one", "two", "one"]);
    let own = made.files.iter().find(|file| file.path.ends_with("roles/own.md")).expect("a role");
    assert!(own.text.contains("(Say what this role is for"), "{}", own.text);
}

/// Texts are whole: nothing is left to fill in, each job has its task, each role its text.
#[test]
fn agents_get_whole_texts() {
    for shape in SHAPES.iter().filter(|shape| shape.name != "custom") {
        let made = made(&request(shape.name, "single_agent", &[])).expect("a workflow");
        for file in &made.files {
            assert!(!file.text.contains("{n}") && !file.text.contains("{item}"), "{}", file.path);
            let open = file.text.match_indices('{').filter(|(at, _)| {
                file.text[at + 1..].split_once('}').is_some_and(|(word, _)| {
                    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_')
                })
            });
            assert_eq!(open.count(), 0, "{}:\n{}", file.path, file.text);
            assert!(!file.text.contains("(Say what this role is for"), "{} has no text", file.path);
            assert!(!file.text.contains("Do what your objective says."), "{} has no task", file.path);
        }
    }
}

/// One vocabulary: types and kinds are the checker's.
#[test]
fn the_words_of_shapes_are_those_of_the_checker() {
    for shape in SHAPES.iter() {
        for job in &shape.jobs {
            assert!(JOB_TYPES.contains(&job.kind.as_str()), "{}: {}", shape.name, job.kind);
            for leaf in &job.leaves {
                assert!(crate::artifact::kind(&leaf.kind).is_some(), "{}: {}", shape.name, leaf.kind);
            }
        }
        assert!(!shape.outline().is_empty() || shape.name == "custom");
    }
    assert_eq!(shape("review").expect("a shape").outline(), "draft -> review (each) -> synthesis");
}
