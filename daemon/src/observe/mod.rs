//! Observers: each answers one question about the world and never writes. Unknown is an answer.
//!
//! What an observer has to look at its SQL half says (`observe_<name>`); what it saw travels in `observed.<name>`.

mod artifact_copies;
mod artifact_file;
pub mod beneath;
mod daemon_host;
pub(crate) mod git;
mod git_head;
mod lane_attestation;
pub mod minted_secret;
mod path_place;
mod repository_root;
mod scope_baseline;
pub mod socket_folder;
mod workflow_file;

use serde_json::Value;

/// One observer.
pub struct Observer {
    /// As the registry of methods names it.
    pub name: &'static str,
    /// Looks at what its SQL half said. May block on the file system.
    pub look: fn(&Value) -> Value,
}

/// Every observer but those that a request has to wait for in its own way (`minted_secret`).
pub const OBSERVERS: &[Observer] = &[
    artifact_copies::OBSERVER,
    artifact_file::OBSERVER,
    daemon_host::OBSERVER,
    git_head::OBSERVER,
    lane_attestation::OBSERVER,
    path_place::OBSERVER,
    repository_root::OBSERVER,
    scope_baseline::OBSERVER,
    workflow_file::OBSERVER,
];
