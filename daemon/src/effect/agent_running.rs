//! `agent_running`: the agent of a session was started, in a terminal of its own under a helper.
//!
//! Args: `{supervisor_id, run_id, session_id, client_id, repository_id, role_id, lane_id, command, command_env,
//! path_prefix, root}`. It is so once the helper's pidfile names an agent: what becomes of that one afterwards its
//! events say. The agent's token waits in memory for the first attempt and is written into a file for it alone; a
//! daemon that came after the one that was asked has no token to give, and says so.
#![expect(clippy::disallowed_methods, reason = "the files of agents are made here")]

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use striatum_supervisor::client::{self, LaunchError};
use striatum_supervisor::launch::Launch;
use striatum_supervisor::pidfile::Pidfile;
use tokio::runtime::Handle;

use super::{Effect, Order, Problem};
use crate::lanes::{Lanes, environment, program};

pub(super) const EFFECT: Effect = Effect { kind: "agent_running", perform, probe };

fn perform(lanes: &Lanes, order: &Order<'_>) -> Result<(), Problem> {
    let args = order.args;
    let supervisor_id = args["supervisor_id"].as_str().unwrap_or_default();
    let root = PathBuf::from(args["root"].as_str().unwrap_or_default());
    let helper = lanes.helper().ok_or_else(|| {
        hopeless("striatum-supervisor-helper is neither beside striatumd nor on its PATH".to_owned())
    })?;
    let client_id = args["client_id"].as_str().unwrap_or_default();
    if let Some(minted) = lanes.take_secret(order.client_id, order.request_id) {
        write_token(lanes, supervisor_id, &minted.token(client_id))
            .map_err(|error| hopeless(format!("the agent's token cannot be written: {error}")))?;
    }
    if !lanes.token_file(supervisor_id).exists() {
        return Err(hopeless(
            "the daemon that was asked for it ended first, and its token with it".to_owned(),
        ));
    }
    let env = environment(lanes, args);
    let mut argv: Vec<String> = args["command"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let name = argv.first().cloned().unwrap_or_default();
    let found =
        program(&root, &name, env.get("PATH").map_or("", String::as_str)).map_err(|inert| match inert {
            Some(inert) => hopeless(format!("{} is not executable", inert.display())),
            None => hopeless(format!("no program {name} is found")),
        })?;
    if let Some(first) = argv.first_mut() {
        *first = found.to_string_lossy().into_owned();
    }
    let mut launch = Launch::new(supervisor_id, argv, &root, &lanes.folder());
    launch.env = env;
    launch.log =
        Some(log(&root, supervisor_id).map_err(|error| hopeless(format!("no log can be made: {error}")))?);
    match Handle::current().block_on(client::launch(helper, &launch)) {
        Ok(launched) if launched.agent.is_some() => Ok(()),
        Ok(launched) => Err(hopeless(format!(
            "{} cannot be executed (errno {})",
            found.display(),
            launched.exec_errno.unwrap_or_default()
        ))),
        Err(error @ LaunchError::Refused(_)) => Err(hopeless(error.to_string())),
        Err(error) => Err(Problem { says: error.to_string(), is_hopeless: false }),
    }
}

fn probe(lanes: &Lanes, order: &Order<'_>) -> Result<Option<Value>, Problem> {
    let supervisor_id = order.args["supervisor_id"].as_str().unwrap_or_default();
    let Some(file) = Pidfile::read(&lanes.pidfile(supervisor_id)) else { return Ok(None) };
    let Some(agent) = file.agent else { return Ok(None) };
    Ok(Some(json!({
        "agent_pid": agent.pid, "agent_start_token": agent.start_token,
        "helper_pid": file.helper.pid, "helper_start_token": file.helper.start_token,
        "terminal": file.pts, "command": file.argv,
    })))
}

fn write_token(lanes: &Lanes, supervisor_id: &str, token: &str) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(lanes.folder())?;
    let path = lanes.token_file(supervisor_id);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(file, "{token}")
}

/// Where what the terminal shows goes, for a person who looks: below the repository's scratch folder, which no link may
/// lead out of.
fn log(root: &Path, supervisor_id: &str) -> io::Result<PathBuf> {
    use rustix::fs::{Mode, OFlags, ResolveFlags, mkdirat, openat2};
    let top = rustix::fs::open(root, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    // Whoever cleans the checkout takes the scratch folder away, too.
    let mut above = top;
    for (folder, mode) in [(".striatum", 0o755), ("scratch", 0o755), (supervisor_id, 0o700)] {
        match mkdirat(&above, folder, Mode::from_raw_mode(mode)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        above = openat2(&above, folder, flags, Mode::empty(), inside)?;
    }
    Ok(root.join(".striatum/scratch").join(supervisor_id).join("pty.log"))
}

fn hopeless(says: String) -> Problem {
    Problem { says, is_hopeless: true }
}

#[cfg(test)]
mod tests {
    use super::{fs, log};

    /// Whoever cleans the checkout takes the scratch folder away; a link in its place leads nowhere.
    #[test]
    fn a_log_has_its_folder_made_and_follows_no_link() {
        let (root, elsewhere) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let path = log(root.path(), "sup_1").expect("a place");
        assert!(path.parent().expect("a folder").is_dir());
        assert_eq!(log(root.path(), "sup_1").expect("the same once more"), path);

        fs::remove_dir_all(root.path().join(".striatum")).expect("it was cleaned");
        rustix::fs::symlink(elsewhere.path(), root.path().join(".striatum")).expect("a link");
        log(root.path(), "sup_1").expect_err("a no");
        assert_eq!(fs::read_dir(elsewhere.path()).expect("a folder").count(), 0);
    }
}
