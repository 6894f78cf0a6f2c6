//! A private cluster from the machine's own PostgreSQL.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, bail};

use crate::keeper::Keeper;

const SCRIPT: &str = concat!(include_str!("cluster.sh"), include_str!("private_cluster.sh"));

/// Starts a cluster in a temporary folder, each setting a line of `postgresql.conf` (`name = value`). As root it runs
/// as `postgres`, since PostgreSQL refuses to run as root; else as the user of this process.
///
/// # Errors
/// Where no PostgreSQL is found (`make setup` installs it) or it does not start; the server's log is shown.
pub(crate) fn start(settings: &[&str]) -> Result<Keeper> {
    let mut command = if is_root()? {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups", "--reset-env", "sh"]);
        command
    } else {
        Command::new("sh")
    };
    command.args(["-c", SCRIPT, "private_cluster.sh"]).arg(programs()?).args(settings);
    Keeper::start(command).context("starting a private cluster")
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
