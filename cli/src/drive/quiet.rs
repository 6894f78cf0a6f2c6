//! Nothing has happened for a while: whom the run waits for, as the rows say.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::daemon::place::Place;
use crate::output::{complain, harmless};

/// How long nothing may happen until it is said; each next time twice as long.
const QUIET: Duration = Duration::from_secs(30);

/// Since the last event.
pub(super) struct Quiet {
    since: Instant,
    next: Duration,
}

impl Quiet {
    /// From now on.
    pub(super) fn begin() -> Self {
        Self { since: Instant::now(), next: QUIET }
    }

    /// Says it, where it is time to. Nobody is judged: a long job is as quiet as an agent that hangs.
    pub(super) fn tell(&mut self, place: &Place, status: &Value) {
        if self.since.elapsed() < self.next {
            return;
        }
        let mut text = format!("note: nothing has happened for {} s\n", self.next.as_secs());
        self.next *= 2;
        for session in status["sessions"].as_array().into_iter().flatten() {
            if let Some(waits) = waits(session) {
                let command =
                    place.command(&format!("why {}", session["session_id"].as_str().unwrap_or_default()));
                text.push_str(&format!("      {}: {command}\n", harmless(&waits, "")));
            }
        }
        complain(&text);
    }
}

/// What an active session with an agent is about.
fn waits(session: &Value) -> Option<String> {
    let text = |key: &str| session[key].as_str();
    let name = text("session")?;
    if text("state") != Some("active") {
        return None;
    }
    match (text("holds"), text("idle_at")) {
        (Some(job), _) => Some(format!("{name} holds {job}")),
        (None, Some(since)) => {
            Some(format!("{name} has claimed nothing since {}", since.get(11..19).unwrap_or(since)))
        }
        (None, None) => Some(format!("{name}, agent {}", text("supervisor_state").unwrap_or("none"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::waits;

    #[test]
    fn whoever_is_active_is_said_to_hold_work_or_to_have_claimed_none() {
        let holds =
            json!({"session": "a-a-1", "state": "active", "holds": "draft", "supervisor_state": "attached"});
        assert_eq!(waits(&holds).as_deref(), Some("a-a-1 holds draft"));
        let idle = json!({"session": "a-a-2", "state": "active", "holds": null,
            "idle_at": "2026-11-30T10:11:12.000000Z"});
        assert_eq!(waits(&idle).as_deref(), Some("a-a-2 has claimed nothing since 10:11:12"));
        assert_eq!(waits(&json!({"session": "a-a-3", "state": "lost"})), None);
    }
}
