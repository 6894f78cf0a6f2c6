//! The commands that need no daemon. One line a command; what it does lives in its own file.

mod completions;

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
pub(crate) const LOCAL: &[Local] = &[completions::COMMAND];
