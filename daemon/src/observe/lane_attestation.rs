//! `lane_attestation`: whether the process of an agent is still the one that was started.
//!
//! A process number is used again; with the boot and the instant of its start it names one process.
#![expect(clippy::disallowed_methods, reason = "an observer looks at the host")]

use std::fs;
use std::io;

use rustix::io::Errno;
use rustix::process::Pid;
use rustix::process::test_kill_process;
use serde_json::{Value, json};

use super::Observer;

pub(super) const OBSERVER: Observer = Observer { name: "lane_attestation", look };

/// What there is under a process number.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// A process that lives, and its start token: `<boot id>:<start, in ticks since the boot>`.
    Process(String),
    /// None, or one that has ended and was not waited for yet.
    Nothing,
    /// It could not be looked at.
    Unknown,
}

/// `{supervisor_id, agent_pid, agent_start_token}`: the same, and `state`: `alive`, `gone`, `differs` or `unknown`.
fn look(what: &Value) -> Value {
    let pid = what["agent_pid"].as_i64().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
    let state = match (pid.map(found), what["agent_start_token"].as_str()) {
        (Some(Found::Process(token)), Some(meant)) if token == meant => "alive",
        (Some(Found::Process(_)), Some(_)) => "differs",
        (Some(Found::Nothing), _) => "gone",
        _ => "unknown",
    };
    json!({
        "supervisor_id": what["supervisor_id"],
        "agent_pid": what["agent_pid"],
        "agent_start_token": what["agent_start_token"],
        "state": state,
    })
}

fn found(pid: Pid) -> Found {
    let read = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let stat = match read {
        Ok(stat) => stat,
        Err(error) if error.kind() == io::ErrorKind::NotFound || is_gone(&error) => {
            // Where /proc shows everybody their own processes alone, not to be seen is not to be gone.
            return match test_kill_process(pid) {
                Err(Errno::SRCH) => Found::Nothing,
                _ => Found::Unknown,
            };
        }
        Err(_) => return Found::Unknown,
    };
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    match (state_and_start(&stat), boot) {
        (Some(("Z" | "X", _)), _) => Found::Nothing,
        (Some((_, start)), Ok(boot)) => Found::Process(format!("{}:{start}", boot.trim())),
        _ => Found::Unknown,
    }
}

fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::SRCH.raw_os_error())
}

/// The third and the twenty-second field. The second is a name, which may hold blanks and brackets.
fn state_and_start(stat: &str) -> Option<(&str, u64)> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    Some((state, fields.nth(18)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use rustix::process::getpid;
    use serde_json::{Value, json};

    use super::{Found, found, look, state_and_start};

    fn own_token() -> String {
        match found(getpid()) {
            Found::Process(token) => token,
            other => panic!("{other:?}"),
        }
    }

    fn seen(pid: impl Into<Value>, token: &str) -> String {
        let what = json!({"supervisor_id": "sup_1", "agent_pid": pid.into(), "agent_start_token": token});
        let mut seen = look(&what);
        let state = seen["state"].take();
        assert_eq!(seen["agent_pid"], what["agent_pid"]);
        assert_eq!(seen["agent_start_token"], what["agent_start_token"]);
        assert_eq!(seen["supervisor_id"], what["supervisor_id"]);
        state.as_str().expect("a state").to_owned()
    }

    /// STR-BYLINE-02, STR-BYLINE-03: by process and start token, and unknown is a value.
    #[test]
    fn a_process_is_known_by_its_start() {
        let own = getpid().as_raw_nonzero().get();
        assert_eq!(seen(own, &own_token()), "alive");
        assert_eq!(seen(own, "another-boot:1"), "differs");
        assert_eq!(seen(i32::MAX, &own_token()), "gone");
        assert_eq!(seen(Value::Null, &own_token()), "unknown");
        assert_eq!(seen(0, &own_token()), "unknown");
        assert_eq!(look(&json!({}))["state"], "unknown");
    }

    #[test]
    fn a_name_may_look_like_fields() {
        let after = " R 1 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4711 10 20";
        assert_eq!(state_and_start(&format!("7 (a) b (c){after}")), Some(("R", 4711)));
        assert_eq!(state_and_start("7 (a) R 1 2"), None);
        assert_eq!(state_and_start("nothing"), None);
    }
}
