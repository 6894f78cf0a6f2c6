//! Where a helper is found: its socket, its pidfile, and that there is one of it.
#![expect(clippy::disallowed_methods, reason = "socket, pidfile and log are files")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, flock};
use rustix::io::Errno;
use rustix::process::umask;
use striatum_supervisor::launch::{Launch, Problem};
use striatum_supervisor::pidfile::{Pidfile, SCHEMA};
use striatum_supervisor::process::{Liveness, Process};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::agent::Agent;
use super::log::Log;

/// How long other launches into the same folder are waited for.
const LAUNCHING: Duration = Duration::from_secs(10);
/// How often a helper looks whether it is still found.
const LOOK: Duration = Duration::from_secs(1);
/// How long its folder may be missing. Its agent's token lies there, too: without it no work can be handed in.
const MISSING: Duration = Duration::from_secs(10);

/// What a helper holds in the file system.
pub(super) struct Place {
    pub(super) supervisor_id: String,
    pub(super) helper: Process,
    socket: PathBuf,
    /// Device and inode: a socket that another one bound there since is not ours.
    bound: Mutex<(u64, u64)>,
    pidfile: PathBuf,
    log: Option<PathBuf>,
    argv: Vec<String>,
}

/// Why a helper is not found where it is looked for.
enum Lost {
    /// The folder is gone, or the system refuses.
    ForNow,
    /// There is another helper, or another thing.
    ToAnother,
}

/// A part of the system that did not do what it must.
pub(super) fn failed(field: &str, what: &str, error: &io::Error) -> Problem {
    Problem::new("system_failed", field, format!("{what}: {error}"))
}

impl Place {
    /// Looks at all that can be in the way, and takes the place only where nothing is.
    pub(super) async fn take(launch: &Launch) -> Result<(Self, UnixListener, Option<Log>), Vec<Problem>> {
        // Two launches at one moment: the second looks when the first has taken its place.
        let folder = launch.pidfile.parent().unwrap_or(Path::new("/"));
        let alone = lock(folder)
            .await
            .map_err(|error| vec![failed("pidfile", "its folder cannot be locked", &error)])?;
        let in_the_way =
            [working_folder(launch), pidfile(&launch.pidfile), socket(&launch.socket), log(launch)];
        let problems: Vec<Problem> = in_the_way.into_iter().flatten().collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let taken = Self::make(launch).map_err(|problem| vec![problem]);
        drop(alone);
        taken
    }

    fn make(launch: &Launch) -> Result<(Self, UnixListener, Option<Log>), Problem> {
        let (listener, bound) =
            bind(&launch.socket).map_err(|error| failed("socket", "cannot be bound", &error))?;
        let place = Self {
            supervisor_id: launch.supervisor_id.clone(),
            helper: Process::now(std::process::id().cast_signed()),
            socket: launch.socket.clone(),
            bound: Mutex::new(bound),
            pidfile: launch.pidfile.clone(),
            log: None,
            argv: launch.argv.clone(),
        };
        let log = match launch.log.as_ref().map(|path| Log::create(path, launch.log_cap_octets)).transpose() {
            Ok(log) => log,
            Err(error) => {
                place.undo();
                return Err(failed("log", "cannot be made", &error));
            }
        };
        let place = Self { log: launch.log.clone(), ..place };
        if let Err(error) = place.record(None, None) {
            place.undo();
            return Err(failed("pidfile", "cannot be written", &error));
        }
        Ok((place, listener, log))
    }

