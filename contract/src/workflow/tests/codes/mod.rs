//! Each code: a workflow that it is said of, and one like it of which it is not.

mod of_jobs;
mod of_phases;
mod of_reviews;
mod of_schema;

use std::collections::BTreeSet;

use serde_json::Value;

use super::{said, with};
use crate::workflow::{Around, Tree, codes, read};

/// A code and its two workflows.
struct Case {
    code: &'static str,
    /// The pointer of the finding.
    at: &'static str,
    base: Value,
    /// What is put into the base, so that the code is said.
    trigger: Vec<(String, Value)>,
    /// What is put into it, so that it is not.
    near: Vec<(String, Value)>,
    /// What else is said of the trigger, and has to be.
    besides: &'static [&'static str],
}

impl Case {
    fn said_of(&self, edits: &[(String, Value)]) -> Vec<String> {
        let edited = edits.iter().cloned();
        let workflow = edited.fold(self.base.clone(), |workflow, (at, value)| with(workflow, &at, value));
        said(workflow.to_string().as_bytes())
    }
}

fn cases() -> Vec<Case> {
    [of_schema::cases(), of_jobs::cases(), of_reviews::cases(), of_phases::cases()]
        .into_iter()
        .flatten()
        .collect()
}

/// Everything that is wrong with how the cases of these codes are judged; of all codes where none is named.
fn wrong(codes: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    let all = cases();
    for code in codes {
        assert!(all.iter().any(|case| case.code == *code), "{code} has no case");
    }
    for case in all.iter().filter(|case| codes.is_empty() || codes.contains(&case.code)) {
        let mut expected: Vec<String> = case.besides.iter().map(|other| (*other).to_owned()).collect();
        expected.push(format!("{} {}", case.code, case.at).trim_end().to_owned());
        expected.sort_unstable();
        let mut found = case.said_of(&case.trigger);
        found.sort_unstable();
        if found != expected {
            wrong.push(format!("of what breaks {} is said {found:?}", case.code));
        }
        let near = case.said_of(&case.near);
        if near.iter().any(|said| said.split(' ').next() == Some(case.code)) {
            wrong.push(format!("{} is said of what does not break it, too: {near:?}", case.code));
        }
    }
    wrong
}

