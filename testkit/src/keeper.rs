//! The process that keeps a server: it outlives whoever asked for one, and takes it away then.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use anyhow::{Context as _, Result, bail};

/// A shell that runs one of our scripts (`obey` in `cluster.sh` says which orders there are). It ends, and with it the
/// server, when this value is dropped or this process ends, also by a signal.
pub(crate) struct Keeper {
    folder: PathBuf,
    process: Child,
    wire: Mutex<Option<Wire>>,
}

struct Wire {
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Keeper {
    /// Starts it and waits for its first line: the folder in which it keeps what it keeps.
    ///
    /// # Errors
    /// When it ends before it said that; what it had to say stands on standard error.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        // A group of its own: the interrupt that ends the tests must not end the server before they have ended.
        let mut process = command
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .context("starting sh for the keeper of a server")?;
        let orders = process.stdin.take().context("standard input was piped")?;
        let answers = BufReader::new(process.stdout.take().context("standard output was piped")?);
        let mut wire = Wire { orders, answers };
        let folder = wire.answer().context("reading where the server is")?;
        if folder.is_empty() {
            bail!("the server did not start ({}); its log is above", process.wait()?);
        }
        Ok(Self { folder: PathBuf::from(folder), process, wire: Mutex::new(Some(wire)) })
    }

    /// What it said first.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Gives an order and waits until it is done.
    ///
    /// # Errors
    /// When it cannot be done. When it failed, the server's log stands on standard error.
    pub(crate) fn order(&self, order: &str) -> Result<()> {
        let mut wire = self.wire.lock().map_err(|_| anyhow::anyhow!("another order panicked"))?;
        let wire = wire.as_mut().context("the keeper is asked no more")?;
        let answer = writeln!(wire.orders, "{order}").and_then(|()| wire.answer());
        match answer.with_context(|| format!("asking the keeper in {} to {order}", self.folder.display()))? {
            answer if answer == "ok" => Ok(()),
            answer if answer.is_empty() => bail!("{order}: the keeper has ended"),
            answer => bail!("the server in {}: {answer}", self.folder.display()),
        }
    }
}

impl Wire {
    fn answer(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.wire.get_mut().map(Option::take));
        if let Err(error) = self.process.wait() {
            eprintln!("the keeper in {} could not be awaited: {error}", self.folder.display());
        }
    }
}
