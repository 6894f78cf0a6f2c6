use serde_json::{Value, json};

use super::Case;
use crate::workflow::tests::good;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            code: "path_is_pattern",
            at: "/jobs/0/write_scope/allowed_paths/1",
            base: good(),
            trigger: vec![("/jobs/0/write_scope/allowed_paths/1".to_owned(), json!("src/**"))],
            near: vec![("/jobs/0/write_scope/allowed_paths/1".to_owned(), json!("src/"))],
            besides: &[],
        },
        Case {
            code: "artifact_transcript_refused",
            at: "/jobs/0/expected_artifacts/0/logical_name",
            base: good(),
            trigger: vec![("/jobs/0/expected_artifacts/0/logical_name".to_owned(), json!("raw-output"))],
            near: vec![("/jobs/0/expected_artifacts/0/logical_name".to_owned(), json!("transcription"))],
            besides: &[],
        },
        Case {
            code: "write_scope_contradictory",
            at: "/jobs/0/write_scope/mode",
            base: good(),
            trigger: vec![("/jobs/0/write_scope/mode".to_owned(), json!("repo_write"))],
            near: vec![("/jobs/0/write_scope/mode".to_owned(), Value::Null)],
            besides: &[],
        },
        Case {
            code: "broad_write_scope",
            at: "/jobs/0/write_scope/allowed_paths/0",
            base: good(),
            trigger: vec![
                ("/jobs/0/write_scope/mode".to_owned(), json!("repo_write")),
                ("/jobs/0/write_scope/repo_write".to_owned(), json!(true)),
                ("/lanes/author/worktree_isolation".to_owned(), json!("per_job")),
                ("/jobs/0/write_scope/allowed_paths/0".to_owned(), json!(".")),
            ],
            near: vec![("/jobs/0/write_scope/allowed_paths/0".to_owned(), json!("."))],
            besides: &["worktree_isolation_unsupported /lanes/author/worktree_isolation"],
        },
        Case {
            code: "parallel_scopes_overlap",
            at: "/jobs/2/write_scope/allowed_paths/0",
            base: good(),
            trigger: vec![
                ("/jobs/0/write_scope/mode".to_owned(), json!("repo_write")),
                ("/jobs/0/write_scope/repo_write".to_owned(), json!(true)),
                ("/lanes/author/worktree_isolation".to_owned(), json!("per_job")),
                ("/jobs/0/parallel_group".to_owned(), json!("g")),
                ("/jobs/2/parallel_group".to_owned(), json!("g")),
                (
                    "/jobs/2/write_scope".to_owned(),
                    json!({"repo_write": true, "allowed_paths": ["docs/deep/"]}),
                ),
            ],
            near: vec![
                ("/jobs/0/write_scope/mode".to_owned(), json!("repo_write")),
                ("/jobs/0/write_scope/repo_write".to_owned(), json!(true)),
                ("/lanes/author/worktree_isolation".to_owned(), json!("per_job")),
                ("/jobs/0/parallel_group".to_owned(), json!("g")),
                ("/jobs/2/parallel_group".to_owned(), json!("g")),
                (
                    "/jobs/2/write_scope".to_owned(),
                    json!({"repo_write": true, "allowed_paths": ["docsdeep/"]}),
                ),
            ],
            besides: &["worktree_isolation_unsupported /lanes/author/worktree_isolation"],
        },
        Case {
            code: "parallel_group_mixed",
            at: "/jobs/2/parallel_group",
            base: good(),
            trigger: vec![
                ("/jobs/0/write_scope/mode".to_owned(), json!("repo_write")),
                ("/jobs/0/write_scope/repo_write".to_owned(), json!(true)),
                ("/lanes/author/worktree_isolation".to_owned(), json!("per_job")),
                ("/jobs/0/parallel_group".to_owned(), json!("g")),
                ("/jobs/2/parallel_group".to_owned(), json!("g")),
            ],
            near: vec![
                ("/jobs/0/parallel_group".to_owned(), json!("g")),
                ("/jobs/2/parallel_group".to_owned(), json!("g")),
            ],
            besides: &["worktree_isolation_unsupported /lanes/author/worktree_isolation"],
        },
        Case {
            code: "parallel_shared_resource_contention",
            at: "/jobs/2/shared_resources/0",
            base: good(),
            trigger: vec![
                ("/jobs/0/parallel_group".to_owned(), json!("g")),
                ("/jobs/2/parallel_group".to_owned(), json!("g")),
                ("/jobs/0/shared_resources".to_owned(), json!(["port"])),
                ("/jobs/2/shared_resources".to_owned(), json!([{"id": "port"}])),
            ],
            near: vec![
                ("/jobs/0/parallel_group".to_owned(), json!("g")),
                ("/jobs/2/parallel_group".to_owned(), json!("g")),
                (
                    "/jobs/0/shared_resources".to_owned(),
                    json!([{"id": "db", "mode": "per_lane_namespace", "namespace": "a"}]),
                ),
                (
                    "/jobs/2/shared_resources".to_owned(),
                    json!([{"id": "db", "mode": "per_lane_namespace", "namespace": "b"}]),
                ),
            ],
            besides: &[],
        },
        Case {
            code: "resource_namespace_missing",
            at: "/jobs/0/shared_resources/0",
            base: good(),
            trigger: vec![(
                "/jobs/0/shared_resources".to_owned(),
                json!([{"id": "db", "mode": "per_lane_namespace"}]),
            )],
            near: vec![("/jobs/0/shared_resources".to_owned(), json!([{"id": "db", "mode": "exclusive"}]))],
            besides: &[],
        },
        Case {
            code: "interrogation_target_unknown",
            at: "/jobs/2/interrogation_targets/0/workflow_job_id",
            base: good(),
            trigger: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "nobody"}])),
            ],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            besides: &["not_in_effect /jobs/0/interrogable", "not_in_effect /jobs/2/interrogation_targets"],
        },
        Case {
            code: "interrogation_target_itself",
            at: "/jobs/2/interrogation_targets/0/workflow_job_id",
            base: good(),
            trigger: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "apply"}])),
            ],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            besides: &[
                "not_in_effect /jobs/0/interrogable",
                "not_in_effect /jobs/2/interrogation_targets",
                "interrogation_target_not_interrogable /jobs/2/interrogation_targets/0/workflow_job_id",
            ],
        },
        Case {
            code: "interrogation_target_repeated",
            at: "/jobs/2/interrogation_targets/1/workflow_job_id",
            base: good(),
            trigger: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                (
                    "/jobs/2/interrogation_targets".to_owned(),
                    json!([{"workflow_job_id": "draft"}, {"workflow_job_id": "draft"}]),
                ),
            ],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            besides: &["not_in_effect /jobs/0/interrogable", "not_in_effect /jobs/2/interrogation_targets"],
        },
        Case {
            code: "interrogation_target_not_interrogable",
            at: "/jobs/2/interrogation_targets/0/workflow_job_id",
            base: good(),
            trigger: vec![(
                "/jobs/2/interrogation_targets".to_owned(),
                json!([{"workflow_job_id": "draft"}]),
            )],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            besides: &["not_in_effect /jobs/2/interrogation_targets"],
        },
        Case {
            code: "interrogation_target_not_upstream",
            at: "/jobs/2/interrogation_targets/0/workflow_job_id",
            base: good(),
            trigger: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
                ("/edges".to_owned(), json!([{"from": "review", "to": "apply"}])),
                ("/jobs/1/needs".to_owned(), Value::Null),
                ("/jobs/0/parallel_group".to_owned(), json!("g")),
                ("/cycles".to_owned(), json!([])),
            ],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            besides: &[
                "not_in_effect /jobs/0/interrogable",
                "not_in_effect /jobs/2/interrogation_targets",
                "missing_review_escalation_path /jobs/1",
            ],
        },
        Case {
            code: "interrogation_chained",
            at: "/jobs/2/interrogation_targets",
            base: good(),
            trigger: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            besides: &[
                "not_in_effect /jobs/0/interrogable",
                "not_in_effect /jobs/2/interrogation_targets",
                "not_in_effect /jobs/2/interrogable",
            ],
        },
        Case {
            code: "interrogation_target_count_high",
            at: "/jobs/2/interrogation_targets",
            base: good(),
            trigger: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                (
                    "/jobs/2/interrogation_targets".to_owned(),
                    json!([{"workflow_job_id": "draft"}, {"workflow_job_id": "a"},
                           {"workflow_job_id": "b"}, {"workflow_job_id": "c"}]),
                ),
            ],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                (
                    "/jobs/2/interrogation_targets".to_owned(),
                    json!([{"workflow_job_id": "draft"}, {"workflow_job_id": "a"}, {"workflow_job_id": "b"}]),
                ),
            ],
            besides: &[
                "not_in_effect /jobs/0/interrogable",
                "not_in_effect /jobs/2/interrogation_targets",
                "interrogation_target_unknown /jobs/2/interrogation_targets/1/workflow_job_id",
                "interrogation_target_unknown /jobs/2/interrogation_targets/2/workflow_job_id",
                "interrogation_target_unknown /jobs/2/interrogation_targets/3/workflow_job_id",
            ],
        },
        Case {
            code: "interrogation_target_missing_interrogate_capability",
            at: "/jobs/2/interrogation_targets",
            base: good(),
            trigger: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
                ("/lanes/author/capabilities".to_owned(), json!(["write"])),
            ],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            besides: &["not_in_effect /jobs/0/interrogable", "not_in_effect /jobs/2/interrogation_targets"],
        },
        Case {
            code: "interrogation_target_redundant_direct_dependency",
            at: "/jobs/2/interrogation_targets/0/workflow_job_id",
            base: good(),
            trigger: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
                ("/edges/2".to_owned(), json!({"from": "draft", "to": "apply"})),
            ],
            near: vec![
                ("/jobs/0/interrogable".to_owned(), json!(true)),
                ("/jobs/2/interrogation_targets".to_owned(), json!([{"workflow_job_id": "draft"}])),
            ],
            besides: &["not_in_effect /jobs/0/interrogable", "not_in_effect /jobs/2/interrogation_targets"],
        },
        Case {
            code: "reviewer_policy_misplaced",
            at: "/jobs/0/reviewer_access_scope",
            base: good(),
            trigger: vec![("/jobs/0/reviewer_access_scope".to_owned(), json!("repo_level"))],
            near: vec![("/jobs/1/reviewer_access_scope".to_owned(), json!("repo_level"))],
            besides: &[],
        },
        Case {
            code: "review_posture_misplaced",
            at: "/jobs/0/review_posture",
            base: good(),
            trigger: vec![("/jobs/0/review_posture".to_owned(), json!("neutral"))],
            near: vec![("/jobs/1/review_posture".to_owned(), json!("neutral"))],
            besides: &[],
        },
        Case {
            code: "fresh_context_contradicted",
            at: "/jobs/1/fresh_session_required",
            base: good(),
            trigger: vec![
                ("/jobs/1/reviewer_context_policy".to_owned(), json!("fresh")),
                ("/jobs/1/fresh_session_required".to_owned(), json!(false)),
            ],
            near: vec![
                ("/jobs/1/reviewer_context_policy".to_owned(), json!("cross_round")),
                ("/jobs/1/fresh_session_required".to_owned(), json!(false)),
            ],
            besides: &[],
        },
        Case {
            code: "review_without_fresh_context",
            at: "/jobs/1",
            base: good(),
            trigger: vec![("/jobs/1/fresh_session_required".to_owned(), Value::Null)],
            near: vec![
                ("/jobs/1/fresh_session_required".to_owned(), Value::Null),
                ("/jobs/1/reviewer_context_policy".to_owned(), json!("fresh")),
            ],
            besides: &[],
        },
        Case {
            code: "review_without_documents",
            at: "/jobs/1/reviewer_access_scope",
            base: good(),
            trigger: vec![
                ("/jobs/1/reviewer_access_scope".to_owned(), json!("document_only")),
                ("/edges".to_owned(), json!([{"from": "review", "to": "apply"}])),
                ("/jobs/1/needs".to_owned(), Value::Null),
                ("/cycles".to_owned(), json!([])),
            ],
            near: vec![("/jobs/1/reviewer_access_scope".to_owned(), json!("document_only"))],
            besides: &["job_unconnected /jobs/0", "missing_review_escalation_path /jobs/1"],
        },
        Case {
            code: "required_postures_misplaced",
            at: "/jobs/0/required_review_postures",
            base: good(),
            trigger: vec![("/jobs/0/required_review_postures".to_owned(), json!(["neutral"]))],
            near: vec![("/jobs/2/required_review_postures".to_owned(), json!(["neutral"]))],
            besides: &[],
        },
        Case {
            code: "required_posture_unreachable",
            at: "/jobs/2/required_review_postures/0",
            base: good(),
            trigger: vec![("/jobs/2/required_review_postures".to_owned(), json!(["security"]))],
            near: vec![
                ("/jobs/2/required_review_postures".to_owned(), json!(["security"])),
                ("/jobs/1/review_posture".to_owned(), json!("security")),
            ],
            besides: &[],
        },
        Case {
            code: "attested_lane_misplaced",
            at: "/jobs/0/require_attested_lane",
            base: good(),
            trigger: vec![("/jobs/0/require_attested_lane".to_owned(), json!(true))],
            near: vec![("/jobs/1/require_attested_lane".to_owned(), json!(true))],
            besides: &[],
        },
        Case {
            code: "root_review_cycle_missing",
            at: "/review_revision_policy/root_review_needs_revision",
            base: good(),
            trigger: vec![
                (
                    "/review_revision_policy".to_owned(),
                    json!({"root_review_needs_revision": "declared_cycle"}),
                ),
                ("/edges".to_owned(), json!([{"from": "review", "to": "apply"}])),
                ("/jobs/1/needs".to_owned(), Value::Null),
                ("/cycles".to_owned(), json!([])),
            ],
            near: vec![(
                "/review_revision_policy".to_owned(),
                json!({"root_review_needs_revision": "declared_cycle"}),
            )],
            besides: &["job_unconnected /jobs/0", "not_in_effect /review_revision_policy"],
        },
        Case {
            code: "missing_review_escalation_path",
            at: "/jobs/1",
            base: good(),
            trigger: vec![("/cycles".to_owned(), json!([]))],
            near: vec![("/cycles/0/max_iterations".to_owned(), json!(1))],
            besides: &[],
        },
    ]
}
