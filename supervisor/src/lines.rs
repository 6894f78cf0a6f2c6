//! One JSON document a line, in both directions, and no line longer than a limit.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// The most octets of a line on the control socket, without its end.
pub const LINE_OCTETS: usize = 1024 * 1024;

/// A line that came.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// One over the limit; what follows of it is passed over.
    TooLong,
}

/// Lines out of a stream.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    held: Vec<u8>,
    /// How far `held` was searched for the end of a line.
    searched: usize,
    is_skipping: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Over a stream.
    pub fn new(reader: R) -> Self {
        Self { reader, held: Vec::new(), searched: 0, is_skipping: false }
    }

    /// The next line, or none at the end. A line that is cut off by the end is none. May be dropped while it waits:
    /// nothing that was read is lost.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.take() {
                return Ok(Some(line));
            }
            self.held.reserve(64 * 1024);
            if self.reader.read_buf(&mut self.held).await? == 0 {
                return Ok(None);
            }
        }
    }

    fn take(&mut self) -> Option<Line> {
        let end = self.held[self.searched..].iter().position(|octet| *octet == b'\n');
        let Some(end) = end.map(|at| at + self.searched) else {
            self.searched = self.held.len();
            if self.is_skipping || self.searched > LINE_OCTETS {
                self.held.clear();
                self.searched = 0;
                // Said at once and not at its end: who sends without end would never hear.
                return (!std::mem::replace(&mut self.is_skipping, true)).then_some(Line::TooLong);
            }
            return None;
        };
        let rest = self.held.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.held, rest);
        self.searched = 0;
        line.truncate(end);
        if std::mem::take(&mut self.is_skipping) {
            return self.take();
        }
        Some(if end > LINE_OCTETS { Line::TooLong } else { Line::Whole(line) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn of(octets: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(octets);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await.expect("a slice is readable") {
            found.push(line);
        }
        found
    }

    #[tokio::test]
    async fn lines_end_where_they_end() {
        assert_eq!(of(b"a\n\nbc\nd").await, [&b"a"[..], b"", b"bc"].map(|line| Line::Whole(line.to_vec())));
    }

    #[tokio::test]
    async fn a_line_may_be_as_long_as_the_limit_and_one_octet_more_is_passed_over() {
        let longest = vec![b'x'; LINE_OCTETS];
        let sent = [&longest[..], b"\n", &longest[..], b"x\nafter\n"].concat();
        assert_eq!(of(&sent).await, [Line::Whole(longest), Line::TooLong, Line::Whole(b"after".to_vec())]);
        let huge = [&vec![b'x'; 5 * LINE_OCTETS][..], b"\nafter\n"].concat();
        assert_eq!(of(&huge).await, [Line::TooLong, Line::Whole(b"after".to_vec())]);
    }
}
