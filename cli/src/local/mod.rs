//! The commands that this program answers itself. One line a command; what it does lives in its own file.

mod artifact_check;
mod artifact_contract;
mod artifact_kinds;
mod completions;
mod daemon_start;
mod daemon_status;
mod db;
mod local_down;
mod local_status;
mod local_up;
mod run_drive;
mod run_graph;
mod token_recover;
mod workflow_generate;
mod workflow_graph;
mod workflow_schema;
mod workflow_templates;
mod workflow_validate;

use clap::{ArgMatches, Command};
use striatum_contract::refusal::Refusal;

use crate::output::Answer;

/// One command that runs here alone.
pub(crate) struct Local {
    /// The words that name it: `["workflow", "validate"]` is `striatum workflow validate`.
    pub(crate) path: &'static [&'static str],
    /// Adds its help and its arguments.
    pub(crate) arguments: fn(Command) -> Command,
    /// Does it.
    pub(crate) run: fn(&ArgMatches) -> Result<Answer, Refusal>,
}

/// Every local command, in the order in which help lists them.
pub(crate) const LOCAL: &[Local] = &[
    local_up::COMMAND,
    local_down::COMMAND,
    local_status::COMMAND,
    workflow_templates::LIST,
    workflow_templates::SHOW,
    workflow_generate::COMMAND,
    workflow_validate::COMMAND,
    workflow_graph::COMMAND,
    workflow_schema::COMMAND,
    run_drive::COMMAND,
    run_graph::COMMAND,
    daemon_start::COMMAND,
    daemon_status::COMMAND,
    db::PLAN,
    db::APPLY,
    db::STATUS,
    db::EXPORT_CHAINS,
    token_recover::COMMAND,
    artifact_kinds::COMMAND,
    artifact_contract::COMMAND,
    artifact_check::COMMAND,
    completions::COMMAND,
];
