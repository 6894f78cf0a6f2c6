//! Signals: which ones the helper follows, and that its agent starts with none ignored.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV and SIGSYS are faults, from which one does not come back; SIGKILL
/// and SIGSTOP nobody can take.
const NOT_TAKEN: [i32; 9] = [4, 5, 6, 7, 8, 11, 31, 9, 19];

/// What tells the helper to end.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

/// Takes every signal that can be taken, and answers those that are followed: the end, and the end of a child.
///
/// What is ignored stays so over an `exec`, what has a handler becomes the default again: so a helper that was started
/// with, say, SIGHUP ignored does not hand that on. And a hangup does not end the helper.
pub(super) fn take() -> io::Result<(Signals, Signal)> {
    for number in 1..=64 {
        // Refused for those that the C library keeps to itself.
        if !NOT_TAKEN.contains(&number) {
            let _ = signal(SignalKind::from_raw(number));
        }
    }
    let terminate = signal(SignalKind::terminate())?;
    let interrupt = signal(SignalKind::interrupt())?;
    Ok((Signals { terminate, interrupt }, signal(SignalKind::child())?))
}

impl Signals {
    /// Waits until the helper is told to end.
    pub(super) async fn told_to_end(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
