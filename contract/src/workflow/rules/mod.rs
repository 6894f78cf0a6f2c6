//! The rules beyond the schema: one a file, one code each.

mod abstentions_unallowed;
mod agent_loop_missing;
mod agy_one_shot_pipe_lane;
mod allowed_paths_missing;
mod artifact_transcript_refused;
mod attested_lane_misplaced;
mod branch_name_invalid;
mod branch_name_missing;
mod broad_write_scope;
mod checkout_sharing_unjustified;
mod claude_print_refused;
mod codex_exec_refused;
mod command_env_malformed;
mod command_env_reserved;
mod command_missing;
mod command_not_found;
mod cycle_not_upstream;
mod cycle_not_verdict;
mod cycle_repeated;
mod cycle_skips_phase;
mod deprecated_claude_print_lane;
mod document_elsewhere;
mod document_missing;
mod document_outside;
mod edge_repeated;
mod edge_to_itself;
mod edges_cyclic;
mod enforcement_too_weak;
mod enforcement_undeclared;
mod experimental_shape;
mod fallback_profile_cyclic;
mod fallback_profile_unknown;
mod fresh_context_contradicted;
mod harness_profile_unknown;
mod heartbeat_not_in_lease;
mod interrogation_chained;
mod interrogation_target_count_high;
mod interrogation_target_itself;
mod interrogation_target_missing_interrogate_capability;
mod interrogation_target_not_interrogable;
mod interrogation_target_not_upstream;
mod interrogation_target_redundant_direct_dependency;
mod interrogation_target_repeated;
mod interrogation_target_unknown;
mod job_repeated;
mod job_type_misspelled;
mod job_type_unknown;
mod job_type_unsupported;
mod job_unconnected;
mod job_unknown;
mod lane_unknown;
mod missing_review_escalation_path;
mod name_repeated;
mod needs_differ;
mod not_in_effect;
mod operator_content_role_model_overlap;
mod operator_paths_overlap;
mod other_repository_refused;
mod panel_role_misplaced;
mod panel_without_gate;
mod parallel_group_mixed;
mod parallel_scopes_overlap;
mod parallel_shared_resource_contention;
mod path_forbidden;
mod path_is_pattern;
mod path_not_allowed;
mod path_repeated;
mod phase_empty;
mod phase_gate_job_unknown;
mod phase_gate_not_upstream;
mod phase_gate_not_verdict;
mod phase_gate_skipped;
mod phase_job_ungated;
mod phase_missing;
mod phase_order_broken;
mod phase_repeated;
mod phase_skipped;
mod phase_synthesis_misplaced;
mod phase_synthesis_stray;
mod phase_unknown;
mod phases_in_v1;
mod phases_missing;
mod program_missing;
mod provenance_mode_unsupported;
mod recovery_budgets_contradictory;
mod repo_write_without_worktree_isolation;
mod required_posture_unreachable;
mod required_postures_misplaced;
mod resource_namespace_missing;
mod review_posture_misplaced;
mod review_without_documents;
mod review_without_fresh_context;
mod reviewer_policy_misplaced;
mod role_unknown;
mod root_review_cycle_missing;
mod same_model_adjudicator_pair;
mod same_model_review_pair;
mod same_model_revision_cycle;
mod scope_outside;
mod sealed_gaps_contradictory;
mod sealed_gaps_too_many;
mod sealed_patch_paths_missing;
mod shared_checkout_repo_write_override;
mod task_missing;
mod worktree_isolation_unsupported;
mod write_scope_contradictory;

use super::rule::Rule;
pub(super) use other_repository_refused::KEYS as OTHER_REPOSITORIES;

