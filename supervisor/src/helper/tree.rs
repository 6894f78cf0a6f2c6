//! Everything that descends from the helper: its agent, what the agent started, and what was left to the helper.

use std::io;
use std::time::Duration;

use rustix::process::{Pid, WaitOptions, waitpid};
use striatum_supervisor::process::{Stat, all};
use striatum_supervisor::tree::{self, Ended};
use tokio::time::sleep;

use super::agent::Agent;

/// Orphans that end at one moment are reaped by one look.
const REAPING: Duration = Duration::from_millis(200);

/// Ends every descendant.
pub(super) async fn end(grace: Duration) -> Ended {
    tree::end(grace, descendants).await
}

/// Who lives of them. A setsid or a double fork leads nowhere else: the helper adopts orphans.
fn descendants() -> io::Result<Vec<Stat>> {
    let all = all()?;
    let found = tree::descendants(&all, [std::process::id().cast_signed()]);
    Ok(found.into_iter().filter(|one| !one.has_ended()).cloned().collect())
}

/// Reaps orphans as they end. By number and never any child: the end of the agent belongs to who waits for it.
pub(super) async fn reap(agent: &Agent, child_ended: &mut tokio::signal::unix::Signal) {
    let me = std::process::id().cast_signed();
    while child_ended.recv().await.is_some() {
        for one in all().unwrap_or_default() {
            let is_ours = one.parent == me && one.has_ended() && !agent.is_waited_for(one.pid);
            if let Some(pid) = Pid::from_raw(one.pid).filter(|_| is_ours) {
                // It is a zombie of ours: there is nothing to fail.
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
        sleep(REAPING).await;
    }
}
