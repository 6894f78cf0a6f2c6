//! The daemon's side: start a helper, and speak with one that runs.
#![expect(clippy::disallowed_methods, reason = "helpers are started and reached from here alone")]

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::Command;
use tokio::time::timeout;

use crate::event::Event;
use crate::launch::{Launch, Launched, Problem};
use crate::lines::{Line, Lines};
use crate::process::Process;
use crate::request::{Operation, Refused};

/// How long a helper may take for an answer; a stop may take its grace in addition.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most events that are held while a reply is awaited: far more than a helper ever holds.
const WAITING_EVENTS: usize = 1024;

/// Why nothing was launched.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The helper refuses. Nothing runs and nothing was left.
    #[error("the launch is refused: {}", list(.0))]
    Refused(Vec<Problem>),
    /// The program of the helper could not be started.
    #[error("the helper cannot be started")]
    Start(#[source] io::Error),
    /// It started and did not answer: whether an agent runs, the pidfile says.
    #[error("the helper did not answer")]
    NoAnswer(#[source] io::Error),
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; ")
}

/// Starts a helper, which outlives the caller, and answers when its agent runs or could not be executed.
pub async fn launch(helper: &Path, launch: &Launch) -> Result<Launched, LaunchError> {
    let mut child = Command::new(helper)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(LaunchError::Start)?;
    let mut stdin = child.stdin.take().expect("it was asked for");
    let mut stdout = child.stdout.take().expect("it was asked for");
    // The child is dropped and not killed: tokio reaps it when it has ended.
    drop(child);
    let exchange = async {
        let line = format!("{}\n", json!(launch));
        // A helper that refuses a launch by its size hangs up before it has read all, and says why all the same.
        let sent = stdin.write_all(line.as_bytes()).await;
        drop(stdin);
        let mut answer = Vec::new();
        stdout.read_to_end(&mut answer).await?;
        if answer.is_empty() { sent.map(|()| answer) } else { Ok(answer) }
    };
    let answer = timeout(PATIENCE, exchange)
        .await
        .map_err(|_| LaunchError::NoAnswer(io::ErrorKind::TimedOut.into()))?
        .map_err(LaunchError::NoAnswer)?;
    read_answer(&answer)
}

fn read_answer(line: &[u8]) -> Result<Launched, LaunchError> {
    let read = || -> serde_json::Result<Result<Launched, Vec<Problem>>> {
        let mut value: Value = serde_json::from_slice(line)?;
        if value["ok"] == true {
            Ok(Ok(serde_json::from_value(value)?))
        } else {
            Ok(Err(serde_json::from_value(value["problems"].take())?))
        }
    };
    match read() {
        Ok(answer) => answer.map_err(LaunchError::Refused),
        Err(error) => Err(LaunchError::NoAnswer(error.into())),
    }
}

/// Why a helper did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// It refuses, and nothing changed.
    #[error(transparent)]
    Refused(Refused),
    /// The connection broke, or what came over it is no answer. Whether it was done is not known.
    #[error("the helper cannot be reached")]
    Connection(#[from] io::Error),
}

/// Who is there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Hello {
    /// Of which supervisor.
    pub supervisor_id: String,
    /// The helper.
    pub helper: Process,
    /// The agent; none where it could not be executed.
    pub agent: Option<Process>,
    /// Its terminal.
    pub pts: Option<String>,
    /// Whether it runs.
    pub state: AgentState,
    /// The number of the newest event; 0 before the first.
    pub last_seq: u64,
}

/// Whether an agent runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentState {
    /// It runs.
    Running,
    /// It ended, or never ran: the last event says which.
    Exited,
}

/// What a stop did.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Stopped {
    /// Processes that were sent SIGTERM.
    pub signalled: u64,
    /// Processes that were sent SIGKILL.
    pub killed: u64,
    /// Processes that live on: of another user, or stuck in the kernel.
    pub left: Vec<i32>,
}

/// A connection to a helper. Requests wait for their reply; for events that come while a stop takes its time, a second
/// connection is the way.
#[derive(Debug)]
pub struct Connection {
    lines: Lines<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    waiting: VecDeque<Event>,
    next_id: u64,
}

