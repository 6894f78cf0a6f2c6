//! The database of an installation: `striatumd db` brings it to what this version needs.

use std::fs::File;

use serde_json::Value;
use striatum_contract::refusal::Refusal;

use super::cluster::Cluster;
use super::program::{Run, last_words, refusal_in};
use super::{Instance, Progress, files, settings, text, unsafe_data};

impl Instance {
    /// Applies, where a look says that something is missing. Also writes the daemon's configuration, where there is
    /// none.
    pub(crate) fn apply(
        &self,
        cluster: &Cluster<'_>,
        lock: &File,
        progress: &Progress,
    ) -> Result<(), Refusal> {
        let file = self.configuration();
        let not_written = |error| unsafe_data(format!("{}: {error}", text(&file)));
        if !files::exists(&file) {
            files::write(&file, &settings::daemon(&cluster.sockets), None).map_err(not_written)?;
        }
        let looked = self.striatumd_db("status", cluster, lock)?;
        if looked["data"]["holds"] == true {
            return Ok(());
        }
        if looked["data"]["is_serving"] == true {
            let said = "the database is not as this version needs it, and a daemon serves from it";
            return Err(Refusal::new(
                "daemon_serving",
                said,
                [self.line("local down"), self.line("local up")],
            ));
        }
        progress.say("applying roles, tables and functions");
        self.striatumd_db("apply", cluster, lock).map(drop)
    }

    /// What it answers, in JSON. The URL is this cluster's, whatever the file and the variables say.
    fn striatumd_db(&self, what: &str, cluster: &Cluster<'_>, lock: &File) -> Result<Value, Refusal> {
        let (file, url) = (text(&self.configuration()), settings::url(&cluster.sockets));
        let run = Run::striatumd()?
            .args(["db", what, "--json", "--config", &file, "--postgres-url", &url])
            .with(lock);
        let failed = |said: String| {
            Refusal::new(
                "internal_error",
                format!("striatumd db {what}: {said}"),
                [format!("striatum db {what}")],
            )
        };
        let output = run.output().map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(refusal_in(&said).unwrap_or_else(|| failed(last_words(&output))));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))
    }
}
