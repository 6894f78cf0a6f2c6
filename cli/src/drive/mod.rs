//! Driving a run: an agent for each piece of work that waits, and a line for each thing that happens, until the run has
//! ended or waits for a person.
//!
//! Nothing is remembered that the daemon does not tell: a driver that is started again goes on.

mod quiet;
mod staff;
mod told;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;
use striatum_contract::terminal::harmless_json;

use crate::daemon;
use crate::daemon::place::Place;
use crate::output::{Answer, complain, say};
use crate::text::Paint;

use quiet::Quiet;
use staff::{Gone, Staff};
use told::{People, Told};

/// The states after which nothing follows.
const ENDED: [&str; 4] = ["completed", "failed", "canceled", "compromised"];
/// How long a look at the events waits for one.
const WAIT_MS: u64 = 10_000;
/// How long a daemon that does not answer is waited for.
const PATIENCE: Duration = Duration::from_secs(120);
/// And one that has not answered once.
const START: Duration = Duration::from_secs(10);
/// How long nothing may move until that is said: with something that waits for a person, and without, where the daemon
/// may be about to find out about an agent that is gone.
const STILL: Duration = Duration::from_secs(2);
const STILL_UNTOLD: Duration = Duration::from_secs(30);
/// The most lines of what happened before that are told.
const EARLIER: usize = 10;
/// Between two tries.
const PAUSE: Duration = Duration::from_secs(1);

/// Which run, and how to tell of it.
pub(crate) struct Drive<'p> {
    /// Where the daemon is.
    pub(crate) place: &'p Place,
    /// The run's repository.
    pub(crate) repository_id: String,
    /// The run.
    pub(crate) run_id: String,
    /// A line of JSON an event, for a program.
    pub(crate) json: bool,
}

impl Drive<'_> {
    /// Drives it to its end.
    ///
    /// # Errors
    /// `run_blocked` where nothing moves until somebody decides, `run_not_completed` where it ended otherwise than
    /// completed, and what the daemon refuses.
    pub(crate) fn run(&self) -> Result<Answer, Refusal> {
        let mut after = "0".to_owned();
        let mut staff = Staff::default();
        let mut earlier = Some(Vec::new());
        let mut quiet = Quiet::begin();
        let mut wait_ms = 0;
        let mut still: Option<Instant> = None;
        let mut is_ending = false;
        loop {
            let page =
                self.ask("run.events", json!({"after_event_id": after, "limit": 200, "wait_ms": wait_ms}))?;
            let events = page["events"].as_array().cloned().unwrap_or_default();
            let status = self.ask("status", json!({}))?;
            if !events.is_empty() {
                let supervisors = self.ask("supervise.status", json!({}))?;
                let people = People::of(&status, &supervisors);
                for event in &events {
                    self.tell(event, &people, earlier.as_mut());
                    event["event_id"].as_str().unwrap_or_default().clone_into(&mut after);
                }
                quiet = Quiet::begin();
            }
            if page["next_after_event_id"].is_null()
                && let Some(lines) = earlier.take()
            {
                self.tell_earlier(&lines);
            }
            let run = &status["runs"][0];
            let has_ended = ENDED.iter().any(|state| run["state"] == *state);
            if has_ended && !is_ending {
                // What was read before may lack the last of it.
                (is_ending, wait_ms) = (true, 0);
            } else if page["next_after_event_id"].is_null() {
                match run["state"].as_str().unwrap_or_default() {
                    "completed" => return Ok(self.completed(run)),
                    "failed" | "canceled" | "compromised" => return Err(self.not_completed(run)),
                    "needs_branch_confirmation" | "ready" => return Err(self.not_running(&status)),
                    _ => {}
                }
                let is_moving = staff.see_to(self, &status)?;
                if is_moving || !events.is_empty() {
                    still = None;
                    // A program that reads JSON is told events, and how it ended.
                    if !self.json {
                        quiet.tell(self.place, &status);
                    }
                } else {
                    let is_told = status["open_blockers"].as_array().is_some_and(|told| !told.is_empty());
                    let since = still.get_or_insert_with(Instant::now).elapsed();
                    if since >= if is_told { STILL } else { STILL_UNTOLD } {
                        return Err(self.blocked(&status, &staff)?);
                    }
                }
                wait_ms = if is_moving { WAIT_MS } else { 1000 };
            } else {
                wait_ms = 0;
            }
        }
    }

    /// Asks the daemon about the run, and waits for one that is being started again.
    fn ask(&self, method: &str, mut params: Value) -> Result<Value, Refusal> {
        params["repository_id"] = Value::from(self.repository_id.as_str());
        if params.get("session_id").is_none() {
            params["run_id"] = Value::from(self.run_id.as_str());
        }
        let request_id = daemon::request_id();
        patiently(!self.json, passes, || daemon::question(self.place, method, &params, &request_id))
    }

    /// Tells an event; what happened before the driver came is kept for a look back.
    fn tell(&self, event: &Value, people: &People, earlier: Option<&mut Vec<String>>) {
        if self.json {
            let mut event = event.clone();
            event["pid"] = json!(people.pid(&event));
            say(&format!("{}\n", harmless_json(&event.to_string())));
            return;
        }
        let lines = Told::of(event, people).into_iter().map(|told| told.line(Paint::of_output()));
        match earlier {
            Some(earlier) => earlier.extend(lines),
            None => lines.for_each(|line| say(&line)),
        }
    }

    fn tell_earlier(&self, lines: &[String]) {
        let told = lines.len().min(EARLIER);
        let (before, last) = lines.split_at(lines.len() - told);
        if !before.is_empty() {
            let command = self.place.command(&format!("run events {}", self.run_id));
            say(&format!("... {} earlier lines: {command}\n", before.len()));
        }
        last.iter().for_each(|line| say(line));
    }

    fn completed(&self, run: &Value) -> Answer {
        let next = self.place.command(&format!("run summary {}", self.run_id));
        Answer {
            text: format!("{} completed\nnext:  {next}\n", self.run_id),
            data: json!({"run": run, "next": [next]}),
        }
    }

    fn not_completed(&self, run: &Value) -> Refusal {
        let (state, reason) = (run["state"].as_str().unwrap_or_default(), run["stop_reason"].as_str());
        let because = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        let message = format!("{} ended {state}{because}", self.run_id);
        let next = [self.place.command(&format!("run summary {}", self.run_id))];
        Refusal::new("run_not_completed", message, next).with_details(json!({"run": run}))
    }

    fn not_running(&self, status: &Value) -> Refusal {
        let run = &status["runs"][0];
        let state = run["state"].as_str().unwrap_or_default();
        let next = status["next"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let next: Vec<String> = next.map(str::to_owned).collect();
        Refusal::new("run_blocked", format!("{} is {state}", self.run_id), next)
            .with_details(json!({"run": run}))
    }

    fn blocked(&self, status: &Value, staff: &Staff) -> Result<Refusal, Refusal> {
        let blockers = status["open_blockers"].as_array().cloned().unwrap_or_default();
        let gone = staff.gone(&self.ask("supervise.status", json!({}))?);
        let mut told: Vec<String> = blockers
            .iter()
            .map(|blocker| {
                let text = |key: &str| blocker[key].as_str().unwrap_or_default();
                // What holds the whole run up has no job.
                let job = blocker["job"].as_str().map_or_else(String::new, |job| format!("{job}: "));
                format!("{job}{} ({})", text("description"), text("kind"))
            })
            .collect();
        told.extend(gone.iter().map(Gone::told));
        let message = if told.is_empty() {
            format!("nothing in {} moves, and nothing says why", self.run_id)
        } else {
            format!("{} waits for somebody: {}", self.run_id, told.join("; "))
        };
        // What settles it stands first; where nothing does, what there is to do at all.
        let lists = blockers.iter().map(|blocker| &blocker["resolve_actions"]).chain([&status["next"]]);
        let mut next: Vec<String> = gone.iter().map(Gone::look).collect();
        next.extend(
            lists
                .flat_map(|list| list.as_array().into_iter().flatten())
                .filter_map(Value::as_str)
                .map(str::to_owned),
        );
        if next.is_empty() {
            next.push(self.place.command(&format!("why {}", self.run_id)));
        }
        let details = json!({"open_blockers": blockers});
        Ok(Refusal::new("run_blocked", message, next).with_details(details))
    }
}

