//! The agent: a session leader in a terminal of its own.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pty_process::{Command, Pts, Size};
use rustix::termios::{Winsize, tcsetwinsize};
use striatum_supervisor::event::{AGENT_EXEC_FAILED, What};
use striatum_supervisor::launch::Launch;
use striatum_supervisor::process::Process;
use striatum_supervisor::request::Refused;
use striatum_supervisor::tree::Ended;
use tokio::process::Child;
use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::events::Events;
use super::log::Log;
use super::terminal::Terminal;
use super::tree;

/// What the processes that an agent leaves behind are given between SIGTERM and SIGKILL.
const LEFT_GRACE: Duration = Duration::from_secs(2);
/// How long output that is on its way is waited for, where something that cannot be ended holds the terminal.
const DRAINING: Duration = Duration::from_secs(2);

/// The agent, or what is known of one that could not be executed.
pub(super) struct Agent {
    pub(super) process: Option<Process>,
    pub(super) pts: Option<String>,
    pub(super) exec_errno: Option<i32>,
    terminal: Terminal,
    /// Our end of it, for its size.
    master: OwnedFd,
    is_running: AtomicBool,
    /// Ended by one at a time: what one found is not counted by another.
    ending: Mutex<()>,
}

impl Agent {
    /// Opens the terminal and executes the agent. That it cannot be executed is an event; an error is that there is no
    /// terminal.
    pub(super) fn start(
        launch: &Launch,
        log: Option<Log>,
        events: &Arc<Events>,
        parts: &mut JoinSet<()>,
    ) -> io::Result<Arc<Self>> {
        let (master, pts) = pty_process::open().map_err(from_pty)?;
        master.resize(Size::new(launch.rows, launch.cols)).map_err(from_pty)?;
        let name = rustix::pty::ptsname(&master, Vec::new())?.to_string_lossy().into_owned();
        let [program, arguments @ ..] = launch.argv.as_slice() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        // A handle on the master for the size alone; the other two halves belong to those that read and write.
        let size = master.as_fd().try_clone_to_owned()?;
        // The terminal's other end stays open here as well: an agent that closes its own for a while, and opens
        // /dev/tty again, would otherwise write into a terminal that nobody reads any more.
        let spawned = Command::new(program)
            .args(arguments)
            .env_clear()
            .envs(&launch.env)
            .current_dir(&launch.cwd)
            .spawn_borrowed(&pts)
            .map_err(from_pty);
        let mut agent = Self {
            process: None,
            pts: None,
            exec_errno: None,
            terminal: Terminal::default(),
            master: size,
            is_running: AtomicBool::new(false),
            ending: Mutex::new(()),
        };
        let child = match spawned {
            Ok(child) => child,
            Err(error) => {
                agent.exec_errno = error.raw_os_error();
                events.add(What::HelperError {
                    code: AGENT_EXEC_FAILED.to_owned(),
                    errno: error.raw_os_error(),
                    message: format!("{program} cannot be executed"),
                });
                return Ok(Arc::new(agent));
            }
        };
        // Nobody has waited for it yet, so that this number is its own, even where it has ended already.
        let pid = child.id().map(u32::cast_signed).ok_or(io::ErrorKind::NotFound)?;
        let process = Process::now(pid);
        events.add(What::AgentStarted {
            pid,
            start_token: process.start_token.clone(),
            pts: name.clone(),
            argv: launch.argv.clone(),
        });
        agent.process = Some(process);
        agent.pts = Some(name);
        agent.is_running = AtomicBool::new(true);
        let agent = Arc::new(agent);
        agent.accompany(master, pts, child, log, events, parts);
        Ok(agent)
    }

    fn accompany(
        self: &Arc<Self>,
        master: pty_process::Pty,
        pts: Pts,
        child: Child,
        log: Option<Log>,
        events: &Arc<Events>,
        parts: &mut JoinSet<()>,
    ) {
        let (reader, writer) = master.into_split();
        let (is_drained, drained) = oneshot::channel();
        let (output, held) = (Arc::clone(&self.terminal.output), Arc::clone(events));
        parts.spawn(async move {
            output.drain(reader, log, &held).await;
            // Nobody waits for it where draining took too long.
            let _ = is_drained.send(());
        });
        let (output, held) = (Arc::clone(&self.terminal.output), Arc::clone(events));
        parts.spawn(async move { output.report(&held).await });
        let input = Arc::clone(&self.terminal.input);
        parts.spawn(async move { input.pass_on(writer).await });
        let (agent, held) = (Arc::clone(self), Arc::clone(events));
        parts.spawn(async move { agent.see_off(child, pts, drained, &held).await });
    }

    /// Waits for the end of the agent, ends what it left, and reports both when nothing more can come.
    async fn see_off(&self, mut child: Child, pts: Pts, drained: oneshot::Receiver<()>, events: &Events) {
        let status = child.wait().await;
        self.is_running.store(false, Ordering::SeqCst);
        let alone = self.ending.lock().await;
        let Ended { signalled, killed, left, is_unknown } = tree::end(LEFT_GRACE).await;
        drop(alone);
        drop(pts);
        let _ = timeout(DRAINING, drained).await;
        self.terminal.output.report_now(events);
        if is_unknown || !left.is_empty() {
            let message = if is_unknown {
                "the system does not list its processes: what the agent left is not known".to_owned()
            } else {
                format!("processes of the agent cannot be ended: {left:?}")
            };
            events.add(What::HelperError { code: "processes_left".to_owned(), errno: None, message });
        }
        let ended = signalled.union(&killed).filter(|pid| !left.contains(pid)).count();
        events.add(What::AgentExited {
            exit_code: status.as_ref().ok().and_then(ExitStatus::code),
            signal: status.as_ref().ok().and_then(ExitStatusExt::signal),
            left_processes_killed: ended as u64,
        });
    }

    /// Whether it runs.
    pub(super) fn is_running(&self) -> bool {
        self.is_running.load(Ordering::SeqCst)
    }

    /// Whether this is the agent, and its end is another's to see.
    pub(super) fn is_waited_for(&self, pid: i32) -> bool {
        self.is_running() && self.process.as_ref().is_some_and(|process| process.pid == pid)
    }

    /// Ends it and everything that it started.
    pub(super) async fn stop(&self, grace: Duration) -> Ended {
        let _alone = self.ending.lock().await;
        tree::end(grace).await
    }

    /// Hands octets to it.
    pub(super) fn write(&self, octets: &[u8]) -> Result<(), Refused> {
        self.must_run()?;
        self.terminal.input.add(octets)
    }

    /// Gives its terminal another size; the system tells it so.
    pub(super) fn resize(&self, rows: u16, cols: u16) -> Result<(), Refused> {
        self.must_run()?;
        let size = Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.master, size).map_err(|error| Refused::new("system_failed", error.to_string()))
    }

    fn must_run(&self) -> Result<(), Refused> {
        if self.is_running() { Ok(()) } else { Err(Refused::new("agent_gone", "the agent does not run")) }
    }
}

fn from_pty(error: pty_process::Error) -> io::Error {
    match error {
        pty_process::Error::Io(error) => error,
        pty_process::Error::Rustix(error) => error.into(),
        other => io::Error::other(other),
    }
}
