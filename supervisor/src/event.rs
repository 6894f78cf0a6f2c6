//! What a helper reports of its agent: what happened and how much, never what a terminal showed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::process::StartToken;

/// The schema of an event.
pub const SCHEMA: &str = "striatum.supervisor_helper.event.v1";

/// A numbered message of a helper, sent again until it is acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// From 1, without gaps but for a progress that a newer one replaced.
    pub seq: u64,
    /// When, by the clock of the host: UTC, always six digits (`2026-11-30T00:00:00.000000Z`).
    pub at: String,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    /// The agent runs: `exec` succeeded.
    AgentStarted {
        /// Its number, which is that of its process group and session, too.
        pid: i32,
        /// Its start token.
        start_token: Option<StartToken>,
        /// Its terminal.
        pts: String,
        /// What was executed.
        argv: Vec<String>,
    },
    /// The agent wrote to its terminal. Only the newest one is held.
    Progress {
        /// Octets since its start.
        octets: u64,
    },
    /// The helper could not do its part.
    HelperError {
        /// `agent_exec_failed` (then the agent never ran, and this is the last event), `log_failed`,
        /// `processes_left`.
        code: String,
        /// What the system said, where it was the system.
        errno: Option<i32>,
        /// For people; not a word of the agent's.
        message: String,
    },
    /// The agent ran and ended. The last event. One of the two is null.
    AgentExited {
        /// As it ended by itself.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// Processes that outlived it and that the helper ended; those of a stop are counted in its reply.
        left_processes_killed: u64,
    },
}

impl Event {
    /// As it is sent and as `supervise.report` takes it.
    pub fn to_json(&self) -> Value {
        let mut value = json!(self.what);
        value["schema"] = json!(SCHEMA);
        value["seq"] = json!(self.seq);
        value["at"] = json!(self.at);
        value
    }

    /// Reads one that was sent; none where the value is no event.
    pub fn from_json(value: &Value) -> Option<Self> {
        let is_event = value["schema"] == SCHEMA;
        let what = What::deserialize(value).ok().filter(|_| is_event)?;
        Some(Self { seq: value["seq"].as_u64()?, at: value["at"].as_str()?.to_owned(), what })
    }

    /// Whether none follows it: the helper ends when this one is acknowledged.
    pub fn is_last(&self) -> bool {
        self.what.is_last()
    }
}

/// The code of a helper error: the agent could not be executed.
pub const AGENT_EXEC_FAILED: &str = "agent_exec_failed";

impl What {
    /// Whether no event follows one of this kind.
    pub fn is_last(&self) -> bool {
        match self {
            Self::AgentExited { .. } => true,
            Self::HelperError { code, .. } => code == AGENT_EXEC_FAILED,
            Self::AgentStarted { .. } | Self::Progress { .. } => false,
        }
    }
}
