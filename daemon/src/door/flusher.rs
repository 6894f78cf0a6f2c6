//! The flusher: one session that brings to disk what calls have committed, and gives their answers out.
//!
//! Calls commit without waiting for the disk, so that none holds the lock of a chain for the length of a flush. The
//! log of changes reaches the disk in order: a commit of this session that waits for it brings along whatever was
//! committed before. After a crash an unflushed call is gone and a *new* session flushes happily, so a flush counts
//! only for calls that were sent while this very session stood.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::lane::{Waiting, is_shut_out};
use super::{Answer, CallError};

/// Flushes: of the things that write no row the only one that does. Says which backend it was.
const FLUSH: &str = "select pg_backend_pid() from pg_logical_emit_message(true, 'striatum', '')";
/// Answers that may wait for a flush.
const MOST: usize = 1024;
/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);
/// A flush that takes longer counts as hung, and its session as broken.
const HUNG: Duration = Duration::from_secs(180);
/// Between two attempts at one.
const PAUSE: Duration = Duration::from_millis(200);

/// A call that was committed, and whose answer waits for the disk.
struct Committed {
    waiting: Waiting,
    answer: Answer,
    session: u64,
}

/// What there is to flush with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Session {
    /// Nothing just now.
    None,
    /// A session, by its number.
    Stands(u64),
    /// Nothing any more: the login has the password of another daemon.
    ShutOut,
}

/// A handle on the task; it ends with the last one.
#[derive(Clone)]
pub(super) struct Flusher {
    committed: mpsc::Sender<Committed>,
    session: watch::Receiver<Session>,
}

impl Flusher {
    pub(super) fn start(options: PgConnectOptions) -> Self {
        let (committed, queue) = mpsc::channel(MOST);
        let (sessions, session) = watch::channel(Session::None);
        let options = options.options([("synchronous_commit", "on")]);
        tokio::spawn(run(options, queue, Arc::new(sessions)));
        Self { committed, session }
    }

    /// Which session stands, asked before a call is sent.
    ///
    /// # Errors
    /// None came about in time, or none will.
    pub(super) async fn session(&self, deadline: Instant) -> Result<u64, CallError> {
        let mut session = self.session.clone();
        let known = timeout_at(deadline, session.wait_for(|session| *session != Session::None)).await;
        match known.ok().and_then(|known| known.ok().map(|session| *session)) {
            Some(Session::Stands(number)) => Ok(number),
            Some(Session::ShutOut) => Err(CallError::AuthorityLost),
            Some(Session::None) | None => {
                Err(CallError::Unreachable("no session to flush with came about".to_owned()))
            }
        }
    }

    /// Gives an answer out once its call is on disk; where that cannot be told, the call is asked again.
    pub(super) async fn hand(&self, waiting: Waiting, answer: Answer, session: u64) {
        if let Err(unsent) = self.committed.send(Committed { waiting, answer, session }).await {
            unsent.0.waiting.ask_again();
        }
    }
}

async fn run(
    options: PgConnectOptions,
    mut queue: mpsc::Receiver<Committed>,
    sessions: Arc<watch::Sender<Session>>,
) {
    let mut batch = Vec::with_capacity(MOST);
    let mut number = 0;
    let mut is_told = false;
    loop {
        let Some((mut connection, pid)) = connect(&options, &sessions, &mut is_told).await else {
            // Nobody may wait for a session that does not come.
            match timeout(PAUSE, queue.recv()).await {
                Ok(None) => return,
                Ok(Some(orphan)) => orphan.waiting.ask_again(),
                Err(_) => {}
            }
            continue;
        };
        number += 1;
        is_told = false;
        sessions.send_replace(Session::Stands(number));
        // Whatever is in the queue when the flush begins was committed before.
        while queue.recv_many(&mut batch, MOST).await > 0 {
            let flush = sqlx::query_scalar::<_, i32>(FLUSH).fetch_one(&mut connection);
            let flushed = timeout(HUNG, flush)
                .await
                .unwrap_or(Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())));
            let counts = flushed.as_ref().is_ok_and(|flushed| *flushed == pid);
            for Committed { waiting, answer, session } in batch.drain(..) {
                if counts && session == number {
                    waiting.answer(Ok(answer));
                } else {
                    waiting.ask_again();
                }
            }
            if let Err(error) = flushed {
                tracing::warn!(%error, "the session that flushes broke; what was not flushed is asked again");
                break;
            }
        }
        if queue.is_closed() && queue.is_empty() {
            return;
        }
        sessions.send_replace(Session::None);
        sleep(Duration::from_millis(20)).await;
    }
}

async fn connect(
    options: &PgConnectOptions,
    sessions: &watch::Sender<Session>,
    is_told: &mut bool,
) -> Option<(PgConnection, i32)> {
    let connected = async {
        let mut connection = options.connect().await?;
        let pid = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut connection).await?;
        Ok::<_, sqlx::Error>((connection, pid))
    };
    match timeout(CONNECT, connected).await {
        Ok(Ok(connected)) => Some(connected),
        Ok(Err(error)) => {
            if is_shut_out(&error) {
                sessions.send_replace(Session::ShutOut);
            }
            // Once, however often it is tried.
            if !std::mem::replace(is_told, true) {
                tracing::warn!(%error, "no session to flush with");
            }
            None
        }
        Err(_) => None,
    }
}
