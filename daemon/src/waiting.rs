//! Waiting for what a request cannot have yet: in memory, with neither a connection nor a transaction.

use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::course::Gone;
use crate::serve::Live;

/// After which a request looks again although nobody woke it.
const LOOKS: Duration = Duration::from_secs(15);

/// How a wait ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// There may be something now.
    Woken,
    /// The time is over, or the daemon is about to end.
    Over,
    /// The caller has gone away.
    Gone,
}

/// A request that may have to wait.
pub(crate) struct Waiting {
    /// Heard from before the first try, so that none is missed between a try and the wait after it.
    wakes: Receiver<String>,
    ending: watch::Receiver<bool>,
    window: Instant,
}

impl Waiting {
    /// From here on wakes are heard.
    pub(crate) fn begin(live: &Live, window: Instant) -> Self {
        Self { wakes: live.door.wakes(), ending: live.ending.clone(), window }
    }

    /// Waits for this wake, or for the time after which it is looked again anyway.
    pub(crate) async fn until(&mut self, wake: &str, gone: Gone<'_>) -> Waited {
        let look = Instant::now() + LOOKS;
        let wakes = &mut self.wakes;
        let woken = async {
            loop {
                match wakes.recv().await {
                    Ok(heard) if heard != wake => {}
                    // Of those that were missed one may have been meant.
                    Ok(_) | Err(RecvError::Lagged(_) | RecvError::Closed) => return,
                }
            }
        };
        tokio::select! {
            biased;
            () = gone => Waited::Gone,
            // The daemon that nobody could end any more is as good as ended.
            _ = self.ending.wait_for(|is_ending| *is_ending) => Waited::Over,
            () = sleep_until(self.window) => Waited::Over,
            () = woken => Waited::Woken,
            () = sleep_until(look) => Waited::Woken,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::pin::pin;
    use std::time::Duration;

    use tokio::sync::{broadcast, watch};
    use tokio::time::Instant;

    use super::{Waited, Waiting};

    fn waiting(window: Duration) -> (Waiting, broadcast::Sender<String>, watch::Sender<bool>) {
        let (wake, wakes) = broadcast::channel(2);
        let (end, ending) = watch::channel(false);
        (Waiting { wakes, ending, window: Instant::now() + window }, wake, end)
    }

    const LONG: Duration = Duration::from_secs(600);

    /// STR-QUEUE-12: only what is meant wakes; what came between a try and its wait is heard.
    #[tokio::test]
    async fn the_wake_that_is_meant_ends_it() {
        let (mut waiting, wake, _end) = waiting(LONG);
        wake.send("run:b".to_owned()).expect("somebody waits");
        wake.send("run:a".to_owned()).expect("somebody waits");
        assert_eq!(waiting.until("run:a", pin!(pending())).await, Waited::Woken);
        for _ in 0..3 {
            wake.send("run:b".to_owned()).expect("somebody waits");
        }
        assert_eq!(waiting.until("run:a", pin!(pending())).await, Waited::Woken, "some were missed");
    }

    #[tokio::test]
    async fn the_window_the_end_of_the_daemon_and_the_caller_s_going_end_it() {
        let (mut over, _wake, _end) = waiting(Duration::ZERO);
        assert_eq!(over.until("run:a", pin!(pending())).await, Waited::Over);
        let (mut ended, _wake, end) = waiting(LONG);
        end.send_replace(true);
        assert_eq!(ended.until("run:a", pin!(pending())).await, Waited::Over);
        let (mut left, wake, _end) = waiting(LONG);
        wake.send("run:a".to_owned()).expect("somebody waits");
        assert_eq!(left.until("run:a", pin!(ready(()))).await, Waited::Gone, "although it was woken");
    }
}
