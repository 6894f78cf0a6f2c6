//! The lines of a connection, read within the room that all connections share.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Octets of a line that every connection may have, whatever the others hold.
pub const SMALL: usize = 1 << 16;
/// Octets that lines may hold beyond that, all together: half-sent ones, and those that are being answered.
const ROOM: usize = 64 << 20;

/// The room that is left, an octet a permit.
#[derive(Clone)]
pub struct Room(Arc<Semaphore>);

impl Room {
    /// All of it.
    pub fn whole() -> Self {
        Self(Arc::new(Semaphore::new(ROOM)))
    }
}

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// A line; the last one may lack its line break.
    Line,
    /// Nothing more.
    End,
    /// More than a line may have.
    TooLong,
    /// A long line, while others hold all the room for such.
    NoRoom,
}

/// The lines of one connection.
pub struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    longest: usize,
    room: Room,
    held: Option<OwnedSemaphorePermit>,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Of at most `longest` octets, the line break counted.
    pub fn of(reader: R, longest: usize, room: Room) -> Self {
        let reader = BufReader::with_capacity(SMALL, reader);
        Self { reader, line: Vec::new(), longest, room, held: None }
    }

    /// Where they come from.
    pub fn reader(&self) -> &R {
        self.reader.get_ref()
    }

    /// The line that came last.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Waits for the next one; the one before is gone, and its room given back.
    ///
    /// # Errors
    /// What the system said.
    pub async fn next(&mut self) -> io::Result<Next> {
        self.line.clear();
        if self.held.take().is_some() {
            self.line = Vec::new();
        }
        loop {
            let came = self.reader.fill_buf().await?;
            let end = came.iter().position(|octet| *octet == b'\n');
            let taken = end.map_or(came.len(), |at| at + 1);
            if taken == 0 {
                return Ok(if self.line.is_empty() { Next::End } else { Next::Line });
            }
            let length = self.line.len() + taken;
            if length > self.longest {
                return Ok(Next::TooLong);
            }
            if !has_room(
                &mut self.line,
                &mut self.held,
                &self.room,
                length.next_power_of_two().min(self.longest),
            ) {
                return Ok(Next::NoRoom);
            }
            self.line.extend_from_slice(&came[..taken]);
            self.reader.consume(taken);
            if end.is_some() {
                return Ok(Next::Line);
            }
        }
    }
}

/// Makes the line's buffer this large, so that what is counted is what is held.
fn has_room(line: &mut Vec<u8>, held: &mut Option<OwnedSemaphorePermit>, room: &Room, size: usize) -> bool {
    let held_now = held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
    let more = size.saturating_sub(SMALL).saturating_sub(held_now);
    if more > 0 {
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        let Ok(permit) = room.0.clone().try_acquire_many_owned(more) else { return false };
        match held {
            Some(held) => held.merge(permit),
            None => *held = Some(permit),
        }
    }
    line.reserve_exact(size - line.len());
    true
}
