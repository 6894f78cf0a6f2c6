//! What an agent does, from its first call to its last.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::fault::Point;
use crate::flags::Flags;
use crate::say;
use crate::striatum::{End, Striatum};
use crate::text::text;
use crate::work::{Artifact, Packet};

/// What a call leaves of its time to the way there and back.
const ON_THE_WAY_MS: u64 = 30_000;

/// An agent.
pub(crate) struct Script {
    flags: Flags,
    striatum: Striatum,
}

impl Script {
    /// One that was told so.
    pub(crate) fn new(flags: Flags) -> Self {
        let striatum = Striatum { repeats: flags.repeats };
        Self { flags, striatum }
    }

    /// Works until it is told to leave.
    ///
    /// # Errors
    /// Why it leaves before.
    pub(crate) fn play(&self) -> Result<(), End> {
        say(&format!("scripted-agent, process {}: no model, no network, a script", std::process::id()));
        if self.flags.leaves_child {
            leave_child()?;
        }
        let wait_ms = self.flags.wait_ms.to_string();
        let deadline_ms = self.flags.wait_ms.saturating_add(ON_THE_WAY_MS).to_string();
        loop {
            let claimed = self.striatum.call(&[
                "await-packet",
                "--wait-ms",
                &wait_ms,
                "--deadline-ms",
                &deadline_ms,
            ])?;
            if claimed["type"] != "work" {
                say(&format!("  no work: {}", claimed["reason"].as_str().unwrap_or("no reason given")));
                if is_to_leave(&claimed) {
                    return Ok(());
                }
                continue;
            }
            match self.work(&claimed) {
                // Somebody took it for dead. What it was about is somebody else's now.
                Err(end) if end.is("lease_not_held") => say("  the work was taken back; asks for other work"),
                done => done?,
            }
        }
    }

    /// Does one job.
    fn work(&self, claimed: &Value) -> Result<(), End> {
        let packet = Packet::of(claimed)?;
        let (lease, attempt) = (packet.lease.lease_id.as_str(), packet.job.attempt);
        say(&format!("  job {}, attempt {attempt}, lease {lease}", packet.job.workflow_job_id));
        let verdict = packet.is_review().then(|| self.flags.verdict_of(attempt));
        self.reach(Point::BeforeAck);
        self.striatum.call(&["ack", lease])?;
        self.reach(Point::AfterAck);
        make_noise(self.flags.noise_mib);
        self.striatum.call(&["heartbeat", lease])?;
        for artifact in &packet.expected_artifacts {
            write(&packet, artifact, verdict)?;
        }
        self.reach(Point::AfterWrite);
        let (handed_in, published) = match verdict {
            Some(_) => {
                packet.expected_artifacts.split_first().map_or((None, &[][..]), |(one, all)| (Some(one), all))
            }
            None => (None, &packet.expected_artifacts[..]),
        };
        for artifact in published {
            self.striatum.call(&["publish-artifact", lease, &artifact.path])?;
            self.pace();
        }
        self.reach(Point::AfterPublish);
        self.reach(Point::BeforeComplete);
        match (verdict, handed_in) {
            (Some(verdict), Some(finding)) => {
                let rationale = format!("scripted: {verdict} at attempt {attempt}");
                self.striatum.call(&[
                    "submit-review",
                    lease,
                    &finding.path,
                    verdict,
                    "--rationale",
                    &rationale,
                ])?;
                say(&format!("  judged: {verdict}"));
            }
            _ => drop(self.striatum.call(&["complete", lease])?),
        }
        say(&format!("  done: {}", packet.job.workflow_job_id));
        if self.flags.tries_old_lease { self.try_old_lease(lease) } else { Ok(()) }
    }

    /// What a lease that has ended is still good for: nothing.
    fn try_old_lease(&self, lease: &str) -> Result<(), End> {
        for call in ["heartbeat", "complete"] {
            match self.striatum.call(&[call, lease]) {
                Ok(_) => return Err(End::OldLease(format!("{call} {lease}"))),
                Err(refused @ End::Refused { .. }) => say(&format!("  rightly: {refused}")),
                Err(end) => return Err(end),
            }
        }
        Ok(())
    }

    /// A point at which it may have been told to fail.
    fn reach(&self, point: Point) {
        self.pace();
        if let Some(fault) = &self.flags.fault {
            fault.at(point);
        }
    }

    fn pace(&self) {
        if !self.flags.pace.is_zero() {
            std::thread::sleep(self.flags.pace);
        }
    }
}

/// Writes an artifact's file.
fn write(packet: &Packet, artifact: &Artifact, verdict: Option<&str>) -> Result<(), End> {
    let file = packet.file(artifact)?;
    let failed = |error: std::io::Error| End::Failed(format!("{} is not written: {error}", file.display()));
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(&file, text(packet, artifact, verdict)).map_err(failed)?;
    say(&format!("  wrote {} ({})", artifact.path, artifact.kind));
    Ok(())
}

/// Fills the terminal with so many MiB.
fn make_noise(mib: usize) {
    const LINE: &str = "noise noise noise noise noise noise noise noise noise noise noise.";
    for _ in 0..mib.saturating_mul((1 << 20) / (LINE.len() + 1)) {
        say(LINE);
    }
}

/// Starts a process in a session of its own, which a signal to this one's group does not reach.
fn leave_child() -> Result<(), End> {
    let child = Command::new("setsid")
        .args(["sleep", "3600"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| End::Failed(format!("`setsid` does not start: {error}")))?;
    say(&format!("  leaves process {} behind", child.id()));
    Ok(())
}

/// Whether who found no work is to leave: told nothing, an agent asks again; told anything, it leaves.
fn is_to_leave(claimed: &Value) -> bool {
    claimed["idle_behavior"].as_str().is_some_and(|behavior| !behavior.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::is_to_leave;

    /// STR-QUEUE-08: what is not understood is to leave, and only what is not there is to ask again.
    #[test]
    fn who_is_told_what_it_does_not_know_leaves() {
        for told in ["exit_session", "rest_a_while"] {
            assert!(is_to_leave(&json!({"idle_behavior": told})), "{told}");
        }
        for told in [json!({}), json!({"idle_behavior": null}), json!({"idle_behavior": ""})] {
            assert!(!is_to_leave(&told), "{told}");
        }
    }
}
