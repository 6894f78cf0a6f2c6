//! A private cluster from the machine's own PostgreSQL.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use anyhow::{Context as _, Result, bail};
use sqlx::postgres::{PgConnectOptions, PgSslMode};

use crate::Provider;

const SCRIPT: &str = include_str!("private_cluster.sh");

/// A cluster in a temporary folder, reached over a socket that only its own user (and root) can open. It ends when
/// this value is dropped or this process ends, also by a signal.
pub(crate) struct PrivateCluster {
    folder: PathBuf,
    keeper: Child,
}

impl PrivateCluster {
    /// Starts a cluster, each setting a line of `postgresql.conf` (`name = value`). As root it runs as `postgres`,
    /// since PostgreSQL refuses to run as root; else as the user of this process.
    ///
    /// # Errors
    /// Where no PostgreSQL is found (`make setup` installs it) or it does not start; the server's log is shown.
    pub(crate) fn start(settings: &[&str]) -> Result<Self> {
        let bin = programs()?;
        let mut command = if is_root()? {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups", "--reset-env", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        // A group of its own: the interrupt that ends the tests must not end the server before they have ended.
        let mut keeper = command
            .args(["-c", SCRIPT, "private_cluster.sh"])
            .arg(&bin)
            .args(settings)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .context("starting sh for the private cluster")?;
        let mut folder = String::new();
        let stdout = keeper.stdout.take().context("standard output was piped")?;
        BufReader::new(stdout).read_line(&mut folder).context("reading where the private cluster is")?;
        if folder.trim().is_empty() {
            bail!("the private cluster did not start ({}); its log is above", keeper.wait()?);
        }
        Ok(Self { folder: PathBuf::from(folder.trim()), keeper })
    }

    fn connect(&self) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass().socket(&self.folder).port(5432).ssl_mode(PgSslMode::Disable)
    }
}

impl Provider for PrivateCluster {
    fn admin(&self) -> PgConnectOptions {
        self.connect().username("postgres")
    }

    fn login(&self) -> PgConnectOptions {
        self.connect()
    }
}

impl Drop for PrivateCluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        if let Err(error) = self.keeper.wait() {
            eprintln!("the private cluster in {} could not be awaited: {error}", self.folder.display());
        }
    }
}

/// The folder of `initdb` and `postgres`: `STRIATUM_PG_BIN`, else Debian's PostgreSQL 15, the oldest that striatum
/// supports, so that nothing newer creeps in.
fn programs() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("STRIATUM_PG_BIN").map(PathBuf::from) {
        if folder.join("initdb").exists() {
            return Ok(folder);
        }
        bail!("STRIATUM_PG_BIN is {}, and there is no initdb in it", folder.display());
    }
    let debian = Path::new("/usr/lib/postgresql/15/bin");
    if debian.join("initdb").exists() {
        return Ok(debian.to_owned());
    }
    bail!(
        "no PostgreSQL 15 in {}: `make setup` installs it, or set STRIATUM_PG_BIN to the folder of another version's \
         initdb (15 or newer, with pgTAP and plpgsql_check)",
        debian.display()
    )
}

fn is_root() -> Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(fs::metadata("/proc/self").context("asking for the user of this process")?.uid() == 0)
}
