//! Which helper owns which agent, for whoever looks without asking it.
#![expect(clippy::disallowed_methods, reason = "the file is on the host")]

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::process::Process;

/// The schema of the file.
pub const SCHEMA: &str = "striatum.supervisor_helper.pidfile.v1";

/// What stands in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pidfile {
    /// [`SCHEMA`].
    pub schema: String,
    /// Of which supervisor.
    pub supervisor_id: String,
    /// The helper.
    pub helper: Process,
    /// The agent; null before it runs and where it could not be executed.
    pub agent: Option<Process>,
    /// What the agent is.
    pub argv: Vec<String>,
    /// Its terminal; null as `agent` is.
    pub pts: Option<String>,
}

impl Pidfile {
    /// The file at this place; none where there is none or where it is another thing.
    pub fn read(path: &Path) -> Option<Self> {
        let file: Self = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        (file.schema == SCHEMA).then_some(file)
    }
}
