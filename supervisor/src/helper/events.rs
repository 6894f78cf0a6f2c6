//! Events, held until they are acknowledged.

use std::collections::VecDeque;
use std::mem::discriminant;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use striatum_supervisor::event::{Event, What};
use striatum_supervisor::request::Refused;
use tokio::sync::watch;

use super::clock;

/// The most errors that are held; a helper knows fewer kinds.
const ERRORS: usize = 16;

/// All events of a helper. What it holds is bounded: a start, an end, one progress, some errors.
pub(super) struct Events {
    held: Mutex<Held>,
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct Held {
    events: VecDeque<(Event, Arc<str>)>,
    last_seq: u64,
    is_complete: bool,
}

impl Events {
    pub(super) fn new() -> Self {
        Self { held: Mutex::default(), changes: watch::Sender::new(0) }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // Each change is whole before anything in it could panic.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Numbers an event and holds it. A progress replaces the one before.
    pub(super) fn add(&self, what: What) {
        let mut held = self.held();
        if matches!(what, What::Progress { .. }) {
            held.events.retain(|(event, _)| discriminant(&event.what) != discriminant(&what));
        }
        let errors = held.events.iter().filter(|(event, _)| matches!(event.what, What::HelperError { .. }));
        if held.is_complete || (errors.count() >= ERRORS && matches!(what, What::HelperError { .. })) {
            return;
        }
        held.last_seq += 1;
        held.is_complete = what.is_last();
        let event = Event { seq: held.last_seq, at: clock::now(), what };
        let line = format!("{}\n", event.to_json()).into();
        held.events.push_back((event, line));
        drop(held);
        self.changes.send_modify(|count| *count += 1);
    }

    /// What is held above a number, as lines to send.
    pub(super) fn above(&self, seq: u64) -> Vec<(u64, Arc<str>)> {
        let held = self.held();
        let above = held.events.iter().filter(|(event, _)| event.seq > seq);
        above.map(|(event, line)| (event.seq, Arc::clone(line))).collect()
    }

    /// The number of the newest one.
    pub(super) fn last_seq(&self) -> u64 {
        self.held().last_seq
    }

    /// Whether a number was given out: who speaks of one that was not means another helper's events.
    pub(super) fn must_exist(&self, seq: u64) -> Result<(), Refused> {
        let newest = self.last_seq();
        if seq > newest {
            Err(Refused::new("seq_ahead", format!("the newest event is {newest}")))
        } else {
            Ok(())
        }
    }

    /// Lets go of everything up to a number.
    pub(super) fn acknowledge(&self, up_to: u64) -> Result<(), Refused> {
        self.must_exist(up_to)?;
        self.held().events.retain(|(event, _)| event.seq > up_to);
        self.changes.send_modify(|count| *count += 1);
        Ok(())
    }

    /// Changes from here on.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Waits until the last event is acknowledged, with all before it.
    pub(super) async fn all_taken_over(&self) {
        let mut changes = self.changes();
        loop {
            {
                let held = self.held();
                if held.is_complete && held.events.is_empty() {
                    return;
                }
            }
            changes.changed().await.expect("the sender lives as long as self");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error() -> What {
        What::HelperError { code: "log_failed".into(), errno: None, message: String::new() }
    }

    fn numbers(events: &Events) -> Vec<u64> {
        events.above(0).into_iter().map(|(seq, _)| seq).collect()
    }

    #[test]
    fn of_progress_the_newest_is_held_and_of_errors_a_few() {
        let events = Events::new();
        events.add(What::Progress { octets: 1 });
        events.add(error());
        events.add(What::Progress { octets: 2 });
        assert_eq!(numbers(&events), [2, 3]);
        for _ in 0..100 {
            events.add(error());
        }
        assert_eq!(numbers(&events).len(), ERRORS + 1);
        events.acknowledge(2).expect("it was sent");
        assert_eq!(numbers(&events).first(), Some(&3));
    }

    #[test]
    fn nothing_follows_the_last_event() {
        let events = Events::new();
        events.add(What::AgentExited { exit_code: Some(0), signal: None, left_processes_killed: 0 });
        events.add(What::Progress { octets: 1 });
        assert_eq!((numbers(&events), events.last_seq()), (vec![1], 1));
    }
}
