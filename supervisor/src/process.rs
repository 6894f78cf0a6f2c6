//! Processes by more than their number, which the system gives to another one some day.
#![expect(clippy::disallowed_methods, reason = "what a process is, the system says in /proc")]

use std::fmt;
use std::fs;
use std::io;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

/// The identity of a process beyond its number: `<boot id>:<start time in clock ticks since boot>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StartToken(String);

impl StartToken {
    /// The text as it was recorded. One that no system gave out matches no process.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StartToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A process as it is recorded: `{pid, start_token}`; the token is null where the system does not tell it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Process {
    /// The number.
    pub pid: i32,
    /// Which of all the processes that ever had the number.
    pub start_token: Option<StartToken>,
}

impl Process {
    /// The process that has this number now.
    pub fn now(pid: i32) -> Self {
        Self { pid, start_token: start_token(pid) }
    }

    /// Whether it lives.
    pub fn liveness(&self) -> Liveness {
        match &self.start_token {
            Some(token) => is_alive_as(self.pid, token),
            None => Liveness::Unknown,
        }
    }
}

/// What can be said of a recorded process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    /// It runs, and is the one that was recorded.
    Alive,
    /// It ended: nothing has its number, or another process has, or it is a zombie.
    Gone,
    /// The system does not tell: never to be taken for [`Liveness::Gone`].
    Unknown,
}

/// The start token of the process that has this number now; none where there is none, or where the system has no /proc.
pub fn start_token(pid: i32) -> Option<StartToken> {
    token_of(&stat(pid).ok()?)
}

/// Whether the process with this number is the one of this token.
pub fn is_alive_as(pid: i32, token: &StartToken) -> Liveness {
    match stat(pid) {
        Ok(stat) if stat.has_ended() => Liveness::Gone,
        Ok(stat) => match token_of(&stat) {
            Some(now) if now == *token => Liveness::Alive,
            Some(_) => Liveness::Gone,
            None => Liveness::Unknown,
        },
        // Where /proc is missing, or hides the processes of others, only the number itself can be asked after.
        Err(_) => match Pid::from_raw(pid).map(test_kill_process) {
            None | Some(Err(Errno::SRCH)) => Liveness::Gone,
            Some(_) => Liveness::Unknown,
        },
    }
}

/// A line of /proc/PID/stat, as far as it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// The process.
    pub pid: i32,
    /// Who started it, or took it over.
    pub parent: i32,
    /// The leader of its session, by a number that is nobody else's while the session has a member.
    pub session: i32,
    /// `R`, `S`, `Z` for a zombie, ...
    pub state: char,
    /// How many threads it has; a zombie has itself.
    pub threads: u32,
    /// Its start, in clock ticks since boot (field 22).
    pub started: u64,
}

impl Stat {
    /// Whether nothing of it runs. One whose first thread ended is shown as a zombie while others hold its files still.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X') && self.threads <= 1
    }
}

/// What /proc says of a process.
pub fn stat(pid: i32) -> io::Result<Stat> {
    let octets = fs::read(format!("/proc/{pid}/stat"))?;
    read_stat(pid, &String::from_utf8_lossy(&octets)).ok_or(io::ErrorKind::InvalidData.into())
}

/// What /proc says of every process; those that end meanwhile are left out.
pub fn all() -> io::Result<Vec<Stat>> {
    let numbers = fs::read_dir("/proc")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(|pid| stat(pid).ok());
    Ok(numbers.collect())
}

/// The environment that a process was started with, entries `NAME=value` that end in NUL; nothing of one of another
/// user, of which the system does not tell.
pub(crate) fn environment(pid: i32) -> Vec<u8> {
    fs::read(format!("/proc/{pid}/environ")).unwrap_or_default()
}

fn read_stat(pid: i32, line: &str) -> Option<Stat> {
    // The name of the program may hold anything, also a bracket: what counts stands after the last one.
    let (_, rest) = line.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    Some(Stat {
        pid,
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        threads: fields.get(17)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

fn token_of(stat: &Stat) -> Option<StartToken> {
    Some(StartToken(format!("{}:{}", boot_id()?, stat.started)))
}

/// When the process of a token started, in clock ticks since boot; none where that was in another boot.
pub(crate) fn started(token: &StartToken) -> Option<u64> {
    let (boot, started) = token.as_str().rsplit_once(':')?;
    if boot == boot_id()? { started.parse().ok() } else { None }
}

fn boot_id() -> Option<String> {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_be_called_as_if_its_line_ended() {
        let line = "7 (a) R 1 (b) c) S 3 7 8 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 6 0 4711 1 2 3";
        let stat = Stat { pid: 7, parent: 3, session: 8, state: 'S', threads: 6, started: 4711 };
        assert_eq!(read_stat(7, line), Some(stat));
        assert_eq!(read_stat(7, "7 (cut off) S 3"), None);
    }

    #[test]
    fn a_zombie_has_ended_when_its_last_thread_has() {
        let ended = |state, threads| {
            Stat { pid: 7, parent: 3, session: 7, state, threads, started: 4711 }.has_ended()
        };
        assert_eq!([ended('Z', 1), ended('Z', 2), ended('S', 1)], [true, false, false]);
    }

    #[test]
    fn this_process_lives_as_itself_and_as_no_other() {
        let pid = std::process::id().cast_signed();
        let token = start_token(pid).expect("/proc");
        assert_eq!(is_alive_as(pid, &token), Liveness::Alive);
        assert_eq!(is_alive_as(pid, &StartToken::new(format!("{token}0"))), Liveness::Gone);
        assert_eq!(is_alive_as(pid, &StartToken::new("another boot:1")), Liveness::Gone);
        assert_eq!(is_alive_as(i32::MAX, &token), Liveness::Gone);
        assert_eq!(Process { pid, start_token: None }.liveness(), Liveness::Unknown);
    }
}