/// The repository of the working directory. A daemon that waits for its database is waited for, as it is later on; one
/// that is not there for as long as a start takes has yet to be started.
///
/// # Errors
/// Why there is none, or no daemon that says it.
pub(crate) fn repository_here(place: &Place, tells: bool) -> Result<String, Refusal> {
    let until = Instant::now() + START;
    let comes_back = |refusal: &Refusal| {
        passes(refusal)
            && (refusal.code != "daemon_unreachable" || Instant::now() < until)
            && refusal.details.get("reason").is_none_or(|reason| reason == "database_unreachable")
    };
    patiently(tells, comes_back, || daemon::repository_here(place))
}

/// Asks until there is an answer other than one that passes; says that it waits to whoever is told.
fn patiently<T>(
    tells: bool,
    passes: impl Fn(&Refusal) -> bool,
    ask: impl Fn() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let until = Instant::now() + PATIENCE;
    let mut is_told = false;
    loop {
        match ask() {
            Err(refusal) if passes(&refusal) && Instant::now() < until => {
                if !std::mem::replace(&mut is_told, true) && tells {
                    complain(&format!("note: the daemon does not answer ({}); waits for it\n", refusal.code));
                }
                pause(PAUSE);
            }
            answer => {
                if is_told && tells && answer.is_ok() {
                    complain("note: the daemon answers again\n");
                }
                return answer;
            }
        }
    }
}

/// Whether the same question may be answered after a while.
fn passes(refusal: &Refusal) -> bool {
    ["busy", "daemon_draining", "daemon_parked", "daemon_unreachable"]
        .iter()
        .any(|code| *code == refusal.code)
}

#[expect(clippy::disallowed_methods, reason = "nothing tells when a daemon is there again")]
fn pause(pause: Duration) {
    std::thread::sleep(pause);
}
