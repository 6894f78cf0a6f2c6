//! A line of waiting calls, and the connections that take them, first come first served.
//!
//! A call is one statement and so one transaction. It commits without waiting for the disk, its connection takes the
//! next one, and the flusher gives the answer out. A call that is alone waits for the disk itself: one way less.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgDatabaseError};
use sqlx::types::Json;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout};

use super::flusher::Flusher;
use super::{Answer, Ask, CALL, CallError, Identity, Unsettled};
use crate::fault;
use crate::secret::Secret;

/// Calls that may wait in one line before callers wait for a place in it.
const LONGEST_LINE: usize = 1024;
/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);
/// A statement that takes longer than its own timeout by this much counts as hung, and its connection as broken.
const HUNG: Duration = Duration::from_secs(180);

/// A line.
#[derive(Clone)]
pub struct Lane {
    line: mpsc::Sender<Waiting>,
    /// Calls that are waited for.
    open: Arc<AtomicUsize>,
}

/// A call, and who waits for its answer.
pub(super) struct Waiting {
    ask: Ask,
    answer: oneshot::Sender<Result<Answer, CallError>>,
    line: mpsc::WeakSender<Waiting>,
    open: Arc<AtomicUsize>,
    /// Whether it was in the database before, with an outcome that nobody knows.
    was_sent: bool,
}

impl Waiting {
    /// Ends the wait.
    pub(super) fn answer(self, answer: Result<Answer, CallError>) {
        self.open.fetch_sub(1, Ordering::Relaxed);
        // A caller that has gone away does not need it.
        drop(self.answer.send(answer));
    }

    /// Puts it into its line once more, under the same request id: its replay tells what was done.
    pub(super) fn ask_again(mut self) {
        self.was_sent = true;
        match self.line.upgrade() {
            Some(line) => drop(tokio::spawn(async move {
                if let Err(unsent) = line.send(self).await {
                    unsent.0.answer(Err(CallError::Unreachable("the daemon ends".to_owned())));
                }
            })),
            None => self.answer(Err(CallError::Unreachable("the daemon ends".to_owned()))),
        }
    }
}

impl Lane {
    /// Starts the connections' tasks; they end when the last handle on the line is gone.
    pub(super) fn start(
        options: &PgConnectOptions,
        authority: &Secret,
        daemon: &Identity,
        connections: usize,
        flusher: &Flusher,
    ) -> Self {
        let (line, queue) = mpsc::channel(LONGEST_LINE);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..connections {
            let taker = Taker {
                options: options.clone(),
                authority: authority.clone(),
                daemon: daemon.clone(),
                flusher: flusher.clone(),
                connection: None,
            };
            tokio::spawn(taker.run(queue.clone()));
        }
        Self { line, open: Arc::default() }
    }

    /// Waits for its turn and for the answer. A caller that goes away does not end a call that was sent.
    pub(super) async fn call(&self, ask: &Ask) -> Result<Answer, CallError> {
        let (answer, told) = oneshot::channel();
        let closed = || CallError::Internal("the line to the database is closed".to_owned());
        let place = self.line.reserve().await.map_err(|_| closed())?;
        self.open.fetch_add(1, Ordering::Relaxed);
        place.send(Waiting {
            ask: ask.clone(),
            answer,
            line: self.line.downgrade(),
            open: self.open.clone(),
            was_sent: false,
        });
        told.await.map_err(|_| closed())?
    }
}

/// One connection, and what it needs to come about again.
struct Taker {
    options: PgConnectOptions,
    authority: Secret,
    daemon: Identity,
    flusher: Flusher,
    connection: Option<PgConnection>,
}

impl Taker {
    async fn run(mut self, queue: Arc<Mutex<mpsc::Receiver<Waiting>>>) {
        loop {
            // The lock is held while waiting: whoever waits longest takes next.
            let next = queue.lock().await.recv().await;
            let Some(waiting) = next else { break };
            self.take(waiting).await;
        }
        if let Some(connection) = self.connection.take() {
            drop(connection.close().await);
        }
    }

    async fn take(&mut self, waiting: Waiting) {
        let deadline = waiting.ask.deadline;
        if deadline <= Instant::now() {
            let error = match waiting.was_sent {
                true => CallError::Unreachable("the connection to the database broke".to_owned()),
                false => CallError::Late,
            };
            return waiting.answer(Err(error));
        }
        let session = match self.flusher.session(deadline).await {
            Ok(session) => session,
            Err(error) => return waiting.answer(Err(error)),
        };
        let is_alone = waiting.open.load(Ordering::Relaxed) == 1;
        let Commit { is_durable, is_flushed } = Commit::of(is_alone);
        match self.send(&waiting.ask, is_durable).await {
            Ok(answer) if !is_flushed => waiting.answer(Ok(answer)),
            Ok(answer) => self.flusher.hand(waiting, answer, session).await,
            Err(Failed::Refused(error)) => waiting.answer(Err(error)),
            // Nobody knows whether it was done.
            Err(Failed::Broken(said)) => {
                tracing::warn!(said, "the connection to the database broke; the call is asked again");
                sleep(Duration::from_millis(50)).await;
                waiting.ask_again();
            }
        }
    }

