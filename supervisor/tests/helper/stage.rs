//! A folder of its own, a launch into it, and a look at what runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use striatum_supervisor::client::{Connection, LaunchError, launch};
use striatum_supervisor::event::Event;
use striatum_supervisor::launch::{Launch, Launched};
use striatum_supervisor::pidfile::Pidfile;
use striatum_supervisor::process::{Liveness, Process};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::time::{sleep, timeout};

/// After this a test counts as hung.
pub(crate) const HUNG: Duration = Duration::from_secs(60);

pub(crate) const HELPER: &str = env!("CARGO_BIN_EXE_striatum-supervisor-helper");

/// A launch, and when it was started what was started.
pub(crate) struct Stage {
    pub(crate) folder: TempDir,
    pub(crate) launch: Launch,
}

impl Stage {
    /// An agent of these arguments, with a log.
    pub(crate) fn of(argv: &[&str]) -> Self {
        let folder = TempDir::new().expect("a folder");
        let argv = argv.iter().map(|&argument| argument.to_owned()).collect();
        let mut launch = Launch::new("sup_0000000000000001", argv, folder.path(), folder.path());
        launch.env = [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into();
        launch.log = Some(folder.path().join("pty.log"));
        Self { folder, launch }
    }

    /// An agent that is a script, and runs in the folder of the stage.
    pub(crate) fn sh(script: &str) -> Self {
        Self::of(&["/bin/sh", "-c", script])
    }

    pub(crate) async fn start(&self) -> Launched {
        self.try_start().await.expect("a launch")
    }

    pub(crate) async fn try_start(&self) -> Result<Launched, LaunchError> {
        launch(Path::new(HELPER), &self.launch).await
    }

    /// Without the client: by a line of sh, which finds the helper as `$0`.
    pub(crate) fn start_by_hand(&self, script: &str) -> Child {
        let mut helper = Command::new("/bin/sh")
            .args(["-c", script, HELPER])
            .env("INHERITED", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("a shell");
        serde_json::to_writer(helper.stdin.take().expect("a pipe"), &self.launch).expect("it reads");
        helper
    }

    /// The codes and fields that a launch is refused with.
    pub(crate) async fn refused(&self) -> Vec<(String, String)> {
        match self.try_start().await {
            Err(LaunchError::Refused(problems)) => {
                problems.into_iter().map(|problem| (problem.code, problem.field)).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn connect(&self) -> Connection {
        Connection::open(&self.launch.socket).await.expect("a helper that listens")
    }

    /// A client that says what it wants, octet by octet.
    pub(crate) async fn raw(&self) -> Raw {
        Raw(BufReader::new(UnixStream::connect(&self.launch.socket).await.expect("a helper that listens")))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the agent showed.
    pub(crate) fn shown(&self) -> String {
        fs::read_to_string(self.launch.log.as_ref().expect("a log")).unwrap_or_default()
    }

    pub(crate) async fn shows(&self, text: &str) {
        until(text, || self.shown().contains(text)).await;
    }

    /// The number that an agent wrote into a file.
    pub(crate) async fn number(&self, name: &str) -> i32 {
        let read = || fs::read_to_string(self.path(name)).ok()?.trim().parse().ok();
        until(name, || read().is_some()).await;
        read().expect("it was read")
    }
}

impl Drop for Stage {
    /// A helper that a test leaves behind ends what it started.
    fn drop(&mut self) {
        if let Some(found) = Pidfile::read(&self.launch.pidfile)
            && found.helper.liveness() == Liveness::Alive
        {
            signal(found.helper.pid, Signal::TERM);
        }
    }
}

pub(crate) struct Raw(BufReader<UnixStream>);

impl Raw {
    pub(crate) async fn send(&mut self, octets: &[u8]) {
        within(self.0.write_all(octets)).await.expect("a helper that reads");
    }

    pub(crate) fn stream(&self) -> &UnixStream {
        self.0.get_ref()
    }

    /// The next line, or null at the end.
    pub(crate) async fn line(&mut self) -> Value {
        let mut line = String::new();
        within(self.0.read_line(&mut line)).await.expect("a line");
        if line.is_empty() { Value::Null } else { serde_json::from_str(&line).expect("JSON") }
    }

    pub(crate) async fn ask(&mut self, request: &Value) -> Value {
        self.send(format!("{request}\n").as_bytes()).await;
        self.line().await
    }
}

pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    timeout(HUNG, future).await.expect("it hangs")
}

pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let wait = async {
        while !is_so() {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(HUNG, wait).await.unwrap_or_else(|_| panic!("{what} never came"));
}

pub(crate) async fn gone(process: &Process) {
    until("an end", || process.liveness() == Liveness::Gone).await;
}

pub(crate) fn signal(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).expect("a number"), signal).expect("a process");
}

pub(crate) async fn next(connection: &mut Connection) -> Event {
    within(connection.next_event()).await.expect("a connection").expect("an event")
}

/// Every event up to the last one.
pub(crate) async fn all(connection: &mut Connection) -> Vec<Event> {
    connection.events(0).await.expect("a subscription");
    let mut events = vec![next(connection).await];
    while !events.last().is_some_and(Event::is_last) {
        events.push(next(connection).await);
    }
    events
}

/// A field of /proc/PID/status.
pub(crate) fn status(pid: i32, field: &str) -> String {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':')).expect("a field");
    line.trim().to_owned()
}

/// What the open files of a process are.
pub(crate) fn open_files(pid: i32) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).expect("a process");
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.file_name().into_string().ok()?, fs::read_link(entry.path()).ok()?))
        })
        .collect();
    files.sort();
    files
}
