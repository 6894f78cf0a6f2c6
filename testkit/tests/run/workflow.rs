//! `examples/rfc-ledger`, with other agents.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Its jobs, in their order; each has a lane of its name.
pub(crate) const JOBS: [&str; 6] = ["draft", "review-a", "review-b", "ledger", "synthesis", "final-review"];

/// The file, as it is put into a test's repository.
pub(crate) struct Workflow(pub(crate) Value);

impl Workflow {
    /// With agents that lose little time.
    pub(crate) fn quick() -> Self {
        let text = std::fs::read_to_string(example().join("workflow.json")).expect("the example");
        let mut workflow = Self(serde_json::from_str(&text).expect("JSON"));
        for lane in JOBS {
            workflow.0["lanes"][lane]["command"] =
                json!(["scripted-agent", "--pace-ms", "20", "--wait-ms", "1000"]);
        }
        workflow
    }

    /// The agents of a lane get these flags too; of flags with a value the last one holds.
    pub(crate) fn with(mut self, lane: &str, flags: &[&str]) -> Self {
        let command = self.0["lanes"][lane]["command"].as_array_mut().expect("a command");
        command.extend(flags.iter().map(|flag| json!(flag)));
        self
    }

    /// The agents of all lanes get them.
    pub(crate) fn with_all(self, flags: &[&str]) -> Self {
        JOBS.iter().fold(self, |workflow, lane| workflow.with(lane, flags))
    }

    /// The paths that its jobs have to leave.
    pub(crate) fn artifacts(&self) -> Vec<PathBuf> {
        let jobs = self.0["jobs"].as_array().expect("jobs");
        let paths = jobs.iter().flat_map(|job| job["expected_artifacts"].as_array().expect("a list"));
        paths.map(|artifact| artifact["path"].as_str().expect("a path").into()).collect()
    }

    /// A fresh repository with it, all committed.
    pub(crate) fn put_into(&self, repository: &Path) {
        let script = r#"
            git init --quiet --initial-branch main "$1" && cp -R "$2/." "$1" && cd "$1" &&
            printf %s "$3" >workflow.json &&
            git config user.name test && git config user.email test@localhost && git config commit.gpgsign false &&
            git add --all && git commit --quiet --message 'A workflow'"#;
        let text = self.0.to_string();
        let made =
            Command::new("sh").args(["-euc", script, "sh"]).arg(repository).arg(example()).arg(text).status();
        assert!(made.expect("sh").success(), "no repository");
    }
}

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/rfc-ledger")
}
