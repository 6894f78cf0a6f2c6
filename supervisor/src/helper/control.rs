//! The control socket. Every client has a task of its own, so that one who does not read holds up nobody but itself.

use std::io;
use std::os::unix::net::UnixListener as Socket;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustix::process::geteuid;
use serde_json::{Value, json};
use striatum_supervisor::lines::{Line, Lines};
use striatum_supervisor::process::Process;
use striatum_supervisor::request::{Operation, Refused, read, reply};
use tokio::io::AsyncWriteExt as _;
use tokio::net::unix::OwnedWriteHalf;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::agent::Agent;
use super::events::Events;
use super::place::Place;

/// The most clients at a time.
const CLIENTS: usize = 32;
/// How long a client may leave what it is sent unread before it is hung up on.
const READING: Duration = Duration::from_secs(10);
/// How long accepting rests when the system has no file left.
const REST: Duration = Duration::from_millis(100);

/// What every connection knows.
struct Served {
    supervisor_id: String,
    helper: Process,
    agent: Arc<Agent>,
    events: Arc<Events>,
}

/// Serves the socket, and each that comes in its place, until the helper ends; what is being answered then is answered.
pub(super) fn serve(
    place: &Place,
    socket: Socket,
    sockets: mpsc::Receiver<Socket>,
    agent: &Arc<Agent>,
    events: &Arc<Events>,
    is_ending: watch::Receiver<bool>,
) -> io::Result<JoinHandle<()>> {
    let served = Served {
        supervisor_id: place.supervisor_id.clone(),
        helper: place.helper.clone(),
        agent: Arc::clone(agent),
        events: Arc::clone(events),
    };
    Ok(tokio::spawn(accept(listen(socket)?, sockets, Arc::new(served), is_ending)))
}

fn listen(socket: Socket) -> io::Result<UnixListener> {
    socket.set_nonblocking(true)?;
    UnixListener::from_std(socket)
}

async fn accept(
    mut listener: UnixListener,
    mut sockets: mpsc::Receiver<Socket>,
    served: Arc<Served>,
    mut is_ending: watch::Receiver<bool>,
) {
    let mut clients = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(socket) = sockets.recv() => {
                // The old one has no name any more.
                listener = listen(socket).unwrap_or(listener);
                continue;
            }
            Some(_) = clients.join_next() => continue,
            _ = is_ending.changed() => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(REST).await;
            continue;
        };
        // The mode of the socket says the same; this holds where somebody changed it.
        if stream.peer_cred().is_ok_and(|peer| peer.uid() == geteuid().as_raw()) {
            if clients.len() < CLIENTS {
                clients.spawn(connection(stream, Arc::clone(&served), is_ending.clone()));
            } else {
                let refused =
                    Refused::new("connections_exhausted", format!("{CLIENTS} clients are connected"));
                // It fits into the socket's buffer, or the client never learns.
                let _ = stream.try_write(format!("{}\n", reply(Value::Null, Err(refused))).as_bytes());
            }
        }
    }
    while clients.join_next().await.is_some() {}
}

async fn connection(stream: UnixStream, served: Arc<Served>, mut is_ending: watch::Receiver<bool>) {
    let (reader, mut writer) = stream.into_split();
    let mut lines = Lines::new(reader);
    let mut changes = served.events.changes();
    // The newest event that was sent, once the client wants any.
    let mut sent: Option<u64> = None;
    loop {
        let line = tokio::select! {
            biased;
            line = lines.next() => line,
            _ = changes.changed(), if sent.is_some() => Ok(Some(Line::Whole(Vec::new()))),
            _ = is_ending.wait_for(|ending| *ending) => return,
        };
        let answered = match line {
            Ok(Some(line)) => served.answer(line, &mut sent, &mut writer).await,
            Ok(None) | Err(_) => return,
        };
        if answered.is_err() || served.send_events(&mut sent, &mut writer).await.is_err() {
            return;
        }
    }
}

impl Served {
    /// Answers a line; an empty one asks nothing.
    async fn answer(
        &self,
        line: Line,
        sent: &mut Option<u64>,
        writer: &mut OwnedWriteHalf,
    ) -> io::Result<()> {
        let (id, answer) = match line {
            Line::Whole(line) if line.trim_ascii().is_empty() => return Ok(()),
            Line::TooLong => (Value::Null, Err(Refused::new("line_too_long", "a line has up to 1 MiB"))),
            Line::Whole(line) => match read(&line) {
                (id, Ok(operation)) => (id, self.perform(operation, sent).await),
                (id, Err(refused)) => (id, Err(refused)),
            },
        };
        send(writer, &format!("{}\n", reply(id, answer))).await
    }

    async fn perform(&self, operation: Operation, sent: &mut Option<u64>) -> Result<Value, Refused> {
        let done = || json!({});
        match operation {
            Operation::Hello {} => Ok(json!({
                "supervisor_id": self.supervisor_id,
                "helper": self.helper,
                "agent": self.agent.process,
                "pts": self.agent.pts,
                "state": if self.agent.is_running() { "running" } else { "exited" },
                "last_seq": self.events.last_seq(),
            })),
            Operation::Events { after } => {
                self.events.must_exist(after)?;
                *sent = Some(after);
                Ok(done())
            }
            Operation::Ack { up_to } => self.events.acknowledge(up_to).map(|()| done()),
            Operation::Write { data_base64 } => {
                let octets = STANDARD
                    .decode(data_base64)
                    .map_err(|_| Refused::new("request_malformed", "data_base64 is not base64"))?;
                self.agent.write(&octets).map(|()| done())
            }
            Operation::Resize { rows, cols } => self.agent.resize(rows, cols).map(|()| done()),
            Operation::Stop { grace_ms } => {
                // A connection is read again when its request is answered: a client that hangs up breaks nothing off.
                let ended = self.agent.stop(Duration::from_millis(grace_ms)).await;
                if ended.is_unknown {
                    return Err(Refused::new("system_failed", "the system does not list its processes"));
                }
                Ok(json!({
                    "signalled": ended.signalled.len(),
                    "killed": ended.killed.len(),
                    "left": ended.left,
                }))
            }
        }
    }

    async fn send_events(&self, sent: &mut Option<u64>, writer: &mut OwnedWriteHalf) -> io::Result<()> {
        let Some(newest) = sent else { return Ok(()) };
        for (seq, line) in self.events.above(*newest) {
            send(writer, &line).await?;
            *newest = seq;
        }
        Ok(())
    }
}

async fn send(writer: &mut OwnedWriteHalf, line: &str) -> io::Result<()> {
    timeout(READING, writer.write_all(line.as_bytes())).await.map_err(|_| io::ErrorKind::TimedOut)?
}
