//! The daemon of an installation: started apart from this shell, asked how it is, told to end.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde::Deserialize;
use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;
use striatum_contract::request::ENVELOPE;
use striatum_contract::runtime::{DIRECTORY_VARIABLE, LONGEST_SOCKET_PATH, SOCKET};
use striatum_contract::shell_word::shell_path;

use super::process::Signed;
use super::program::{Run, refusal_in};
use super::{Instance, Progress, files, pause, text, unsafe_data};
use crate::daemon::connection::Connection;

/// How long a start may take until the daemon answers.
const START: Duration = Duration::from_secs(60);
/// How long another daemon is given to answer, or to be gone.
const OTHERS: Duration = Duration::from_secs(10);
/// How long a daemon that is parked is given to look again, which it does every few seconds.
const PARKED: Duration = Duration::from_secs(7);
/// How long it may take to finish what it has begun, and to write the answers.
const STOP: Duration = Duration::from_secs(75);
/// How long a greeting may take.
const GREETING: Duration = Duration::from_secs(3);

/// A daemon that answers.
pub(crate) struct Answering {
    pub(crate) process: Signed,
    pub(crate) socket: PathBuf,
    pub(crate) version: String,
    /// Why it may not serve.
    pub(crate) parked: Option<Parked>,
    /// Which start of the installation it is.
    pub(crate) boot_epoch: Option<String>,
}

/// Why a daemon may not serve.
#[derive(Deserialize)]
pub(crate) struct Parked {
    pub(crate) reason: String,
    pub(crate) message: String,
    pub(crate) next: Vec<String>,
}

impl Parked {
    pub(crate) fn refusal(&self) -> Refusal {
        let said = format!("the daemon runs and is parked ({}): {}", self.reason, self.message);
        Refusal::new("daemon_parked", said, self.next.clone())
    }
}

#[derive(Deserialize)]
struct Welcome {
    daemon_version: String,
    parked: Option<Parked>,
    boot_epoch: Option<String>,
}

/// What a look finds.
pub(crate) enum State {
    /// No daemon runs.
    Stopped,
    /// A process runs, and does not answer: it starts, drains or hangs.
    Mute(Signed),
    /// It answers.
    Answering(Answering),
}

impl Instance {
    /// Says why it is parked, and first what brings its own PostgreSQL up, where it has one.
    pub(crate) fn refusal_of(&self, parked: &Parked) -> Refusal {
        let mut refusal = parked.refusal();
        if files::exists(&self.data.join("cluster.data")) {
            refusal.next.retain(|step| step != "striatum local up");
            refusal.next.insert(0, self.line("local up"));
        }
        refusal
    }

    /// Looks, in the runtime directory that this shell leads to and in the one from which it was started last.
    pub(crate) fn daemon(&self) -> State {
        for folder in [Some(self.runtime.clone()), self.started_from()].into_iter().flatten() {
            let Some(process) = Signed::read(&folder.join("daemon.pid")) else { continue };
            if process.living().is_none() {
                continue;
            }
            let socket = folder.join(SOCKET);
            return match greet(&socket) {
                Some(Welcome { daemon_version: version, parked, boot_epoch }) => {
                    State::Answering(Answering { process, socket, version, parked, boot_epoch })
                }
                None => State::Mute(process),
            };
        }
        State::Stopped
    }

    /// Starts the daemon where none runs, and waits until it answers. Says which it is, and whether it was started now.
    pub(crate) fn start_daemon(&self, progress: &Progress) -> Result<(Answering, bool), Refusal> {
        let socket = self.runtime.join(SOCKET);
        if socket.as_os_str().len() > LONGEST_SOCKET_PATH {
            return Err(Refusal::new(
                "socket_path_long",
                format!(
                    "the daemon's socket would be {}: a socket's path can have {LONGEST_SOCKET_PATH} octets",
                    socket.display()
                ),
                [format!("{DIRECTORY_VARIABLE}=DIR {}, with a shorter one", self.line("daemon start"))],
            ));
        }
        let until = Instant::now() + START;
        let others_until = Instant::now() + OTHERS;
        let mut is_told = false;
        let mut parked_until: Option<Instant> = None;
        let mut child: Option<Child> = None;
        let log = self.daemon_log();
        let mut written_before = 0;
        loop {
            match self.daemon() {
                State::Answering(Answering { parked: Some(_), .. })
                    if Instant::now() < *parked_until.get_or_insert_with(|| Instant::now() + PARKED) => {}
                State::Answering(answering) => {
                    self.keep_place(&answering.socket);
                    self.is_seen_from_here(&answering)?;
                    return Ok((answering, child.is_some()));
                }
                State::Mute(_) => {}
                State::Stopped if child.is_none() => {
                    if !std::mem::replace(&mut is_told, true) {
                        progress.say("starting the daemon");
                    }
                    written_before = files::length(&log);
                    child = Some(self.spawn()?);
                }
                State::Stopped => {}
            }
            if let Some(started) = &mut child
                && let Ok(Some(status)) = started.try_wait()
            {
                let said = files::since(&log, written_before).unwrap_or_default();
                let refusal = refusal_in(&said);
                // Whoever else started one was first, and it may not answer yet; or one that was killed is let go of.
                if refusal.as_ref().is_some_and(|refusal| refusal.code == "daemon_already_serving")
                    && Instant::now() < others_until
                {
                    child = None;
                    pause();
                    continue;
                }
                return Err(refusal.unwrap_or_else(|| {
                    let said = format!("the daemon ended ({status}) before it answered");
                    Refusal::new("daemon_unreachable", said, [format!("tail {}", shell_path(&log))])
                }));
            }
            if Instant::now() > until {
                let said = format!("the daemon did not answer within {} s", START.as_secs());
                let next = [format!("tail {}", shell_path(&log)), self.line("daemon status")];
                return Err(Refusal::new("daemon_unreachable", said, next));
            }
            pause();
        }
    }

