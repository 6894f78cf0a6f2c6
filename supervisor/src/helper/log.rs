//! The log of a terminal: for people who look, read by no program of ours, and never longer than its cap.
#![expect(clippy::disallowed_methods, reason = "the log is a file")]

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

/// The octets that are moved at once.
const PART: usize = 64 * 1024;

/// An open log.
pub(super) struct Log {
    file: File,
    octets: u64,
    cap: u64,
}

impl Log {
    /// Makes it: not through a link, not over anything that is there, for its owner's eyes.
    pub(super) fn create(path: &Path, cap: u64) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(path)?;
        Ok(Self { file, octets: 0, cap })
    }

    /// Adds octets at the end. Where the cap would be passed the older half goes first.
    pub(super) fn write(&mut self, octets: &[u8]) -> io::Result<()> {
        let half = usize::try_from(self.cap / 2).unwrap_or(usize::MAX);
        let octets = &octets[octets.len().saturating_sub(half)..];
        if self.octets + octets.len() as u64 > self.cap {
            self.keep_newest(self.cap / 2)?;
        }
        self.file.write_all_at(octets, self.octets)?;
        self.octets += octets.len() as u64;
        Ok(())
    }

    /// In place, so that it stays the file that somebody may have open; what is moved never lies over what was not.
    fn keep_newest(&mut self, most: u64) -> io::Result<()> {
        let kept = self.octets.min(most);
        let mut part = vec![0; PART];
        let mut to = 0;
        while to < kept {
            let size = usize::try_from(kept - to).unwrap_or(PART).min(PART);
            self.file.read_exact_at(&mut part[..size], self.octets - kept + to)?;
            self.file.write_all_at(&part[..size], to)?;
            to += size as u64;
        }
        self.file.set_len(kept)?;
        self.octets = kept;
        Ok(())
    }
}
