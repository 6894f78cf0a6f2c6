//! Processes that descend from one, and how all of them are ended.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::time::{Instant, sleep};

use crate::process::{Stat, stat};

/// How often one looks who is still there: what descends from a descendant ends without a word to anybody.
const LOOK: Duration = Duration::from_millis(20);
/// How long SIGKILL is repeated: a process that forks while it is looked at is found by the next look.
const KILLING: Duration = Duration::from_secs(10);

/// What ending a tree took.
#[derive(Debug, Default)]
pub struct Ended {
    /// Who was sent SIGTERM.
    pub signalled: BTreeSet<i32>,
    /// Who was sent SIGKILL.
    pub killed: BTreeSet<i32>,
    /// Who lives on.
    pub left: Vec<i32>,
    /// The system did not list its processes: what runs is not known, and never taken for nothing.
    pub is_unknown: bool,
}

/// Ends all that a look finds: SIGTERM, and after the grace SIGKILL until none is left.
pub async fn end(grace: Duration, mut look: impl FnMut() -> io::Result<Vec<Stat>>) -> Ended {
    let mut ended = Ended::default();
    for one in look().unwrap_or_default() {
        if send(&one, Signal::TERM) {
            // One that was stopped would not notice before it goes on.
            send(&one, Signal::CONT);
            ended.signalled.insert(one.pid);
        }
    }
    // A grace of centuries is one of a day.
    let until = Instant::now() + grace.min(Duration::from_secs(86_400));
    while !look().is_ok_and(|living| living.is_empty()) && Instant::now() < until {
        sleep(LOOK).await;
    }
    let until = Instant::now() + KILLING;
    loop {
        let living = look();
        let is_none = living.as_ref().is_ok_and(Vec::is_empty);
        if is_none || Instant::now() >= until {
            ended.is_unknown = living.is_err();
            ended.left = living.iter().flatten().map(|one| one.pid).collect();
            return ended;
        }
        let killed = living.iter().flatten().filter(|one| send(one, Signal::KILL));
        ended.killed.extend(killed.map(|one| one.pid));
        sleep(LOOK).await;
    }
}

/// Who of these processes descends from the first ones, also by way of one that has ended and was not waited for.
pub fn descendants(all: &[Stat], first: impl IntoIterator<Item = i32>) -> Vec<&Stat> {
    let mut by_parent: BTreeMap<i32, Vec<&Stat>> = BTreeMap::new();
    for one in all {
        by_parent.entry(one.parent).or_default().push(one);
    }
    let mut found = Vec::new();
    let mut open: Vec<i32> = first.into_iter().collect();
    while let Some(parent) = open.pop() {
        for child in by_parent.remove(&parent).unwrap_or_default() {
            open.push(child.pid);
            found.push(child);
        }
    }
    found
}

/// Signals a process if it is still the one that was seen. Its number may be another's by now; the handle never is.
fn send(one: &Stat, signal: Signal) -> bool {
    let Some(handle) = Pid::from_raw(one.pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
    else {
        return false;
    };
    let is_it = stat(one.pid).is_ok_and(|now| now.started == one.started);
    is_it && pidfd_send_signal(&handle, signal).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// STR-SUPERVISE-23: what has the number of a process but not its start is not signalled.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test needs a process")]
    fn only_the_process_that_was_seen_is_signalled() {
        let mut child = std::process::Command::new("/bin/sleep").arg("1000").spawn().expect("a process");
        let seen = stat(child.id().cast_signed()).expect("a process");
        let another = Stat { started: seen.started + 1, ..seen.clone() };
        assert!(!send(&another, Signal::KILL));
        assert_eq!(child.try_wait().expect("a child"), None);
        assert!(send(&seen, Signal::TERM));
        let status = child.wait().expect("its end");
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
        assert!(!send(&seen, Signal::KILL), "it is gone");
    }
}
