//! The methods that there are: what each declared about itself when it was registered.
//!
//! `contract/methods.json` is compiled in, so that a program that never meets a database knows the same methods.

mod validate;
mod words;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::nearest::nearest;
use crate::refusal::Refusal;

pub use validate::validate;
pub use words::{Param, is_schema, params};

/// All methods, as one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registry {
    /// Of this shape: 1.
    pub schema_version: u64,
    /// `sha256:` and the hash over all registrations. Two programs with one etag speak of the same methods.
    pub methods_etag: String,
    /// Ordered by name.
    pub methods: Vec<Method>,
}

/// One registered operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// Its dotted name.
    pub method: String,
    /// What it does, in one line.
    pub summary: String,
    /// What a client must have been granted; `None` for what needs no token.
    pub capability: Option<Capability>,
    /// What a call is about.
    pub scope: Scope,
    /// What is locked before it decides.
    pub lock_class: LockClass,
    /// Whether it can change anything; a pure read cannot.
    pub changes: bool,
    /// Whether only the daemon itself may call it.
    pub internal: bool,
    /// Whether a lane's token may see it.
    pub lane: bool,
    /// Whether only a principal of kind `human` may call it.
    pub human_only: bool,
    /// The JSON Schema (2020-12) of its params, an object. `"format": "path"` marks a path of the caller's machine.
    pub params: Value,
    /// The questions about the world that are answered before it decides.
    pub observers: Vec<String>,
    /// The changes of the world that it may order.
    pub effects: Vec<String>,
    /// The codes with which it may refuse.
    pub error_codes: Vec<String>,
    /// The words of its command; `None` where the command line has none.
    pub cli_path: Option<Vec<String>>,
    /// The params that its command takes without a flag, in their order.
    pub cli_positionals: Vec<String>,
    /// The keys of its answer that text output shows, in their order and at any level; empty: all of them.
    pub cli_shows: Vec<String>,
    /// What text output says beside them.
    pub cli_note: Option<String>,
    /// Lines to type, for its help.
    pub examples: Vec<String>,
}

/// A kind of permission that is granted to a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Look at state.
    Read,
    /// Create and change runs, sessions and artifacts.
    Write,
    /// Record verdicts.
    Review,
    /// Take work and hand it in.
    Claim,
    /// Make confirmed commits.
    Apply,
    /// Repositories, clients, tokens, the daemon.
    Admin,
    /// Requeue, resume, quarantine, invalidate.
    Recovery,
    /// Recovery that replaces single facts.
    SurgicalRecovery,
}

/// What a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One registered repository.
    SingleRepo,
    /// The daemon as a whole.
    DaemonGlobal,
}

/// What is locked before a method decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LockClass {
    /// Nothing.
    None,
    /// The repository.
    Repository,
    /// The repository of an effect.
    Effect,
    /// A run.
    Run,
    /// The run of a session.
    Session,
    /// The run of a job.
    Job,
    /// The run of a blocker.
    Blocker,
    /// The run of a supervisor.
    Supervisor,
    /// The repository, in a method about one of its runs.
    RepositoryRun,
}

/// Every method there is.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../methods.json")).expect("a test reads methods.json in this shape")
});

/// The method of a name.
pub fn find(name: &str) -> Option<&'static Method> {
    REGISTRY.methods.iter().find(|method| method.method == name)
}

/// `method_unknown`, and the method that was perhaps meant.
pub fn unknown(name: &str) -> Refusal {
    let mut shown = name.to_owned();
    crate::problem::cut(&mut shown, 128);
    let meant = nearest(name, REGISTRY.methods.iter().map(|method| method.method.as_str()));
    let next = meant.into_iter().chain(["daemon.describe"]).map(str::to_owned);
    Refusal::new("method_unknown", format!("there is no method {shown:?}"), next)
}
