//! The unix socket: one JSON object a line, requests of a connection in their order.
#![expect(clippy::disallowed_methods, reason = "sockets are opened by transports")]

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use striatum_contract::reply::Reply;
use tokio::io::{AsyncWriteExt as _, Interest};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::line::{Lines, Next, Room};
use crate::door::Transport;
use crate::exchange::Exchange;
use crate::runtime_dir::RuntimeDir;
use crate::serve::Daemon;

/// Connections at once.
const MOST_CONNECTIONS: usize = 1024;
/// How long a connection may say nothing: before its greeting, and after it.
const UNGREETED: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(600);
/// How long a client may take to read a reply.
const SLOWEST_READER: Duration = Duration::from_secs(30);

/// How often it is looked whether a client that said more is still there.
const LISTENS: Duration = Duration::from_millis(250);

/// Replies that are made and not written yet.
static UNWRITTEN: AtomicUsize = AtomicUsize::new(0);

/// Listens where nobody but this user can connect.
///
/// # Errors
/// What the system said.
pub fn listen(runtime_dir: &mut RuntimeDir) -> io::Result<UnixListener> {
    let listener = UnixListener::bind(runtime_dir.socket()?)?;
    runtime_dir.keep_socket()?;
    Ok(listener)
}

/// Serves connections until it is dropped.
pub async fn run(listener: UnixListener, daemon: Arc<Daemon>, line_bytes: usize) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let room = Room::whole();
    loop {
        let place = places.clone().acquire_owned().await.expect("the semaphore is never closed");
        match listener.accept().await {
            Ok((stream, _)) => {
                let exchange = Exchange::new(daemon.clone(), Transport::Rpc);
                let room = room.clone();
                tokio::spawn(async move {
                    connection(stream, exchange, line_bytes, room).await;
                    drop(place);
                });
            }
            Err(error) => {
                // Out of descriptors, most likely: that passes.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Waits until refusals that say that the daemon is about to stop are written, at most as long as a reader may take.
pub async fn flushed() {
    let written = async {
        while UNWRITTEN.load(Ordering::Acquire) > 0 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    drop(timeout(SLOWEST_READER, written).await);
}

/// The requests of one connection. What a client has asked for is finished also where it has gone away; only what it
/// waits for is not waited for any more.
async fn connection(stream: UnixStream, mut exchange: Exchange, line_bytes: usize, room: Room) {
    let (reader, mut writer) = stream.into_split();
    let mut lines = Lines::of(reader, line_bytes, room);
    loop {
        let patience = if exchange.has_greeted() { IDLE } else { UNGREETED };
        let Ok(next) = timeout(patience, lines.next()).await else { return };
        let unheard = match next {
            Ok(Next::End) | Err(_) => return,
            Ok(Next::TooLong) => Some(exchange.too_long(line_bytes).await),
            Ok(Next::NoRoom) => Some(exchange.no_room().await),
            Ok(Next::Line) => None,
        };
        // The rest of such a line is not read: nothing can follow it.
        if let Some(reply) = unheard {
            drop(write(&mut writer, &reply).await);
            return;
        }
        if lines.line().iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let said = exchange.answer(lines.line(), gone(lines.reader(), &writer)).await;
        if write(&mut writer, &said.reply).await.is_err() || said.is_last {
            return;
        }
    }
}

/// Waits until the client is gone. One that will say nothing more may still listen.
async fn gone(reader: &OwnedReadHalf, writer: &OwnedWriteHalf) {
    loop {
        let readable = reader.ready(Interest::READABLE).await;
        let Ok(writable) = writer.ready(Interest::WRITABLE).await else { return };
        if readable.is_err() || writable.is_write_closed() {
            return;
        }
        sleep(LISTENS).await;
    }
}

async fn write(writer: &mut OwnedWriteHalf, reply: &Reply) -> io::Result<()> {
    UNWRITTEN.fetch_add(1, Ordering::AcqRel);
    let written = timeout(SLOWEST_READER, writer.write_all(&reply.to_line())).await;
    UNWRITTEN.fetch_sub(1, Ordering::AcqRel);
    written.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}
