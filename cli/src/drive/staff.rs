//! An agent for each piece of work that waits.

use std::collections::HashMap;

use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;

use super::Drive;
use crate::output::complain;

/// How often a piece of work is given another agent whose first one ended before it claimed it.
const MOST_AGENTS: u32 = 3;

/// How a reviewer is refused beside an author.
const NOT_FRESH: &str = "session_not_fresh";
/// A session that is not to be closed yet.
const HOLDS_WORK: &str = "session_holds_lease";

/// A piece of work in the queue: its job, and when it was queued.
type Work = (String, String);

/// Whom this driver has started for what.
#[derive(Default)]
pub(super) struct Staff {
    started: HashMap<Work, Vec<String>>,
}

impl Staff {
    /// Starts an agent for whatever waits and has none coming. Whether anything moves: work is held, an agent is about
    /// to claim, or one was started.
    pub(super) fn see_to(&mut self, drive: &Drive<'_>, status: &Value) -> Result<bool, Refusal> {
        let sessions: Vec<&Value> = status["sessions"].as_array().into_iter().flatten().collect();
        let mut idle: Vec<&Value> = sessions
            .iter()
            .copied()
            .filter(|session| {
                let is_manned = matches!(session["supervisor_state"].as_str(), Some("attached" | "starting"));
                session["state"] == "active" && session["holds"].is_null() && is_manned
            })
            .collect();
        let mut is_moving = sessions
            .iter()
            .any(|session| session["state"] == "active" && !session["holds"].is_null() && is_live(session));
        let mut waits_for_a_fresh_one = false;
        let jobs = status["claimable_jobs"].as_array().into_iter().flatten();
        // What is held back for other work is waited for, and nobody is started for it.
        for job in jobs.filter(|job| job["held_back"].is_null()) {
            let text = |key: &str| job[key].as_str().unwrap_or_default().to_owned();
            let work = (text("job_id"), text("queued_at"));
            let ours = self.started.entry(work).or_default();
            let fits = |session: &Value| {
                session["role_id"] == job["role_id"]
                    && (job["lane_id"].is_null() || session["lane_id"] == job["lane_id"])
                    && (job["is_fresh"] != true
                        || ours.iter().any(|id| session["session_id"].as_str() == Some(id)))
            };
            if let Some(at) = idle.iter().position(|session| fits(session)) {
                idle.remove(at);
                is_moving = true;
                continue;
            }
            let Some(lane_id) = job["lane_id"].as_str() else {
                complain(&format!("note: {} names no lane, and needs a session by hand\n", text("job")));
                continue;
            };
            if ours.len() >= MOST_AGENTS as usize {
                continue;
            }
            match start(drive, &text("role_id"), lane_id) {
                Ok(session_id) => {
                    ours.push(session_id);
                    is_moving = true;
                }
                Err(refusal) if refusal.code == NOT_FRESH => waits_for_a_fresh_one = true,
                Err(refusal) => return Err(refusal),
            }
        }
        // Whoever has nothing to do stands in the way of a reviewer that has to be fresh.
        if waits_for_a_fresh_one {
            for session in idle.into_iter().chain(sessions.iter().copied().filter(|session| is_left(session)))
            {
                let reason = "it has nothing to do, and a reviewer has to be fresh";
                let close = json!({"session_id": session["session_id"], "reason": reason});
                match drive.ask("session.close", close) {
                    // It has found something to do since it was looked at.
                    Err(refusal) if refusal.code == HOLDS_WORK => {}
                    closed => drop(closed?),
                }
                is_moving = true;
            }
        }
        Ok(is_moving)
    }

    /// The last agent of each piece of work that no more are started for, as `supervise.status` tells of it.
    pub(super) fn gone(&self, supervisors: &Value) -> Vec<Gone> {
        let rows: Vec<&Value> = supervisors["supervisors"].as_array().into_iter().flatten().collect();
        let spent = self.started.values().filter(|ours| ours.len() >= MOST_AGENTS as usize);
        let last = spent.filter_map(|ours| ours.last());
        last.filter_map(|id| {
            rows.iter().find(|row| row["session_id"] == id.as_str() && !row["ended_at"].is_null())
        })
        .map(|row| Gone::of(row))
        .collect()
    }
}

/// An agent that ended before it claimed the work that it was started for, after others did so, too.
pub(super) struct Gone {
    session_id: String,
    supervisor_id: String,
    how: String,
}

impl Gone {
    fn of(row: &Value) -> Self {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let how = match (row["exit_code"].as_i64(), row["exit_signal"].as_i64()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => text("end_reason"),
        };
        Self { session_id: text("session_id"), supervisor_id: text("supervisor_id"), how }
    }

    /// For a person.
    pub(super) fn told(&self) -> String {
        let Self { session_id, how, .. } = self;
        format!("{MOST_AGENTS} agents ended before they claimed, the last one, of {session_id}, with {how}")
    }

    /// The command that shows what it said.
    pub(super) fn look(&self) -> String {
        format!("tail .striatum/scratch/{}/pty.log", self.supervisor_id)
    }
}

/// Whether its agent could not be started, or has gone, and it is there all the same.
fn is_left(session: &Value) -> bool {
    let is_unmanned = matches!(session["supervisor_state"].as_str(), Some("lost" | "stopped"));
    session["state"] == "active" && session["holds"].is_null() && is_unmanned
}

fn is_live(session: &Value) -> bool {
    matches!(session["supervisor_state"].as_str(), Some("attached" | "starting" | "detached"))
}

/// A session with its agent; the answer is its id.
fn start(drive: &Drive<'_>, role_id: &str, lane_id: &str) -> Result<String, Refusal> {
    let session = drive.ask("session.register", json!({"role_id": role_id, "lane_id": lane_id}))?;
    let session_id = session["session_id"].as_str().unwrap_or_default().to_owned();
    match drive.ask("supervise.start", json!({"session_id": session_id})) {
        Ok(_) => Ok(session_id),
        Err(refusal) if refusal.code != "effect_failed" => Err(refusal),
        Err(refusal) => {
            // Without an agent it would stand in the way of the next one.
            let reason = format!("its agent could not be started: {}", refusal.code);
            drop(drive.ask("session.close", json!({"session_id": session_id, "reason": reason})));
            // The run goes by its own copy of the workflow: a lane is mended in the file, for another run.
            let message = format!("lane {lane_id}: {}", refusal.message);
            let cancel = drive.place.command(&format!("run cancel {} --reason TEXT", drive.run_id));
            let next = [cancel, drive.place.command("run prepare WORKFLOW")];
            Err(Refusal::new("effect_failed", message, next).with_details(refusal.details))
        }
    }
}
