//! Files below a folder: the one routine that opens them. No path leads out of it, and none through a link.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;

/// No way out, and none through a link.
const BENEATH: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);

/// Why a file was not opened.
#[derive(Debug, thiserror::Error)]
pub enum Beneath {
    /// Nothing is there.
    #[error("there is no such file")]
    Missing,
    /// The path leads out of the folder, or through a symbolic link.
    #[error("the path leads out of the folder, or through a symbolic link")]
    Escapes,
    /// A folder, a pipe, a device.
    #[error("it is no regular file")]
    NoFile,
    /// More octets than may be read.
    #[error("the file is larger than {0} octets")]
    TooLarge(u64),
    /// It could not be looked at.
    #[error("it could not be looked at: {0}")]
    Unknown(#[source] io::Error),
}

impl Beneath {
    /// As observers say it.
    pub fn state(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Escapes => "escapes",
            Self::NoFile => "no_file",
            Self::TooLarge(_) => "too_large",
            Self::Unknown(_) => "unknown",
        }
    }
}

impl From<Errno> for Beneath {
    fn from(error: Errno) -> Self {
        match error {
            Errno::NOENT | Errno::NOTDIR => Self::Missing,
            Errno::XDEV | Errno::LOOP => Self::Escapes,
            _ => Self::Unknown(error.into()),
        }
    }
}

/// Opens a regular file of no more than `most` octets below a folder, for reading. Nothing that stands in its place is
/// waited for.
///
/// # Errors
/// Why it was not opened.
pub fn open_beneath(root: &Path, path: &str, most: u64) -> Result<File, Beneath> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let root = rustix::fs::open(root, flags | OFlags::DIRECTORY | OFlags::NOFOLLOW, Mode::empty())
        .map_err(|error| Beneath::Unknown(error.into()))?;
    let file = File::from(openat2(root, path, flags, Mode::empty(), BENEATH)?);
    match file.metadata().map_err(Beneath::Unknown)? {
        other if !other.is_file() => Err(Beneath::NoFile),
        large if large.len() > most => Err(Beneath::TooLarge(most)),
        _ => Ok(file),
    }
}

/// What stands at a path below a folder. It is not opened.
///
/// # Errors
/// Why nothing does, or it cannot be told.
pub fn stat_beneath(root: &Path, path: &str) -> Result<Metadata, Beneath> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let root = rustix::fs::open(root, flags | OFlags::DIRECTORY | OFlags::NOFOLLOW, Mode::empty())
        .map_err(|error| Beneath::Unknown(error.into()))?;
    File::from(openat2(root, path, flags, Mode::empty(), BENEATH)?).metadata().map_err(Beneath::Unknown)
}

/// The octets of such a file, where they are no more than that.
///
/// # Errors
/// Why it was not read.
pub fn read_beneath(root: &Path, path: &str, most: u64) -> Result<Vec<u8>, Beneath> {
    let mut octets = Vec::new();
    let file = open_beneath(root, path, most)?;
    // It may have grown since.
    file.take(most.saturating_add(1)).read_to_end(&mut octets).map_err(Beneath::Unknown)?;
    if octets.len() as u64 > most { Err(Beneath::TooLarge(most)) } else { Ok(octets) }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files that are looked at")]
mod tests {
    use std::fs;

    use super::{open_beneath, read_beneath};

    fn state(root: &std::path::Path, path: &str) -> &'static str {
        read_beneath(root, path, 4).map_or_else(|why| why.state(), |_| "present")
    }

    /// B054: what leads out of the folder, in whatever way, is not read.
    #[test]
    fn a_file_below_the_folder_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("below")).expect("a folder");
        fs::write(root.join("below/file"), "four").expect("a file");
        fs::write(root.join("long"), "fives").expect("a file");
        fs::write(folder.path().join("outside"), "four").expect("a file");
        for (link, to) in [("link", "below/file"), ("out", "../outside"), ("folder", "below")] {
            rustix::fs::symlink(to, root.join(link)).expect("a link");
        }
        rustix::fs::mkfifoat(rustix::fs::CWD, root.join("pipe"), rustix::fs::Mode::from_raw_mode(0o600))
            .expect("a pipe");
        assert_eq!(read_beneath(&root, "below/file", 4).expect("its octets"), b"four");
        let outside = folder.path().join("outside").display().to_string();
        for (path, expected) in [
            ("nothing", "missing"),
            ("long/er", "missing"),
            ("../outside", "escapes"),
            ("below/../../outside", "escapes"),
            (outside.as_str(), "escapes"),
            ("link", "escapes"),
            ("out", "escapes"),
            ("folder/file", "escapes"),
            ("below", "no_file"),
            ("pipe", "no_file"),
            ("long", "too_large"),
            ("n".repeat(300).as_str(), "unknown"),
        ] {
            assert_eq!(state(&root, path), expected, "{path}");
        }
        assert_eq!(open_beneath(&root.join("folder"), "file", 4).expect_err("a no").state(), "unknown");
    }
}
