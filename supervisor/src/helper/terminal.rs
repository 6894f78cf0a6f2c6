//! What goes through the terminal: output to the log, input from a bounded queue. Neither ever waits for a client.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pty_process::{OwnedReadPty, OwnedWritePty};
use striatum_supervisor::event::What;
use striatum_supervisor::request::Refused;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Notify;

use super::events::Events;
use super::log::Log;

/// The most octets that wait for the agent to read them.
const INPUT_OCTETS: usize = 1024 * 1024;

/// The least time between two reports of progress.
const PROGRESS: Duration = Duration::from_secs(5);

/// How much the agent wrote.
#[derive(Default)]
pub(super) struct Output {
    octets: AtomicU64,
    reported: AtomicU64,
    more: Notify,
}

impl Output {
    /// Reads what the agent writes until nothing can write any more.
    pub(super) async fn drain(&self, mut terminal: OwnedReadPty, mut log: Option<Log>, events: &Events) {
        let mut part = vec![0; 64 * 1024];
        // Where every end but ours is closed the system answers with an error: it is the end.
        while let Ok(size @ 1..) = terminal.read(&mut part).await {
            self.octets.fetch_add(size as u64, Ordering::Relaxed);
            self.more.notify_one();
            let Some(open) = &mut log else { continue };
            // A disk that hangs must not hold up what else this thread would do.
            if let Err(error) = tokio::task::block_in_place(|| open.write(&part[..size])) {
                // The agent goes on; what it writes is read and goes nowhere.
                log = None;
                events.add(What::HelperError {
                    code: "log_failed".to_owned(),
                    errno: error.raw_os_error(),
                    message: "the log cannot be written and ends here".to_owned(),
                });
            }
        }
    }

    /// Reports from time to time that the agent wrote, for as long as it does.
    pub(super) async fn report(&self, events: &Events) {
        loop {
            self.more.notified().await;
            self.report_now(events);
            tokio::time::sleep(PROGRESS).await;
        }
    }

    /// Reports what was not reported yet.
    pub(super) fn report_now(&self, events: &Events) {
        let octets = self.octets.load(Ordering::Relaxed);
        if self.reported.swap(octets, Ordering::Relaxed) < octets {
            events.add(What::Progress { octets });
        }
    }
}

/// What waits for the agent to read it.
#[derive(Default)]
pub(super) struct Input {
    waiting: Mutex<VecDeque<u8>>,
    more: Notify,
}

impl Input {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<u8>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes all of it, or none where it does not fit.
    pub(super) fn add(&self, octets: &[u8]) -> Result<(), Refused> {
        let mut waiting = self.waiting();
        if waiting.len() + octets.len() > INPUT_OCTETS {
            let message = format!("{} octets wait for the agent to read them", waiting.len());
            return Err(Refused::new("delivery_blocked", message));
        }
        waiting.extend(octets);
        drop(waiting);
        self.more.notify_one();
        Ok(())
    }

    /// Hands on what comes, as fast as the terminal takes it.
    pub(super) async fn pass_on(&self, mut terminal: OwnedWritePty) {
        loop {
            let part: Vec<u8> = self.waiting().iter().take(4096).copied().collect();
            if part.is_empty() {
                self.more.notified().await;
                continue;
            }
            match terminal.write(&part).await {
                Ok(written) => drop(self.waiting().drain(..written)),
                Err(_) => return,
            }
        }
    }
}

/// The two halves' shared ends.
#[derive(Default)]
pub(super) struct Terminal {
    pub(super) output: Arc<Output>,
    pub(super) input: Arc<Input>,
}
