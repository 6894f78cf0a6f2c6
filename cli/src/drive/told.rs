//! What happened in a run, a line each: when, what, from what to what, by whom.

use std::collections::HashMap;

use serde_json::Value;

use crate::output::harmless;
use crate::text::Paint;

/// Of each session its lane and its agent's process, by the session's slug.
pub(super) struct People(HashMap<String, (String, Option<u64>)>);

impl People {
    /// As `status` and `supervise.status` tell.
    pub(super) fn of(status: &Value, supervisors: &Value) -> Self {
        let pid = |session_id: &Value| {
            let rows = supervisors["supervisors"].as_array()?;
            rows.iter().find(|row| row["session_id"] == *session_id)?["agent_pid"].as_u64()
        };
        let sessions = status["sessions"].as_array().into_iter().flatten();
        Self(
            sessions
                .filter_map(|session| {
                    let text = |key: &str| session[key].as_str().map(str::to_owned);
                    Some((text("session")?, (text("lane_id")?, pid(&session["session_id"]))))
                })
                .collect(),
        )
    }

    /// The process of whoever did it.
    pub(super) fn pid(&self, event: &Value) -> Option<u64> {
        self.0.get(event["session"].as_str()?)?.1
    }

    fn lane(&self, event: &Value) -> Option<&str> {
        self.0.get(event["session"].as_str()?).map(|(lane, _)| lane.as_str())
    }
}

/// One transition.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Told {
    at: String,
    what: String,
    from: String,
    to: String,
    by: String,
    why: String,
}

/// Characters of a reason that are told: the rest is in `run events`.
const MOST_OF_A_REASON: usize = 100;

/// Why a job goes back or stops, as the event says it; nothing of one that goes on.
fn why(event: &Value, from: &str, to: &str) -> String {
    let goes_back = matches!(to, "pending" | "queued") && !matches!((from, to), ("pending", "queued"));
    if !goes_back && !matches!(to, "blocked" | "stale_lease" | "waiting_human" | "failed" | "canceled") {
        return String::new();
    }
    let said = event["cause"].as_str().or_else(|| event["reason"].as_str()).unwrap_or_default();
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST_OF_A_REASON) {
        Some((cut, _)) => format!("{} ...", &words[..cut]),
        None => words,
    }
}

