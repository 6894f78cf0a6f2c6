//! The agents of sessions, as the daemon knows them: where their helpers are found, what they are started with, and
//! the secrets that wait for one that is about to be started.
#![expect(clippy::disallowed_methods, reason = "what an agent inherits of this host is looked up here alone")]

pub mod keeper;

use std::collections::{BTreeMap, HashMap};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use striatum_contract::runtime::{DIRECTORY_VARIABLE, TOKEN_FILE_VARIABLE};

use crate::observe::minted_secret::Minted;

/// Below the runtime directory: sockets and pidfiles of helpers, and the token files of their agents.
const FOLDER: &str = "h";

/// Whose request a secret was made for.
type Ordered = (String, String);

/// What effects of lanes go by.
#[derive(Debug)]
pub struct Lanes {
    runtime_dir: PathBuf,
    helper: Option<PathBuf>,
    secrets: Mutex<HashMap<Ordered, Minted>>,
}

impl Lanes {
    /// Of the daemon whose runtime directory this is. The helper's program is the one beside this program, else the
    /// one on the path.
    pub fn new(runtime_dir: &Path) -> Self {
        let name = "striatum-supervisor-helper";
        let beside = std::env::current_exe().ok().and_then(|this| Some(this.parent()?.join(name)));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let helper = beside
            .into_iter()
            .chain(std::env::split_paths(&path).map(|folder| folder.join(name)))
            .find(|program| program.is_absolute() && is_program(program));
        Self { runtime_dir: runtime_dir.to_owned(), helper, secrets: Mutex::default() }
    }

    /// The runtime directory, as an agent's own commands need it.
    pub(crate) fn runtime_dir(&self) -> &Path {
        &self.runtime_dir
    }

    /// The helper's program.
    pub(crate) fn helper(&self) -> Option<&Path> {
        self.helper.as_deref()
    }

    /// The folder of helpers.
    pub(crate) fn folder(&self) -> PathBuf {
        self.runtime_dir.join(FOLDER)
    }

    /// The control socket of a supervisor's helper.
    pub(crate) fn socket(&self, supervisor_id: &str) -> PathBuf {
        self.folder().join(format!("{supervisor_id}.sock"))
    }

    /// Who runs, for whoever cannot ask the helper.
    pub(crate) fn pidfile(&self, supervisor_id: &str) -> PathBuf {
        self.folder().join(format!("{supervisor_id}.pid"))
    }

    /// The file with the token of a supervisor's agent.
    pub(crate) fn token_file(&self, supervisor_id: &str) -> PathBuf {
        self.folder().join(format!("{supervisor_id}.token"))
    }

    /// Keeps a secret for the effect that this request may order. In memory alone: it ends with the daemon.
    pub(crate) fn keep_secret(&self, client_id: &str, request_id: &str, minted: Minted) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.insert((client_id.to_owned(), request_id.to_owned()), minted);
    }

    /// Gives it out, once.
    pub(crate) fn take_secret(&self, client_id: &str, request_id: &str) -> Option<Minted> {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.remove(&(client_id.to_owned(), request_id.to_owned()))
    }
}

/// The whole environment of an agent: nothing of the daemon's own but where programs and the user's files are; what the
/// workflow's lane adds; and where it finds striatum. No token: that is in a file, whose path is here.
pub(crate) fn environment(lanes: &Lanes, args: &Value) -> BTreeMap<String, String> {
    let text = |name: &str| args[name].as_str().unwrap_or_default().to_owned();
    let supervisor_id = text("supervisor_id");
    let mut env: BTreeMap<String, String> =
        ["HOME", "LANG", "LC_ALL", "LOGNAME", "SHELL", "TMPDIR", "TZ", "USER"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
            .collect();
    env.insert("TERM".to_owned(), "xterm-256color".to_owned());
    if let Some(own) = args["command_env"].as_object() {
        env.extend(own.iter().filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))));
    }
    let own = args["path_prefix"].as_array().into_iter().flatten().filter_map(Value::as_str);
    env.insert("PATH".to_owned(), search_path(own));
    let shown = |path: PathBuf| path.to_string_lossy().into_owned();
    env.extend([
        (DIRECTORY_VARIABLE.to_owned(), shown(lanes.runtime_dir().to_owned())),
        (TOKEN_FILE_VARIABLE.to_owned(), shown(lanes.token_file(&supervisor_id))),
        ("STRIATUM_REPOSITORY_ID".to_owned(), text("repository_id")),
        ("STRIATUM_RUN_ID".to_owned(), text("run_id")),
        ("STRIATUM_SESSION_ID".to_owned(), text("session_id")),
        ("STRIATUM_LANE_ID".to_owned(), text("lane_id")),
        ("STRIATUM_ROLE_ID".to_owned(), text("role_id")),
    ]);
    env
}

/// Where an agent looks for programs: the lane's own folders, then striatum's, then the daemon's path.
pub(crate) fn search_path<'f>(own: impl Iterator<Item = &'f str>) -> String {
    let ours = std::env::current_exe().ok().and_then(|this| Some(this.parent()?.to_owned()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = own
        .map(PathBuf::from)
        .chain(ours)
        .chain(std::env::split_paths(&path))
        .filter(|folder| folder.is_absolute())
        .collect();
    std::env::join_paths(folders).unwrap_or_default().to_string_lossy().into_owned()
}

/// The program that a command names, by its whole path: below the repository where the name holds a slash and does not
/// begin with one, else on the agent's path. Where there is none, the first file of that name that nobody may execute.
pub(crate) fn program(root: &Path, name: &str, path: &str) -> Result<PathBuf, Option<PathBuf>> {
    let places: Vec<PathBuf> = match name.contains('/') {
        true => vec![root.join(name)],
        false => std::env::split_paths(path).map(|folder| folder.join(name)).collect(),
    };
    match places.iter().find(|program| is_program(program)) {
        Some(program) => Ok(program.clone()),
        None => Err(places.into_iter().find(|place| place.is_file())),
    }
}

fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|is| is.is_file() && is.permissions().mode() & 0o111 != 0)
}