    /// Writes the pidfile: whoever reads it meanwhile reads the old one or the new one.
    pub(super) fn record(&self, agent: Option<&Process>, pts: Option<&str>) -> io::Result<()> {
        let file = Pidfile {
            schema: SCHEMA.to_owned(),
            supervisor_id: self.supervisor_id.clone(),
            helper: self.helper.clone(),
            agent: agent.cloned(),
            argv: self.argv.clone(),
            pts: pts.map(str::to_owned),
        };
        let mut name = self.pidfile.clone().into_os_string();
        name.push(format!(".{}.new", self.helper.pid));
        let name = PathBuf::from(name);
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&name)
            .and_then(|mut new| new.write_all(format!("{}\n", serde_json::json!(file)).as_bytes()))
            .and_then(|()| fs::rename(&name, &self.pidfile));
        if written.is_err() {
            let _ = fs::remove_file(&name);
        }
        written
    }

    /// Keeps the helper where it is looked for: what somebody took away is made anew, and a new socket handed on. Comes
    /// to its end where that cannot be: the folder is gone for good, or another one has taken the place.
    pub(super) async fn keep(&self, agent: &Agent, sockets: &mpsc::Sender<UnixListener>) {
        let mut missing: Option<Instant> = None;
        loop {
            sleep(LOOK).await;
            match self.take_back(agent).await {
                Ok(None) => missing = None,
                Ok(Some(socket)) => {
                    missing = None;
                    if sockets.send(socket).await.is_err() {
                        return;
                    }
                }
                Err(Lost::ToAnother) => return,
                Err(Lost::ForNow) if missing.get_or_insert_with(Instant::now).elapsed() < MISSING => {}
                Err(Lost::ForNow) => return,
            }
        }
    }

    async fn take_back(&self, agent: &Agent) -> Result<Option<UnixListener>, Lost> {
        if self.has_socket() && self.has_pidfile() {
            return Ok(None);
        }
        let folder = self.pidfile.parent().unwrap_or(Path::new("/"));
        let _alone = lock(folder).await.map_err(|_| Lost::ForNow)?;
        let mut socket_anew = None;
        if !self.has_pidfile() {
            if pidfile(&self.pidfile).is_some() {
                return Err(Lost::ToAnother);
            }
            self.record(agent.process.as_ref(), agent.pts.as_deref()).map_err(|_| Lost::ForNow)?;
        }
        if !self.has_socket() {
            if socket(&self.socket).is_some() {
                return Err(Lost::ToAnother);
            }
            let (listener, bound) = bind(&self.socket).map_err(|_| Lost::ForNow)?;
            *self.bound.lock().unwrap_or_else(PoisonError::into_inner) = bound;
            socket_anew = Some(listener);
        }
        Ok(socket_anew)
    }

    /// Whether its clients find it.
    pub(super) fn has_socket(&self) -> bool {
        identity(&self.socket) == Some(*self.bound.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn has_pidfile(&self) -> bool {
        Pidfile::read(&self.pidfile).is_some_and(|file| file.helper == self.helper)
    }

    /// Takes away what is the helper's own; the log stays for who reads it.
    pub(super) fn leave(&self) {
        if self.has_socket() {
            let _ = fs::remove_file(&self.socket);
        }
        if self.has_pidfile() {
            let _ = fs::remove_file(&self.pidfile);
        }
    }

    /// As if the launch had never been.
    pub(super) fn undo(&self) {
        self.leave();
        if let Some(log) = &self.log {
            let _ = fs::remove_file(log);
        }
    }
}

/// Binds a socket for its owner alone. What is there is left of a helper that was killed: nobody listens at it.
fn bind(path: &Path) -> io::Result<(UnixListener, (u64, u64))> {
    let _ = fs::remove_file(path);
    let before = umask(Mode::from_raw_mode(0o177));
    let bound = UnixListener::bind(path);
    umask(before);
    Ok((bound?, identity(path).unwrap_or_default()))
}

/// Locks a folder until the answer is dropped. What holds it for long is no launch.
async fn lock(folder: &Path) -> io::Result<File> {
    let folder = File::open(folder)?;
    let until = Instant::now() + LAUNCHING;
    loop {
        match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(folder),
            Err(Errno::WOULDBLOCK) if Instant::now() < until => sleep(Duration::from_millis(5)).await,
            Err(error) => return Err(error.into()),
        }
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

fn working_folder(launch: &Launch) -> Option<Problem> {
    let is_folder = fs::metadata(&launch.cwd).is_ok_and(|found| found.is_dir());
    (!is_folder).then(|| Problem::new("cwd_missing", "cwd", "there is no such folder"))
}

fn pidfile(path: &Path) -> Option<Problem> {
    fs::symlink_metadata(path).ok()?;
    let Some(found) = Pidfile::read(path) else {
        return Some(Problem::new("pidfile_foreign", "pidfile", "what is there is no pidfile of a helper"));
    };
    let says = |code, what, pid| {
        let message = format!("{what} of {} runs, as process {pid}", found.supervisor_id);
        Some(Problem::new(code, "pidfile", message))
    };
    // What cannot be told is never taken for gone.
    if found.helper.liveness() != Liveness::Gone {
        return says("helper_running", "a helper", found.helper.pid);
    }
    // A helper that was killed, and an agent that did not mind the hangup.
    match &found.agent {
        Some(agent) if agent.liveness() != Liveness::Gone => says("agent_running", "an agent", agent.pid),
        _ => None,
    }
}

fn socket(path: &Path) -> Option<Problem> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.file_type().is_socket() {
        return Some(Problem::new("socket_foreign", "socket", "what is there is no socket"));
    }
    let nobody_listens = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    let is_free = UnixStream::connect(path).is_err_and(nobody_listens);
    (!is_free).then(|| Problem::new("socket_in_use", "socket", "somebody listens there"))
}

fn log(launch: &Launch) -> Option<Problem> {
    fs::symlink_metadata(launch.log.as_ref()?).ok()?;
    Some(Problem::new("log_exists", "log", "there is something already; a log is one launch's"))
}
