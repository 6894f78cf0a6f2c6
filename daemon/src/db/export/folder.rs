//! The folder of an export, and its files.
#![expect(clippy::disallowed_methods, reason = "an export writes files, here alone")]

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_path;

/// A folder that this export made, or found empty.
pub(super) struct Folder(PathBuf);

/// A file of lines.
pub(super) struct Lines(BufWriter<File>);

impl Folder {
    /// Makes it, for this user alone.
    pub(super) fn fresh(path: &Path) -> Result<Self, Refusal> {
        let other = format!("striatum db export-chains {}", shell_path(&path.with_added_extension("new")));
        let refused = |code, message: String| Err(Refusal::new(code, message, [other]));
        match DirBuilder::new().mode(0o700).create(path) {
            Ok(()) => Ok(Self(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match fs::read_dir(path) {
                Ok(mut entries) => match entries.next() {
                    None => Ok(Self(path.to_owned())),
                    Some(_) => refused("folder_not_empty", format!("{} is not empty", path.display())),
                },
                Err(error) => refused("export_not_written", format!("{}: {error}", path.display())),
            },
            Err(error) => Err(not_made(path, &error)),
        }
    }

    pub(super) fn make(&self, name: &str) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(self.0.join(name))
    }

    /// A file of this export; one that has lines already gets more of them.
    pub(super) fn open(&self, name: &str) -> io::Result<Lines> {
        let path = self.0.join(name);
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        Ok(Lines(BufWriter::with_capacity(1 << 16, file)))
    }

    /// Puts the manifest there, once all else is on disk.
    pub(super) fn finish(&self, manifest: &Value) -> io::Result<()> {
        File::open(self.0.join("events"))?.sync_all()?;
        let draft = self.0.join("manifest.json.part");
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
        file.write_all(format!("{manifest:#}\n").as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, self.0.join("manifest.json"))?;
        File::open(&self.0)?.sync_all()?;
        if let Some(parent) = self.0.canonicalize()?.parent() {
            File::open(parent)?.sync_all()?;
        }
        Ok(())
    }
}

/// Why there is no such folder. Another name beside it would meet the same.
fn not_made(path: &Path, error: &io::Error) -> Refusal {
    let (shown, parent) = (path.display(), path.parent().filter(|parent| !parent.as_os_str().is_empty()));
    let parent = parent.unwrap_or(Path::new("."));
    let (folder, target, parent) = (shell_path(parent), shell_path(path), parent.display());
    let (message, next) = match error.kind() {
        io::ErrorKind::NotFound => (
            format!("{shown} cannot be made: the folder {parent}, in which it would be, is missing"),
            [format!("mkdir -p {folder}"), format!("striatum db export-chains {target}")],
        ),
        _ => (
            format!("{shown} cannot be made in {parent}: {error}"),
            [
                format!("ls -ld {folder}"),
                "striatum db export-chains DIR, with a DIR that this user can make".to_owned(),
            ],
        ),
    };
    Refusal::new("export_not_written", message, next)
}

impl Lines {
    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(line.as_bytes())?;
        self.0.write_all(b"\n")
    }

    /// All of it on disk.
    pub(super) fn close(self) -> io::Result<()> {
        self.0.into_inner()?.sync_all()
    }
}

/// How far it is, where somebody looks at a terminal.
pub(super) struct Progress {
    audit_rows: i64,
    is_shown: bool,
}

impl Progress {
    pub(super) fn new(audit_rows: i64) -> Self {
        Self { audit_rows, is_shown: io::stderr().is_terminal() }
    }

    pub(super) fn audit(&self, rows: u64) {
        self.show(&format!("audit rows: {rows} of {}", self.audit_rows));
    }

    pub(super) fn events(&self, rows: u64) {
        self.show(&format!("events: {rows}"));
    }

    /// Leaves the line empty.
    pub(super) fn end(&self) {
        self.show("");
    }

    fn show(&self, text: &str) {
        if self.is_shown {
            // Nobody is harmed where the terminal has gone.
            let _ = write!(io::stderr(), "\r\x1b[K{text}");
        }
    }
}
