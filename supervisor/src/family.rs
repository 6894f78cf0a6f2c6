//! Who belongs to an agent, for whoever stands outside and cannot ask its helper: what can be proven, and no more.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use crate::process::{Process, Stat, all, environment, started};
use crate::tree::{self, Ended};

/// An agent, its helper, and all that either started.
///
/// A process belongs to it that is one of the two, by number and start; that descends from one that belongs to it; that
/// is in the session of an agent that lives; or that was started, after the agent, with an entry in its environment
/// that is the agent's alone. One that was seen to belong stays known when its parent has ended. What left its parents,
/// its session and its environment behind before anybody looked cannot be proven, and is nobody's.
#[derive(Debug)]
pub struct Family {
    roots: BTreeMap<i32, u64>,
    agent: Option<(i32, u64)>,
    mark: Vec<u8>,
    known: BTreeMap<i32, u64>,
}

impl Family {
    /// Of an agent and a helper as they are on record; the mark is the agent's own entry, `NAME=value`.
    pub fn new(agent: Option<&Process>, helper: Option<&Process>, mark: &str) -> Self {
        let started = |process: &Process| Some((process.pid, started(process.start_token.as_ref()?)?));
        let agent = agent.and_then(started);
        let roots = agent.into_iter().chain(helper.and_then(started)).collect();
        Self { roots, agent, mark: mark.as_bytes().to_vec(), known: BTreeMap::new() }
    }

    /// Who of it lives.
    ///
    /// # Errors
    /// The system does not list its processes.
    pub fn living(&mut self) -> io::Result<Vec<Stat>> {
        // Nothing of another boot lives, and without a start nothing can be proven.
        if self.roots.is_empty() {
            return Ok(Vec::new());
        }
        // Whoever looks is no member, and neither is what it started.
        let all: Vec<Stat> = all()?.into_iter().filter(|one| one.pid != own_pid()).collect();
        let leads = |one: &Stat| Some((one.pid, one.started)) == self.agent;
        let session = all.iter().find(|one| leads(one)).map(|agent| agent.pid);
        let own: Vec<&Stat> = all.iter().filter(|one| self.is_own(one, session)).collect();
        let descended = tree::descendants(&all, own.iter().map(|one| one.pid));
        let mut found: BTreeMap<i32, &Stat> = BTreeMap::new();
        found.extend(own.into_iter().chain(descended).map(|one| (one.pid, one)));
        self.known = found.values().map(|one| (one.pid, one.started)).collect();
        Ok(found.into_values().filter(|one| !one.has_ended()).cloned().collect())
    }

    /// Ends it: SIGTERM, and after the grace SIGKILL.
    pub async fn end(&mut self, grace: Duration) -> Ended {
        tree::end(grace, || self.living()).await
    }

    /// Whether it belongs to it by itself, whoever its parent is. The session is that of an agent that is there.
    fn is_own(&self, one: &Stat, session: Option<i32>) -> bool {
        let is_in = |list: &BTreeMap<i32, u64>| list.get(&one.pid) == Some(&one.started);
        let is_later = self.roots.values().min().is_some_and(|earliest| one.started >= *earliest);
        is_in(&self.roots)
            || is_in(&self.known)
            || (is_later && (session == Some(one.session) || self.has_mark(one)))
    }

    fn has_mark(&self, one: &Stat) -> bool {
        environment(one.pid).split(|octet| *octet == 0).any(|entry| entry == self.mark)
    }
}

fn own_pid() -> i32 {
    std::process::id().cast_signed()
}
