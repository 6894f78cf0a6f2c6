//! A daemon: the built program as a child process, with a runtime directory of its own, and its log.
//!
//! The program's path comes from the test (`env!("CARGO_BIN_EXE_striatumd")`): the farm stands below the daemon.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{Client, until};

/// How a daemon is started. The environment of the test is not handed on.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The built program.
    pub program: PathBuf,
    /// `--postgres-url`; none where it is empty.
    pub url: String,
    /// Socket, token and pidfile; made by the daemon.
    pub runtime_dir: PathBuf,
    /// Whether `--runtime-dir` says so on the command line.
    pub names_runtime_dir: bool,
    /// What else stands on the command line.
    pub arguments: Vec<String>,
    /// What else stands in the environment.
    pub variables: Vec<(String, String)>,
}

impl Setup {
    /// With a runtime directory `rt` below a folder.
    pub fn new(program: &str, url: &str, folder: &Path) -> Self {
        Self {
            program: PathBuf::from(program),
            url: url.to_owned(),
            runtime_dir: folder.join("rt"),
            names_runtime_dir: true,
            arguments: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// The same with another variable.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The home folder that the daemon is told of: beside the runtime directory, and not made.
    pub fn home(&self) -> PathBuf {
        self.runtime_dir.with_extension("home")
    }

    /// The command, not started yet: without a shell's environment, so that nothing of this machine's decides.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().env("HOME", self.home()).current_dir("/");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        if self.names_runtime_dir {
            command.arg("--runtime-dir").arg(&self.runtime_dir);
        }
        if !self.url.is_empty() {
            command.args(["--postgres-url", &self.url]);
        }
        command.args(&self.arguments);
        command
    }

    /// The daemon's socket.
    pub fn socket(&self) -> PathBuf {
        self.runtime_dir.join("striatumd.sock")
    }

    /// The token of the first client, which the daemon wrote.
    ///
    /// # Errors
    /// Where there is none.
    pub fn token(&self) -> Result<String> {
        let path = self.runtime_dir.join("client-token");
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        Ok(text.trim_end().to_owned())
    }

    /// Makes the runtime directory as a daemon would, for a test that leaves something in it before.
    ///
    /// # Errors
    /// What the system said.
    pub fn make_runtime_dir(&self) -> Result<()> {
        std::fs::DirBuilder::new().mode(0o700).create(&self.runtime_dir).context("making a runtime directory")
    }
}

/// A daemon that was started. It ends with this value, also when the test panics.
pub struct Daemon {
    setup: Setup,
    process: Child,
    log: Arc<Mutex<Vec<String>>>,
    reader: Option<JoinHandle<()>>,
}

/// How a daemon ended.
#[derive(Debug)]
pub struct Ended {
    /// What the system says.
    pub status: ExitStatus,
    /// `error` of its last line on standard error, where that is a refusal; else null.
    pub error: Value,
}

impl Daemon {
    /// Starts it and waits until it serves.
    ///
    /// # Errors
    /// When it ends before; its log is shown.
    pub fn start(setup: Setup) -> Result<Self> {
        let mut daemon = Self::spawn(setup)?;
        daemon.until_serving()?;
        Ok(daemon)
    }