    async fn send(&mut self, ask: &Ask, is_durable: bool) -> Result<Answer, Failed> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(connect(&self.options).await?),
        };
        let row = sqlx::query_scalar::<_, Json<Answer>>(CALL)
            .bind(self.authority.octets())
            .bind(ask.to_json(&self.daemon, is_durable))
            .fetch_one(connection);
        let outcome = match timeout(HUNG, row).await {
            Ok(outcome) => outcome.map_err(Failed::from),
            Err(_) => Err(Failed::Broken("no answer came".to_owned())),
        };
        fault::point("committed");
        if matches!(outcome, Err(Failed::Broken(_))) {
            self.connection = None;
        }
        outcome.map(|Json(answer)| answer)
    }
}

/// How a call comes to the disk.
pub(super) struct Commit {
    /// By its own commit.
    pub(super) is_durable: bool,
    /// By a flush after it.
    pub(super) is_flushed: bool,
}

impl Commit {
    #[cfg(feature = "acknowledge_early")]
    fn of(_is_alone: bool) -> Self {
        Self { is_durable: false, is_flushed: false }
    }

    #[cfg(not(any(feature = "bench", feature = "acknowledge_early")))]
    fn of(is_alone: bool) -> Self {
        Self { is_durable: is_alone, is_flushed: !is_alone }
    }

    #[cfg(all(feature = "bench", not(feature = "acknowledge_early")))]
    fn of(is_alone: bool) -> Self {
        super::measured::commit(is_alone)
    }
}

async fn connect(options: &PgConnectOptions) -> Result<PgConnection, Failed> {
    match timeout(CONNECT, options.connect()).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) if is_shut_out(&error) => Err(Failed::Refused(CallError::AuthorityLost)),
        Ok(Err(error)) => Err(Failed::Broken(said(&error))),
        Err(_) => Err(Failed::Broken("no connection came about".to_owned())),
    }
}

/// How a statement failed.
#[derive(Debug, thiserror::Error)]
enum Failed {
    /// The connection is gone, and with it the word on what was done.
    #[error("{0}")]
    Broken(String),
    /// The database said no, and everything is as it was.
    #[error(transparent)]
    Refused(CallError),
}

impl From<sqlx::Error> for Failed {
    fn from(error: sqlx::Error) -> Self {
        let Some(database) = error.as_database_error() else {
            return match error {
                sqlx::Error::Io(_) | sqlx::Error::Protocol(_) => Self::Broken(said(&error)),
                other => Self::Refused(CallError::Internal(said(&other))),
            };
        };
        match database.code().as_deref() {
            // Locks, deadlocks, serialization, a cancelled statement: a later try may succeed.
            Some("55P03" | "40P01" | "40001" | "57014") => Self::Refused(CallError::Busy),
            Some("28000") => Self::Refused(CallError::AuthorityLost),
            Some("ST002") => Self::Refused(match database.message() {
                "look" => CallError::Unsettled(Unsettled::Look),
                _ => CallError::Unsettled(Unsettled::Wait(
                    database
                        .try_downcast_ref::<PgDatabaseError>()
                        .and_then(PgDatabaseError::detail)
                        .unwrap_or_default()
                        .to_owned(),
                )),
            }),
            // The server ends connections when it shuts down, recovers, or is told to.
            Some("57P01" | "57P02" | "57P03" | "57P05" | "08000" | "08003" | "08006" | "53300") => {
                Self::Broken(said(&error))
            }
            _ => Self::Refused(CallError::Internal(said(&error))),
        }
    }
}

/// Whether the password was refused. Each bootstrap gives the login another one: this one is no longer the serving
/// daemon's.
pub(super) fn is_shut_out(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|said| said.code()).as_deref() == Some("28P01")
}

/// What went wrong, without what sqlx adds of PostgreSQL's C sources, and without bound values.
fn said(error: &sqlx::Error) -> String {
    match error.as_database_error() {
        Some(database) => {
            format!("{} ({})", database.message(), database.code().as_deref().unwrap_or("no code"))
        }
        None => error.to_string(),
    }
}