    /// Lets the daemon finish what it has begun, and waits for its end. Says whether one ran.
    pub(crate) fn stop_daemon(&self, progress: &Progress) -> Result<bool, Refusal> {
        let process = match self.daemon() {
            State::Stopped => return Ok(false),
            State::Mute(process) => process,
            State::Answering(answering) => answering.process,
        };
        let Some(living) = process.living() else { return Ok(false) };
        progress.say("stopping the daemon, which finishes what it has begun");
        living.signal(Signal::TERM).map_err(|error| {
            let said = format!("process {} cannot be told to end: {error}", process.pid);
            Refusal::new("process_differs", said, [format!("ps -o pid,user,args -p {}", process.pid)])
        })?;
        if living.has_ended_within(STOP) {
            return Ok(true);
        }
        let said = format!("the daemon, process {}, has not ended within {} s", process.pid, STOP.as_secs());
        Err(Refusal::new(
            "daemon_draining",
            said,
            [self.line("local down"), format!("tail {}", shell_path(&self.daemon_log()))],
        ))
    }

    pub(crate) fn daemon_log(&self) -> PathBuf {
        self.data.join("daemon.log")
    }

    fn spawn(&self) -> Result<Child, Refusal> {
        let log = self.daemon_log();
        let file =
            files::open_log(&log, None).map_err(|error| unsafe_data(format!("{}: {error}", text(&log))))?;
        let mut arguments = vec!["serve".to_owned(), "--own-session".to_owned()];
        if let Some(name) = &self.name {
            arguments.extend(["--instance".to_owned(), name.clone()]);
        }
        if files::exists(&self.configuration()) {
            arguments.extend(["--config".to_owned(), text(&self.configuration())]);
        }
        Run::striatumd()?.args(arguments).detached(file).map_err(|error| {
            Refusal::new(
                "program_missing",
                format!("striatumd cannot be started: {error}"),
                ["striatumd --version".to_owned()],
            )
        })
    }

    /// The runtime directory of the last start. Variables differ between a login, a job and another shell.
    fn started_from(&self) -> Option<PathBuf> {
        Some(PathBuf::from(files::read(&self.data.join("daemon.place")).ok()??.trim_end_matches('\n')))
    }

    fn keep_place(&self, socket: &Path) {
        if let Some(folder) = socket.parent() {
            // Without it, a shell with other variables does not find the daemon: no more than that.
            let _ = files::write(&self.data.join("daemon.place"), &format!("{}\n", text(folder)), None);
        }
    }

    /// A daemon that runs where this shell's commands do not look is no daemon that they could ask.
    fn is_seen_from_here(&self, answering: &Answering) -> Result<(), Refusal> {
        let here = self.runtime.join(SOCKET);
        if answering.socket == here {
            return Ok(());
        }
        let said = format!(
            "the daemon runs, process {}, and serves on {}; this shell's commands look at {}",
            answering.process.pid,
            answering.socket.display(),
            here.display()
        );
        let mut folder = answering.socket.parent().unwrap_or(&answering.socket);
        if self.name.is_some() {
            folder = folder.parent().unwrap_or(folder);
        }
        let next = format!("export {DIRECTORY_VARIABLE}={}", shell_path(folder));
        Err(Refusal::new("daemon_unreachable", said, [next, self.line("local down")]))
    }
}

/// The handshake; none where nobody answers it.
fn greet(socket: &Path) -> Option<Welcome> {
    let until = Instant::now() + GREETING;
    let mut connection = Connection::open(socket, GREETING).ok()?;
    let hello = json!({
        "schema_version": ENVELOPE, "request_id": "hello", "method": "daemon.hello", "deadline_ms": 3000,
        "params": {"client": {"name": "striatum", "version": env!("CARGO_PKG_VERSION"),
                   "supported_envelope": [ENVELOPE], "supported_framings": ["json"]}},
    });
    let line = connection.exchange(format!("{hello}\n").as_bytes(), until).ok()?;
    let mut reply: Value = serde_json::from_str(&line).ok()?;
    serde_json::from_value(reply.get_mut("data")?.take()).ok()
}
