//! A packet, as far as an agent reads it.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::striatum::End;

/// One job that was claimed.
#[derive(Debug, Deserialize)]
pub(crate) struct Packet {
    pub(crate) run: Run,
    pub(crate) lease: Lease,
    pub(crate) job: Job,
    pub(crate) inputs: Vec<Input>,
    #[serde(default)]
    pub(crate) expected_artifacts: Vec<Artifact>,
    pub(crate) revision_context: Option<Revision>,
    pub(crate) commands: Vec<Call>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Run {
    pub(crate) run_id: String,
    pub(crate) repo_root: PathBuf,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Lease {
    pub(crate) lease_id: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Job {
    pub(crate) workflow_job_id: String,
    pub(crate) attempt: u64,
    pub(crate) title: Option<String>,
    pub(crate) objective: Option<String>,
}

/// What a job before has left.
#[derive(Debug, Deserialize)]
pub(crate) struct Input {
    pub(crate) workflow_job_id: String,
    pub(crate) attempt: u64,
    pub(crate) logical_name: String,
    pub(crate) kind: String,
    pub(crate) path: String,
    pub(crate) sha256: String,
}

/// What this one has to leave.
#[derive(Debug, Deserialize)]
pub(crate) struct Artifact {
    pub(crate) kind: String,
    pub(crate) path: String,
    /// The whole line by which it is signed.
    pub(crate) author: String,
}

/// Why a job is done once more.
#[derive(Debug, Deserialize)]
pub(crate) struct Revision {
    pub(crate) prior_verdict: String,
    pub(crate) prior_finding_path: Option<String>,
    pub(crate) prior_finding_content_sha256: Option<String>,
    pub(crate) guidance: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Call {
    pub(crate) method: String,
}

impl Packet {
    /// From the answer of a claim.
    ///
    /// # Errors
    /// What is not as it should be.
    pub(crate) fn of(claimed: &Value) -> Result<Self, End> {
        Self::deserialize(&claimed["packet"])
            .map_err(|error| End::Failed(format!("the packet cannot be read: {error}")))
    }

    /// Whether the job ends by a verdict.
    pub(crate) fn is_review(&self) -> bool {
        self.commands.iter().any(|call| call.method == "review.submit")
    }

    /// Where an artifact's file is.
    ///
    /// # Errors
    /// Where it would not lie in the repository.
    pub(crate) fn file(&self, artifact: &Artifact) -> Result<PathBuf, End> {
        let path = Path::new(&artifact.path);
        match path.components().all(|part| matches!(part, Component::Normal(_))) {
            true => Ok(self.run.repo_root.join(path)),
            false => Err(End::Failed(format!("{} does not lie in the repository", artifact.path))),
        }
    }
}

#[cfg(test)]
pub(crate) fn packet(of: Value) -> Packet {
    use serde_json::json;
    let mut packet = json!({
        "packet_version": "striatum.work-packet.v1",
        "run": {"run_id": "run_1", "workflow_id": "w", "repo_root": "/r", "branch": {"name": "b", "confirmed": true}},
        "lease": {"lease_id": "lease_1", "message_id": "msg_1"},
        "job": {"job_id": "job_1", "workflow_job_id": "draft", "attempt": 1, "type": "draft", "title": "Draft",
                "author": "author: author-draft-001", "objective": "Write it", "fresh_session_required": false},
        "inputs": [],
        "expected_artifacts": [{"logical_name": "draft", "kind": "handoff", "path": "docs/draft.md", "required": true,
                                "author": "author: author-draft-001"}],
        "commands": [{"method": "work.ack", "when": "first", "command": "striatum ack lease_1"},
                     {"method": "work.complete", "when": "last", "command": "striatum complete lease_1"}],
    });
    for (key, value) in of.as_object().expect("an object") {
        packet[key] = value.clone();
    }
    Packet::of(&json!({"packet": packet})).expect("a packet")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::packet;

    #[test]
    fn a_review_is_told_by_the_calls_that_end_it() {
        assert!(!packet(json!({})).is_review());
        let commands = json!([{"method": "work.ack"}, {"method": "review.submit"}]);
        assert!(packet(json!({"commands": commands})).is_review());
    }

    #[test]
    fn a_file_lies_in_the_repository() {
        let at = |path: &str| {
            let packet = packet(json!({"expected_artifacts": [
                {"logical_name": "a", "kind": "handoff", "path": path, "author": "author: a"}]}));
            packet.file(&packet.expected_artifacts[0]).ok()
        };
        assert_eq!(at("docs/draft.md"), Some("/r/docs/draft.md".into()));
        assert_eq!([at("/etc/motd"), at("docs/../../x")], [None, None]);
    }
}
