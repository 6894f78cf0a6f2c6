//! One connection to the daemon: a line goes out, a line comes back, nothing waits for longer than it may.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use striatum_contract::request::LONGEST_LINE;

/// An open connection.
pub(crate) struct Connection {
    stream: UnixStream,
    /// What has come in and was not yet asked for.
    read: Vec<u8>,
}

/// Why no line came back.
pub(crate) enum Broken {
    /// The other end is gone: closed, reset, killed.
    Gone,
    /// It is there, and time is up.
    Late,
    /// It sends a line without an end, or no text.
    Garbled(&'static str),
}

impl Connection {
    /// Connects. Where the queue of the other end is full, connecting itself waits, and no clock of the socket ends
    /// that: so a thread waits, and is left behind when time is up.
    #[expect(clippy::disallowed_methods, reason = "the one place that opens the daemon's socket")]
    pub(crate) fn open(socket: &Path, within: Duration) -> io::Result<Self> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let path = socket.to_owned();
        std::thread::Builder::new().spawn(move || sender.send(UnixStream::connect(path)))?;
        let late =
            |_| io::Error::new(ErrorKind::TimedOut, format!("no answer within {} s", within.as_secs()));
        let stream = receiver.recv_timeout(within).map_err(late)??;
        Ok(Self { stream, read: Vec::new() })
    }

    /// Sends a line, which ends in a line break, and takes the next line that comes back, without its line break.
    pub(crate) fn exchange(&mut self, line: &[u8], until: Instant) -> Result<String, Broken> {
        self.send(line, until)?;
        self.receive(until)
    }

    fn send(&mut self, mut line: &[u8], until: Instant) -> Result<(), Broken> {
        while !line.is_empty() {
            self.stream.set_write_timeout(Some(left(until)?)).map_err(|_| Broken::Gone)?;
            match self.stream.write(line) {
                Ok(count) => line = &line[count..],
                Err(error) => passing(&error)?,
            }
        }
        Ok(())
    }

    fn receive(&mut self, until: Instant) -> Result<String, Broken> {
        let mut looked_at = 0;
        let end = loop {
            let fresh = self.read[looked_at..].iter().position(|octet| *octet == b'\n');
            let end = fresh.map(|at| looked_at + at);
            looked_at = self.read.len();
            if end.unwrap_or(looked_at) > LONGEST_LINE {
                return Err(Broken::Garbled("is longer than 8 MiB"));
            }
            if let Some(end) = end {
                break end;
            }
            let mut part = [0; 65_536];
            self.stream.set_read_timeout(Some(left(until)?)).map_err(|_| Broken::Gone)?;
            match self.stream.read(&mut part) {
                Ok(0) => return Err(Broken::Gone),
                Ok(count) => self.read.extend_from_slice(&part[..count]),
                Err(error) => passing(&error)?,
            }
        };
        let rest = self.read.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.read, rest);
        line.truncate(end);
        String::from_utf8(line).map_err(|_| Broken::Garbled("is no UTF-8"))
    }
}

/// What is left of the time, more than nothing.
fn left(until: Instant) -> Result<Duration, Broken> {
    match until.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(Broken::Late),
        left => Ok(left),
    }
}

/// Whether an error ends nothing: an interrupted call, or the clock of the socket, which `left` reads again.
fn passing(error: &io::Error) -> Result<(), Broken> {
    match error.kind() {
        ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut => Ok(()),
        _ => Err(Broken::Gone),
    }
}