#[test]
fn each_code_is_said_of_what_breaks_its_rule_and_of_nothing_like_it() {
    let wrong = wrong(&[]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn hold(codes: &[&str]) {
    assert_eq!(wrong(codes), Vec::<String>::new());
}

/// STR-WORKFLOW-06: job ids are unique. STR-WORKFLOW-07: roles and lanes are there. STR-WORKFLOW-08: edges have ends,
/// cycles bounds. STR-WORKFLOW-09: paths are plain ones of the repository. STR-WORKFLOW-10: what is parallel is apart.
#[test]
fn jobs_are_told_apart_and_lead_somewhere() {
    hold(&["job_repeated", "role_unknown", "lane_unknown", "job_unknown", "cycle_unbounded", "edges_cyclic"]);
    hold(&["path_not_contained", "parallel_scopes_overlap", "parallel_group_mixed", "path_repeated"]);
}

/// STR-WORKFLOW-11: other repositories are refused. STR-WORKFLOW-17, STR-WORKFLOW-18: where a root review's
/// needs_revision leads. STR-WORKFLOW-20, STR-WORKFLOW-21: provenance and its paths.
#[test]
fn the_whole_of_a_workflow_is_bounded() {
    hold(&["other_repository_refused", "root_review_cycle_missing", "value_unknown"]);
    hold(&["provenance_mode_unsupported", "sealed_patch_paths_missing", "operator_paths_overlap"]);
}

/// STR-WORKFLOW-14, STR-WORKFLOW-16: constraints are known, and kept as strictly as is required. STR-WORKFLOW-22:
/// kinds of artifacts are known. STR-WORKFLOW-23: a day at most. STR-WORKFLOW-24: agents stay. STR-WORKFLOW-25,
/// STR-WORKFLOW-26: isolation, or a word why not. STR-WORKFLOW-27: auto names a branch that git can have.
/// STR-ADAPTER-02, STR-ADAPTER-03: what the adapter keeps, and how strictly.
#[test]
fn lanes_can_be_started_and_say_how_they_write() {
    hold(&["key_unknown", "enforcement_undeclared", "enforcement_too_weak", "adapter_unknown"]);
    hold(&["artifact_kind_unknown", "seconds_out_of_range", "claude_print_refused", "codex_exec_refused"]);
    hold(&["checkout_sharing_unjustified", "worktree_isolation_unsupported", "branch_name_missing"]);
    hold(&["branch_name_invalid"]);
}

/// STR-HARNESSPROFILE-01: a lane names a profile that is there. STR-HARNESSPROFILE-05: a fallback too.
/// STR-SHARED-RES-01, STR-SHARED-RES-02: resources have ids, and namespaces where they need one.
#[test]
fn profiles_and_resources_are_whole() {
    hold(&["harness_profile_unknown", "fallback_profile_unknown", "resource_namespace_missing"]);
    hold(&["fallback_profile_cyclic"]);
}

/// B041. STR-INTERROG-01, STR-INTERROG-02, STR-INTERROG-03: targets are earlier, interrogable, named once, and ask
/// nobody themselves. STR-LINT-09: what is odd about them is warned of.
#[test]
fn whom_a_job_may_ask() {
    hold(&["interrogation_target_repeated", "interrogation_target_itself", "interrogation_target_unknown"]);
    hold(&[
        "interrogation_target_not_interrogable",
        "interrogation_target_not_upstream",
        "interrogation_chained",
    ]);
    hold(&["interrogation_target_count_high", "interrogation_target_missing_interrogate_capability"]);
    hold(&["interrogation_target_redundant_direct_dependency"]);
}

/// STR-REVIEW-01, STR-REVIEW-02: policies of reviewers stand at reviews. STR-REVIEW-03: fresh is fresh.
/// STR-REVIEW-05: postures are known. STR-REVIEW-07: required ones stand at builds. STR-REVIEW-08: and are there.
/// STR-REVIEW-19: attested lanes are for reviews.
#[test]
fn reviews_say_how_they_are_done() {
    hold(&["reviewer_policy_misplaced", "fresh_context_contradicted", "review_posture_unknown"]);
    hold(&["required_postures_misplaced", "list_empty", "required_posture_unreachable"]);
    hold(&["attested_lane_misplaced"]);
}

/// B040: no job goes past the gate of a phase, and no cycle past a phase.
#[test]
fn phases_are_in_order() {
    hold(&[
        "phase_skipped",
        "phase_gate_skipped",
        "cycle_skips_phase",
        "phases_in_v1",
        "phase_gate_job_unknown",
    ]);
}

/// STR-LINT-03, STR-LINT-04: the coordinator's model, and a word why. STR-LINT-08: resources of one group.
/// STR-LINT-10: sharing is warned of though it is allowed.
#[test]
fn advice_is_given() {
    hold(&["operator_content_role_model_overlap", "parallel_shared_resource_contention"]);
    hold(&["shared_checkout_repo_write_override"]);
}

/// STR-LINT-07: where no host is known, a program below the repository is looked for there, and no other.
#[test]
fn a_path_of_the_repository_is_looked_for_where_no_host_is_known() {
    let programs = [
        ("./bin/none", true),
        ("bin/link", true),
        ("./bin/inert", true),
        ("bin/a", false),
        ("/none", false),
        ("inert", false),
    ];
    for (program, is_said) in programs {
        let workflow = with(super::good(), "/lanes/author/command/0", serde_json::json!(program)).to_string();
        let tree = Tree { path: "flow/wf.json", look: &super::entry, program: None };
        let found = read(workflow.as_bytes(), &Around { tree: Some(tree), is_strict: false }).findings;
        let said: Vec<&str> = found.iter().map(|found| found.code).collect();
        assert_eq!(said, if is_said { vec!["command_not_found"] } else { vec![] }, "{program}");
        let hints = found.iter().filter(|found| found.hint == "chmod +x bin/inert").count();
        assert_eq!(hints, usize::from(program == "./bin/inert"));
    }
}

#[test]
fn a_posture_that_nobody_knows_is_told_as_that() {
    let workflow = with(super::good(), "/jobs/1/review_posture", serde_json::json!("hostile")).to_string();
    let found = super::checked(workflow.as_bytes()).findings;
    let found = found.iter().find(|found| found.code == "review_posture_unknown").expect("a finding");
    assert_eq!(found.message, "is `hostile`, which is not known here");
}

/// Both ways out are named, by the file and by the command that makes one.
#[test]
fn a_lane_that_asks_for_worktrees_is_told_how_to_do_without() {
    let workflow = with(super::good(), "/lanes/author/worktree_isolation", serde_json::json!("per_job"));
    let workflow = with(workflow, "/jobs/0/write_scope/repo_write", serde_json::json!(true));
    let workflow = with(workflow, "/jobs/0/write_scope/mode", serde_json::json!("repo_write")).to_string();
    let found = super::checked(workflow.as_bytes()).findings;
    let found = found.iter().find(|found| found.code == "worktree_isolation_unsupported").expect("a finding");
    for way in ["allow_shared_checkout_repo_write", "--option shared_checkout=REASON"] {
        assert!(found.hint.contains(way), "{found:?}");
    }
}

#[test]
fn each_code_has_its_case() {
    let cases: Vec<&str> = cases().iter().map(|case| case.code).collect();
    let once: BTreeSet<&str> = cases.iter().copied().collect();
    assert_eq!(once.len(), cases.len(), "a code has two cases");
    // What octets are refused for, and what is said where no host is known, has cases of its own.
    let mut octets: BTreeSet<&str> = crate::workflow::reader::CODES.iter().map(|told| told.code).collect();
    octets.insert("command_not_found");
    let known: BTreeSet<&str> = codes().iter().map(|told| told.code).collect();
    assert_eq!(once.union(&octets).copied().collect::<BTreeSet<_>>(), known);
}
