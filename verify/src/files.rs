//! The files of an export. They are opened here and nowhere else, and only where they are plain files of its folder.
#![expect(
    clippy::disallowed_methods,
    reason = "the verifier looks at the files that it is given, here alone"
)]

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::Unreadable;
use crate::manifest::{self, Manifest};
use crate::report::{Code, Difference, Stop};

/// Octets of a line, without its end; a whole manifest is held to it too.
pub const LONGEST_LINE: usize = 8 * 1024 * 1024;

const READ_AT_ONCE: usize = 256 * 1024;

/// The folder of an export.
pub(crate) struct Export {
    folder: PathBuf,
}

impl Export {
    /// The folder itself may be reached by a link: whoever names it chose it.
    pub(crate) fn open(folder: &Path) -> Result<Self, Unreadable> {
        let folder = folder.to_owned();
        match fs::metadata(&folder) {
            Ok(found) if found.is_dir() => Ok(Self { folder }),
            Ok(_) => Err(Unreadable::NoFolder { path: folder }),
            Err(source) => Err(Unreadable::Unread { path: folder, source }),
        }
    }

    fn unread(&self, name: &str) -> impl Fn(io::Error) -> Unreadable {
        let path = self.folder.join(name);
        move |source| Unreadable::Unread { path: path.clone(), source }
    }

    /// The manifest's octets. Without one the folder is no export.
    pub(crate) fn manifest(&self) -> Result<Vec<u8>, Stop> {
        let missing = || Stop::Unreadable(self.unread(manifest::NAME)(io::ErrorKind::NotFound.into()));
        let file = self.file(manifest::NAME)?.ok_or_else(missing)?;
        let mut octets = Vec::new();
        file.take(LONGEST_LINE as u64 + 1).read_to_end(&mut octets).map_err(self.unread(manifest::NAME))?;
        if octets.len() > LONGEST_LINE {
            return Err(Difference::new(Code::LineTooLong, None, Some(&at_most()), Some("more"))
                .at(manifest::NAME, None)
                .into());
        }
        Ok(octets)
    }

    /// The lines of a file that has to be there.
    pub(crate) fn lines(&self, name: &str) -> Result<Lines, Stop> {
        let missing = || Difference::new(Code::FileMissing, None, Some("a file"), None).at(name, None);
        let file = self.file(name)?.ok_or_else(missing)?;
        let reader = BufReader::with_capacity(READ_AT_ONCE, file);
        Ok(Lines { reader, name: name.to_owned(), path: self.folder.join(name), line: Vec::new(), number: 0 })
    }

    /// A plain file, found to be the one that was looked at; nothing where there is none. No link is followed, and
    /// nothing is opened that could make the reader wait.
    fn file(&self, name: &str) -> Result<Option<File>, Stop> {
        let path = self.folder.join(name);
        if let Some((folder, _)) = name.split_once('/')
            && self.look(folder)?.is_some_and(|found| !found.is_dir())
        {
            return Err(not_regular(folder, "a folder").into());
        }
        let Some(seen) = self.look(name)? else { return Ok(None) };
        if !seen.is_file() {
            return Err(not_regular(name, "a plain file").into());
        }
        let file = File::open(path).map_err(self.unread(name))?;
        let opened = file.metadata().map_err(self.unread(name))?;
        if (opened.dev(), opened.ino()) != (seen.dev(), seen.ino()) {
            return Err(not_regular(name, "the file that was looked at").into());
        }
        Ok(Some(file))
    }

    fn look(&self, name: &str) -> Result<Option<Metadata>, Unreadable> {
        match fs::symlink_metadata(self.folder.join(name)) {
            Ok(found) => Ok(Some(found)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(error) => Err(self.unread(name)(error)),
        }
    }

    /// What is there and should not be; the first by name, so that the answer is the same each time. What is missing is
    /// found by whoever reads it.
    pub(crate) fn first_difference(
        &self,
        manifest: &Manifest,
    ) -> Result<Option<Box<Difference>>, Unreadable> {
        let listed = manifest.event_files();
        let events = match self.look(manifest::EVENTS)? {
            Some(found) if !found.is_dir() => return Ok(Some(not_regular(manifest::EVENTS, "a folder"))),
            Some(_) => self.unexpected(manifest::EVENTS, &|name| listed.contains(name))?,
            None => None,
        };
        let top = [manifest::NAME, manifest::AUDIT, manifest::EVENTS];
        let unexpected = self.unexpected("", &|name| top.contains(&name))?.or(events);
        Ok(unexpected
            .map(|name| Difference::new(Code::FileUnexpected, None, None, Some("a file")).at(&name, None)))
    }

    fn unexpected(
        &self,
        below: &str,
        is_listed: &dyn Fn(&str) -> bool,
    ) -> Result<Option<String>, Unreadable> {
        let mut first = None;
        for entry in fs::read_dir(self.folder.join(below)).map_err(self.unread(below))? {
            let name = entry.map_err(self.unread(below))?.file_name();
            let listed = name.to_str().map(|name| Path::new(below).join(name));
            if !listed.is_some_and(|path| path.to_str().is_some_and(is_listed)) {
                let name = Path::new(below).join(name).to_string_lossy().into_owned();
                first = Some(first.map_or(name.clone(), |other: String| other.min(name)));
            }
        }
        Ok(first)
    }
}

fn not_regular(name: &str, expected: &str) -> Box<Difference> {
    Difference::new(Code::FileNotRegular, None, Some(expected), Some("something else")).at(name, None)
}

fn at_most() -> String {
    format!("at most {LONGEST_LINE} octets")
}

/// The lines of a file, one at a time in one buffer.
pub(crate) struct Lines {
    reader: BufReader<File>,
    name: String,
    path: PathBuf,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    /// The number of the line that [`Lines::advance`] came to, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// That line, without its end.
    pub(crate) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Reads the next line; false at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool, Stop> {
        self.line.clear();
        let most = LONGEST_LINE as u64 + 1;
        let read = (&mut self.reader).take(most).read_until(b'\n', &mut self.line);
        let read = read.map_err(|source| Unreadable::Unread { path: self.path.clone(), source })?;
        self.number += 1;
        if self.line.pop_if(|last| *last == b'\n').is_some() {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        let difference = if read as u64 == most {
            Difference::new(Code::LineTooLong, None, Some(&at_most()), Some("more"))
        } else {
            Difference::new(
                Code::LineUnfinished,
                None,
                Some("the end of the line"),
                Some("the end of the file"),
            )
        };
        Err(difference.at(&self.name, Some(self.number)).into())
    }
}
