//! Processes by more than their number: a number that was given to another process since is never signalled.
#![expect(clippy::disallowed_methods, reason = "what a process is, the system says in /proc")]

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A process as a pidfile has it: `pid start_token boot_id`, the start token in clock ticks since boot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) pid: i32,
    start_token: String,
    boot_id: String,
}

impl Signed {
    /// What stands in a pidfile.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let mut words = text.split_whitespace();
        let pid = words.next()?.parse().ok().filter(|pid| *pid > 0)?;
        Some(Self { pid, start_token: words.next()?.to_owned(), boot_id: words.next()?.to_owned() })
    }

    /// The process that has this number now.
    pub(crate) fn of(pid: i32) -> Option<Self> {
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned();
        Some(Self { pid, start_token: start_token(pid)?, boot_id })
    }

    /// As a line of a pidfile.
    pub(crate) fn line(&self) -> String {
        format!("{} {} {}\n", self.pid, self.start_token, self.boot_id)
    }

    /// The process, where it lives and is the one that was meant.
    pub(crate) fn living(&self) -> Option<Living> {
        let living = Living::open(self.pid)?;
        (Self::of(self.pid).as_ref() == Some(self)).then_some(living)
    }

    /// How long it has run.
    pub(crate) fn uptime(&self) -> Option<Duration> {
        let since_boot: f64 =
            fs::read_to_string("/proc/uptime").ok()?.split_whitespace().next()?.parse().ok()?;
        let started: f64 = self.start_token.parse().ok()?;
        let ticks = rustix::param::clock_ticks_per_second() as f64;
        Duration::try_from_secs_f64((since_boot - started / ticks).max(0.0)).ok()
    }
}

/// A handle on a living process: it stays this one's, whoever gets the number later.
pub(crate) struct Living {
    handle: OwnedFd,
}

impl Living {
    /// The process that has this number now. Whoever it is has to be looked at after this.
    pub(crate) fn open(pid: i32) -> Option<Self> {
        let handle = pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()?;
        let living = Self { handle };
        (!living.has_ended_within(Duration::ZERO)).then_some(living)
    }

    pub(crate) fn signal(&self, signal: Signal) -> std::io::Result<()> {
        Ok(pidfd_send_signal(&self.handle, signal)?)
    }

    /// Waits for its end.
    pub(crate) fn has_ended_within(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.handle, PollFlags::IN)], Some(&left)) {
                Ok(ready) => return ready > 0,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }
}

fn start_token(pid: i32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program may hold anything, also a bracket: what counts stands after the last one.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(19).map(str::to_owned)
}

/// The folder that a process works in, as the system names it.
pub(crate) fn folder_of(pid: i32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/cwd")).ok()
}

/// The name of the program that a process runs, at most 15 characters of it.
pub(crate) fn name_of(pid: i32) -> Option<String> {
    Some(fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim_end().to_owned())
}

/// Every process of these programs whose command line names a folder.
pub(crate) fn naming(folder: &Path, programs: &[&str]) -> Vec<i32> {
    let folder = folder.as_os_str().as_encoded_bytes();
    let names = |pid: i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.windows(folder.len()).any(|part| part == folder)
    };
    let runs = |pid: i32| name_of(pid).is_some_and(|name| programs.contains(&name.as_str()));
    all().filter(|pid| runs(*pid) && names(*pid)).collect()
}

/// Every process that works in a folder.
pub(crate) fn in_folder(folder: &Path) -> Vec<i32> {
    all().filter(|pid| folder_of(*pid).is_some_and(|works_in| works_in == folder)).collect()
}

/// The folders that the processes of a program work in.
pub(crate) fn folders_of(program: &str) -> Vec<PathBuf> {
    all().filter(|pid| name_of(*pid).is_some_and(|name| name == program)).filter_map(folder_of).collect()
}

fn all() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}