    /// Starts it.
    ///
    /// # Errors
    /// What the system said.
    pub fn spawn(setup: Setup) -> Result<Self> {
        let mut command = setup.command();
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", setup.program.display()))?;
        let lines = BufReader::new(process.stderr.take().context("standard error was piped")?).lines();
        let log = Arc::new(Mutex::new(Vec::new()));
        let kept = log.clone();
        let reader = std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                kept.lock().expect("nobody panics with the log in hand").push(line);
            }
        });
        Ok(Self { setup, process, log, reader: Some(reader) })
    }

    /// How it was started.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// What it logged so far, a line each.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().expect("nobody panics with the log in hand").clone()
    }

    /// Waits until its `daemon.hello` answers so, and says what it answered.
    ///
    /// # Errors
    /// When it ends before.
    pub fn until_hello(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) -> Result<Value> {
        let mut said = Value::Null;
        until(what, || {
            if let Ok(Some(status)) = self.process.try_wait() {
                said = Value::from(format!("it ended: {status}"));
                return true;
            }
            said = Client::greeted(&self.setup.socket()).map_or(Value::Null, |(_, data)| data);
            is_so(&said)
        });
        if is_so(&said) {
            return Ok(said);
        }
        bail!("{what}: {said}; its log:\n{}", self.log().join("\n"))
    }

    /// Waits until it serves; says what its hello answered.
    ///
    /// # Errors
    /// When it ends before.
    pub fn until_serving(&mut self) -> Result<Value> {
        self.until_hello("the daemon serves", |data| data["boot_epoch"].is_string())
    }

    /// Waits until it is parked for this reason; says how.
    ///
    /// # Errors
    /// When it ends before.
    pub fn until_parked(&mut self, reason: &str) -> Result<Value> {
        let data =
            self.until_hello(&format!("it is parked: {reason}"), |data| data["parked"]["reason"] == reason)?;
        Ok(data["parked"].clone())
    }

    /// A client that has greeted and holds the first client's token.
    ///
    /// # Errors
    /// When the daemon does not answer, or there is no token.
    pub fn client(&self) -> Result<Client> {
        let (client, _) = Client::greeted(&self.setup.socket())?;
        Ok(client.with_token(&self.setup.token()?))
    }

    /// A connection on which nothing was said yet.
    ///
    /// # Errors
    /// When nobody listens.
    pub fn connect(&self) -> Result<Client> {
        Client::connect(&self.setup.socket())
    }

    /// Ends it as a crash would.
    ///
    /// # Errors
    /// What the system said.
    pub fn kill(&mut self) -> Result<()> {
        self.process.kill()?;
        self.ended().map(drop)
    }

    /// Asks it to end.
    ///
    /// # Errors
    /// When it has ended.
    pub fn terminate(&self) -> Result<()> {
        self.signal(Signal::TERM)
    }

    /// Lets it do nothing until it is told to go on.
    ///
    /// # Errors
    /// When it has ended.
    pub fn pause(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    /// Lets it go on.
    ///
    /// # Errors
    /// When it has ended.
    pub fn resume(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        kill_process(Pid::from_child(&self.process), signal).with_context(|| format!("{signal:?}"))
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    /// What the system said.
    pub fn ended(&mut self) -> Result<Ended> {
        until("the daemon ends", || self.has_ended());
        let status = self.process.wait()?;
        if let Some(reader) = self.reader.take() {
            reader.join().map_err(|_| anyhow::anyhow!("the reader of the log panicked"))?;
        }
        let last = self.log().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
        Ok(Ended { status, error: last.map_or(Value::Null, |last| last["error"].clone()) })
    }

    /// Starts it once more with the same runtime directory, after it ended, and waits until it serves.
    ///
    /// # Errors
    /// When it ends again.
    pub fn restart(&mut self) -> Result<()> {
        let again = Self::start(self.setup.clone())?;
        drop(std::mem::replace(self, again));
        Ok(())
    }
}

impl Ended {
    /// `(exit code, error code)`; -1 where a signal ended it, and an empty code where it said nothing.
    pub fn told(&self) -> (i32, &str) {
        (self.status.code().unwrap_or(-1), self.error["code"].as_str().unwrap_or_default())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // Ours until it was waited for, so the number is nobody else's.
        if matches!(self.process.try_wait(), Ok(None)) {
            drop(self.process.kill());
            drop(self.process.wait());
        }
        if std::thread::panicking() {
            eprintln!("the daemon's log:\n{}", self.log().join("\n"));
        }
    }
}

/// Whether a socket stands there.
pub fn is_socket(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|is| is.file_type().is_socket())
}