/// Every rule.
pub(super) const RULES: &[&Rule] = &[
    &abstentions_unallowed::RULE,
    &agent_loop_missing::RULE,
    &agy_one_shot_pipe_lane::RULE,
    &allowed_paths_missing::RULE,
    &artifact_transcript_refused::RULE,
    &attested_lane_misplaced::RULE,
    &branch_name_invalid::RULE,
    &branch_name_missing::RULE,
    &broad_write_scope::RULE,
    &checkout_sharing_unjustified::RULE,
    &claude_print_refused::RULE,
    &codex_exec_refused::RULE,
    &command_env_malformed::RULE,
    &command_env_reserved::RULE,
    &command_missing::RULE,
    &command_not_found::RULE,
    &cycle_not_upstream::RULE,
    &cycle_not_verdict::RULE,
    &cycle_repeated::RULE,
    &cycle_skips_phase::RULE,
    &deprecated_claude_print_lane::RULE,
    &document_elsewhere::RULE,
    &document_missing::RULE,
    &document_outside::RULE,
    &edge_repeated::RULE,
    &edge_to_itself::RULE,
    &edges_cyclic::RULE,
    &enforcement_too_weak::RULE,
    &enforcement_undeclared::RULE,
    &experimental_shape::RULE,
    &fallback_profile_cyclic::RULE,
    &fallback_profile_unknown::RULE,
    &fresh_context_contradicted::RULE,
    &harness_profile_unknown::RULE,
    &heartbeat_not_in_lease::RULE,
    &interrogation_chained::RULE,
    &interrogation_target_count_high::RULE,
    &interrogation_target_itself::RULE,
    &interrogation_target_missing_interrogate_capability::RULE,
    &interrogation_target_not_interrogable::RULE,
    &interrogation_target_not_upstream::RULE,
    &interrogation_target_redundant_direct_dependency::RULE,
    &interrogation_target_repeated::RULE,
    &interrogation_target_unknown::RULE,
    &job_repeated::RULE,
    &job_type_misspelled::RULE,
    &job_type_unknown::RULE,
    &job_type_unsupported::RULE,
    &job_unconnected::RULE,
    &job_unknown::RULE,
    &lane_unknown::RULE,
    &missing_review_escalation_path::RULE,
    &name_repeated::RULE,
    &needs_differ::RULE,
    &not_in_effect::RULE,
    &operator_content_role_model_overlap::RULE,
    &operator_paths_overlap::RULE,
    &other_repository_refused::RULE,
    &panel_role_misplaced::RULE,
    &panel_without_gate::RULE,
    &parallel_group_mixed::RULE,
    &parallel_scopes_overlap::RULE,
    &parallel_shared_resource_contention::RULE,
    &path_forbidden::RULE,
    &path_is_pattern::RULE,
    &path_not_allowed::RULE,
    &path_repeated::RULE,
    &phase_empty::RULE,
    &phase_gate_job_unknown::RULE,
    &phase_gate_not_upstream::RULE,
    &phase_gate_not_verdict::RULE,
    &phase_gate_skipped::RULE,
    &phase_job_ungated::RULE,
    &phase_missing::RULE,
    &phase_order_broken::RULE,
    &phase_repeated::RULE,
    &phase_skipped::RULE,
    &phase_synthesis_misplaced::RULE,
    &phase_synthesis_stray::RULE,
    &phase_unknown::RULE,
    &phases_in_v1::RULE,
    &phases_missing::RULE,
    &program_missing::RULE,
    &provenance_mode_unsupported::RULE,
    &recovery_budgets_contradictory::RULE,
    &repo_write_without_worktree_isolation::RULE,
    &required_posture_unreachable::RULE,
    &required_postures_misplaced::RULE,
    &resource_namespace_missing::RULE,
    &review_posture_misplaced::RULE,
    &review_without_documents::RULE,
    &review_without_fresh_context::RULE,
    &reviewer_policy_misplaced::RULE,
    &role_unknown::RULE,
    &root_review_cycle_missing::RULE,
    &same_model_adjudicator_pair::RULE,
    &same_model_review_pair::RULE,
    &same_model_revision_cycle::RULE,
    &scope_outside::RULE,
    &sealed_gaps_contradictory::RULE,
    &sealed_gaps_too_many::RULE,
    &sealed_patch_paths_missing::RULE,
    &shared_checkout_repo_write_override::RULE,
    &task_missing::RULE,
    &worktree_isolation_unsupported::RULE,
    &write_scope_contradictory::RULE,
];