impl Told {
    /// Those of an event that a person wants to see: of jobs, the run, blockers, verdicts.
    pub(super) fn of(event: &Value, people: &People) -> Vec<Self> {
        let at = event["at"].as_str().and_then(|at| at.get(11..19)).unwrap_or_default().to_owned();
        let pid = people.pid(event).map(|pid| format!("pid {pid}"));
        let by: Vec<String> = people.lane(event).map(str::to_owned).into_iter().chain(pid).collect();
        let by = by.join("  ");
        // What is done under a lease is done by the session that has the job; anything else a session brings about.
        let is_held = !event["lease_id"].is_null();
        let changes = event["changes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        changes
            .filter_map(|change| {
                let words: Vec<&str> = change.split(' ').collect();
                // Whoever did it stands beside what is theirs, and not beside what followed from it.
                let (what, from, to, is_theirs) = match words.as_slice() {
                    ["job", name, from, "->", to] => (*name, *from, *to, is_held && event["job"] == **name),
                    ["run", _, from, "->", to] => ("run", *from, *to, false),
                    ["blocker", _, to] => ("blocker", "", *to, true),
                    ["blocker", _, from, "->", to] => ("blocker", *from, *to, true),
                    _ => return None,
                };
                let why = if words[0] == "job" { why(event, from, to) } else { String::new() };
                Some(Self {
                    why,
                    at: at.clone(),
                    what: what.to_owned(),
                    from: from.to_owned(),
                    to: to.to_owned(),
                    by: if is_theirs { by.clone() } else { String::new() },
                })
            })
            .collect()
    }

    /// As it is shown.
    pub(super) fn line(&self, paint: Paint) -> String {
        let clean = |text: &str| harmless(text, "");
        let (what, from) = (clean(&self.what), clean(&self.from));
        let said: Vec<&str> =
            [&self.by, &self.why].into_iter().map(String::as_str).filter(|said| !said.is_empty()).collect();
        let said = clean(&said.join("  "));
        let arrow = if self.from.is_empty() { "" } else { "->" };
        let to = match self.to.as_str() {
            "blocked" | "failed" | "stale_lease" | "waiting_human" | "needs_operator" | "open" => {
                paint.fault(&self.to)
            }
            to => clean(to),
        };
        let space = " ".repeat(12_usize.saturating_sub(self.to.chars().count()));
        let line = format!("{}  {:<16} {:>13} {arrow:<2} {to}{space} {}", self.at, what, from, said);
        format!("{}\n", line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Paint, People, Told};

    #[test]
    fn a_line_says_when_what_from_what_to_what_and_by_whom() {
        let status = json!({"sessions": [{"session": "author-a-1", "session_id": "s", "lane_id": "a"}]});
        let people = People::of(&status, &json!({"supervisors": [{"session_id": "s", "agent_pid": 7}]}));
        let event = json!({"at": "2026-11-30T10:11:12.000000Z", "session": "author-a-1", "job": "draft",
            "lease_id": "lease_1", "changes": ["job draft queued -> claimed", "lease lease_1 active",
            "message msg_1 pending -> claimed"]});
        let told = Told::of(&event, &people);
        assert_eq!(told.len(), 1, "{told:?}");
        let line = told[0].line(Paint(false));
        assert_eq!(line, "10:11:12  draft                   queued -> claimed      a  pid 7\n");
    }

    /// What a session's job sets going is not done by the session.
    #[test]
    fn whoever_did_it_stands_beside_their_own_job_alone() {
        let status = json!({"sessions": [{"session": "author-a-1", "session_id": "s", "lane_id": "a"}]});
        let people = People::of(&status, &json!({"supervisors": [{"session_id": "s", "agent_pid": 7}]}));
        let by = |job: &str, lease_id: Option<&str>| -> Vec<String> {
            let event = json!({"at": "2026-11-30T10:11:12.000000Z", "session": "author-a-1", "job": job,
                "lease_id": lease_id, "changes": ["job draft running -> completed",
                "job review pending -> queued", "run run_1 running -> completed"]});
            Told::of(&event, &people).into_iter().map(|told| told.by).collect()
        };
        assert_eq!(by("draft", Some("lease_1")), ["a  pid 7", "", ""]);
        assert_eq!(by("review", None), ["", "", ""], "queued by whoever completed the one before");
    }

    /// Who watches need not ask why work is done again.
    #[test]
    fn what_goes_back_says_why() {
        let people = People::of(&json!({}), &json!({}));
        let line = |event: serde_json::Value| {
            Told::of(&event, &people).iter().map(|told| told.line(Paint(false))).collect::<Vec<_>>().concat()
        };
        let event = |changes: &[&str], cause: Option<&str>, reason: &str| {
            json!({"at": "2026-11-30T10:11:12.000000Z", "session": "", "changes": changes, "reason": reason,
                "cause": cause})
        };
        assert_eq!(
            line(event(&["job draft running -> pending"], Some("agent ended (signal 9)"), "owner_gone")),
            "10:11:12  draft                  running -> pending      agent ended (signal 9)\n"
        );
        let reopened = ["job draft completed -> pending", "job review-b running -> pending"];
        let shown = line(event(&reopened, Some("needs_revision by review-a"), "needs_revision"));
        assert_eq!(shown.matches("needs_revision by review-a\n").count(), 2, "{shown}");
        let told = line(event(&["job draft claimed -> queued"], None, "wrong\u{1b}[31m\nmachine"));
        assert!(told.ends_with("machine\n") && !told.contains('\u{1b}'), "{told:?}");
        assert_eq!(told.lines().count(), 1);
        let long = line(event(&["job draft running -> queued"], None, &"x".repeat(5000)));
        assert!(long.len() < 200, "{long}");
        for change in ["job draft pending -> queued", "job draft running -> completed"] {
            assert!(!line(event(&[change], None, "because")).contains("because"), "{change}");
        }
    }

    #[test]
    fn what_nobody_did_has_no_process() {
        let people = People::of(&json!({}), &json!({}));
        let event = json!({"at": "2026-11-30T10:11:12.000000Z", "session": "", "changes":
            ["run run_1 running -> completed"]});
        let line = Told::of(&event, &people)[0].line(Paint(false));
        assert_eq!(line, "10:11:12  run                    running -> completed\n");
    }
}
