//! The helper depends on nobody who started it, and neither it nor its agent holds anything of theirs.
#![expect(clippy::disallowed_methods, reason = "which files are open, the system says in /proc")]

use std::fs::{self, File};

use rustix::process::{chdir, setsid};
use striatum_supervisor::launch::Problem;

/// Closes every file but the standard streams. Whoever started the helper may have left some open: a lock, a socket.
#[expect(unsafe_code, reason = "no safe way closes a file by its number")]
pub(super) fn close_what_was_inherited() {
    let Ok(listing) = fs::read_dir("/proc/self/fd") else { return };
    let numbers = listing.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    // All of them first: the listing is an open file, too, and closed by then.
    let numbers: Vec<i32> = numbers.filter(|number| *number > 2).collect();
    for number in numbers {
        if fs::symlink_metadata(format!("/proc/self/fd/{number}")).is_ok() {
            // SAFETY: this is the first thing that the program does, on its only thread, and it opened nothing yet: the
            // file is open, and no value owns it.
            unsafe { rustix::io::close(number) };
        }
    }
}

/// A session of its own: no terminal's hangup, no signal to the group of who started it, no folder that is kept busy.
pub(super) fn become_session_leader() -> Result<(), Problem> {
    if setsid().is_err() && rustix::process::getsid(None).ok() != Some(rustix::process::getpid()) {
        let message = "the helper leads a process group and cannot have a session; start it with setsid";
        return Err(Problem::new("session_not_possible", "", message));
    }
    // What the agent leaves behind becomes the helper's own children, so that it is found.
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .map_err(|error| super::place::failed("", "the helper cannot adopt orphans", &error.into()))?;
    chdir("/").map_err(|error| super::place::failed("", "there is no root folder", &error.into()))
}

/// The launch is answered: from here on there is only the socket.
pub(super) fn let_go_of_standard_streams() {
    if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
        // Each of the three is open, or was closed by who started the helper: either way there is nothing to lose.
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}