impl Connection {
    /// Reaches the helper at a socket.
    pub async fn open(socket: &Path) -> io::Result<Self> {
        let (reader, writer) = UnixStream::connect(socket).await?.into_split();
        Ok(Self { lines: Lines::new(reader), writer, waiting: VecDeque::new(), next_id: 1 })
    }

    /// Asks who is there.
    pub async fn hello(&mut self) -> Result<Hello, RequestError> {
        self.ask(Operation::Hello {}, PATIENCE).await
    }

    /// From here on [`Self::next_event`] answers every event with a number above this one.
    pub async fn events(&mut self, after: u64) -> Result<(), RequestError> {
        self.ask(Operation::Events { after }, PATIENCE).await.map(|Done {}| ())
    }

    /// The next event, or none where the helper hung up. Waits without limit, and may be dropped while it waits.
    pub async fn next_event(&mut self) -> io::Result<Option<Event>> {
        if let Some(event) = self.waiting.pop_front() {
            return Ok(Some(event));
        }
        loop {
            let Some(value) = self.next_value().await? else { return Ok(None) };
            // What is no event is the late reply to a request that was given up.
            if let Some(event) = Event::from_json(&value) {
                return Ok(Some(event));
            }
        }
    }

    /// Takes over every event up to this number. After the last event the helper ends.
    pub async fn ack(&mut self, up_to: u64) -> Result<(), RequestError> {
        self.ask(Operation::Ack { up_to }, PATIENCE).await.map(|Done {}| ())
    }

    /// Hands octets to the terminal, all or none: `delivery_blocked` where the agent does not read what came before.
    pub async fn write(&mut self, octets: &[u8]) -> Result<(), RequestError> {
        let operation = Operation::Write { data_base64: STANDARD.encode(octets) };
        self.ask(operation, PATIENCE).await.map(|Done {}| ())
    }

    /// Gives the terminal another size.
    pub async fn resize(&mut self, rows: u16, cols: u16) -> Result<(), RequestError> {
        self.ask(Operation::Resize { rows, cols }, PATIENCE).await.map(|Done {}| ())
    }

    /// Ends the agent with everything that it started: SIGTERM, and after the grace SIGKILL. Goes on when this is
    /// dropped.
    pub async fn stop(&mut self, grace: Duration) -> Result<Stopped, RequestError> {
        let grace_ms = u64::try_from(grace.as_millis()).unwrap_or(u64::MAX);
        self.ask(Operation::Stop { grace_ms }, grace.saturating_add(PATIENCE)).await
    }

    async fn ask<T: for<'de> Deserialize<'de>>(
        &mut self,
        operation: Operation,
        patience: Duration,
    ) -> Result<T, RequestError> {
        let timed_out = |_| io::Error::from(io::ErrorKind::TimedOut);
        let reply = timeout(patience, self.exchange(operation)).await.map_err(timed_out)??;
        if reply["ok"] == true {
            Ok(T::deserialize(&reply).map_err(io::Error::from)?)
        } else {
            Err(RequestError::Refused(Refused::deserialize(&reply["error"]).map_err(io::Error::from)?))
        }
    }

    async fn exchange(&mut self, operation: Operation) -> io::Result<Value> {
        let id = json!(self.next_id);
        self.next_id += 1;
        let mut request = json!(operation);
        request["id"] = id.clone();
        self.writer.write_all(format!("{request}\n").as_bytes()).await?;
        loop {
            let value = self.next_value().await?.ok_or(io::ErrorKind::UnexpectedEof)?;
            if let Some(event) = Event::from_json(&value) {
                if self.waiting.len() == WAITING_EVENTS {
                    return Err(io::Error::other("more events than a helper holds"));
                }
                self.waiting.push_back(event);
            } else if value["id"] == id || value["id"].is_null() {
                // Without an id the helper could not read the request: it is the answer all the same.
                return Ok(value);
            }
        }
    }

    async fn next_value(&mut self) -> io::Result<Option<Value>> {
        match self.lines.next().await? {
            None => Ok(None),
            Some(Line::Whole(line)) => Ok(Some(serde_json::from_slice(&line)?)),
            Some(Line::TooLong) => Err(io::Error::other("the helper sent a line over the limit")),
        }
    }
}

/// A reply without data.
#[derive(Debug, Deserialize)]
struct Done {}
