//! What this program has to know about where it runs: its variables, its folder, its user.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use clap::ArgMatches;
use striatum_contract::next::of_instance;
use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::{
    CLIENT_TOKEN, DIRECTORY_VARIABLE, LONGEST_SOCKET_PATH, SOCKET, Surroundings, TOKEN_FILE_VARIABLE,
    directory, doubtful, is_own,
};
use striatum_contract::shell_word::shell_path;

/// Where the daemon and the token are to be found.
pub(crate) struct Place {
    /// The daemon's socket.
    pub(crate) socket: PathBuf,
    /// The file with the token.
    pub(crate) token_file: PathBuf,
    /// Whether a flag or a variable names that file, and not the runtime directory.
    pub(crate) is_own_token_file: bool,
    /// The installation that a flag names.
    instance: Option<String>,
}

impl Place {
    /// Where the global flags and the variables say.
    pub(crate) fn of(matches: &ArgMatches) -> Result<Self, Refusal> {
        let given = |flag| matches.get_one::<PathBuf>(flag).cloned();
        let instance = matches.get_one::<String>("instance").map(String::as_str);
        let runtime = runtime_directory(instance)?;
        let socket = given("socket").unwrap_or_else(|| runtime.join(SOCKET));
        let length = socket.as_os_str().len();
        if length > LONGEST_SOCKET_PATH {
            let message = format!(
                "the path of the socket has {length} octets, and a unix socket can have {LONGEST_SOCKET_PATH}: {}",
                socket.display()
            );
            let next = format!("{DIRECTORY_VARIABLE}=/run/striatum striatum daemon start");
            return Err(Refusal::new("daemon_unreachable", message, [next]));
        }
        let own_token_file = given("token-file").or_else(named_token_file);
        Ok(Self {
            socket,
            is_own_token_file: own_token_file.is_some(),
            token_file: own_token_file.unwrap_or_else(|| runtime.join(CLIENT_TOKEN)),
            instance: instance.map(str::to_owned),
        })
    }

    /// With a socket alone.
    #[cfg(test)]
    pub(crate) fn for_test(socket: &str, instance: &str) -> Self {
        Self {
            socket: socket.into(),
            token_file: PathBuf::new(),
            is_own_token_file: false,
            instance: Some(instance.to_owned()),
        }
    }

    /// A command of this program for the same installation.
    pub(crate) fn command(&self, words: &str) -> String {
        of_instance(&format!("striatum {words}"), self.instance.as_deref())
    }
}

/// The token file that the environment names, as an agent's does. It is a path: the token itself stands in no variable.
#[expect(clippy::disallowed_methods, reason = "where the token is may be said by the environment")]
fn named_token_file() -> Option<PathBuf> {
    std::env::var_os(TOKEN_FILE_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

#[expect(clippy::disallowed_methods, reason = "the runtime directory is a convention of the environment")]
pub(crate) fn runtime_directory(instance: Option<&str>) -> Result<PathBuf, Refusal> {
    let (setting, xdg) = (std::env::var_os(DIRECTORY_VARIABLE), std::env::var_os("XDG_RUNTIME_DIR"));
    let (temporary, uid) = (std::env::temp_dir(), rustix::process::geteuid().as_raw());
    let surroundings =
        Surroundings { setting: setting.as_deref(), xdg: xdg.as_deref(), temporary: &temporary, uid };
    let runtime = directory(surroundings, instance);
    if let Some(folder) = doubtful(&runtime, &temporary) {
        own(folder, uid)?;
    }
    Ok(runtime)
}

/// In a folder that everybody can write to, somebody else may have made ours first, with a socket that collects tokens.
#[expect(
    clippy::disallowed_methods,
    reason = "a look at the runtime directory before anything in it is believed"
)]
fn own(folder: &Path, uid: u32) -> Result<(), Refusal> {
    let Ok(found) = std::fs::symlink_metadata(folder) else { return Ok(()) };
    if is_own(found.is_dir(), found.uid(), found.mode(), uid) {
        return Ok(());
    }
    let message = format!(
        "the runtime directory {} is no folder of user {uid} that only this user can write to",
        folder.display()
    );
    Err(Refusal::new("daemon_unreachable", message, [format!("ls -ld {}", shell_path(folder))]))
}

/// The repository that the environment names, as an agent's does: it need not stand in its folder.
#[expect(clippy::disallowed_methods, reason = "an agent is told by its environment where it works")]
pub(crate) fn repository() -> Option<String> {
    std::env::var("STRIATUM_REPOSITORY_ID").ok().filter(|id| !id.is_empty())
}

/// The same path from the root on, `.` and `..` resolved as they are written. Symbolic links stay: what they are worth
/// is the daemon's to judge.
pub(crate) fn absolute(path: &Path) -> Result<String, Refusal> {
    let mut absolute = PathBuf::new();
    for part in working_directory()?.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                absolute.pop();
            }
            part => absolute.push(part),
        }
    }
    absolute.into_os_string().into_string().map_err(|path| {
        let message = format!("the path {path:?} is no UTF-8, so it cannot be recorded");
        Refusal::new("path_not_utf8", message, ["ls --quoting-style=shell-escape".to_owned()])
    })
}

#[expect(clippy::disallowed_methods, reason = "paths on a command line are relative to where it was typed")]
fn working_directory() -> Result<PathBuf, Refusal> {
    std::env::current_dir().map_err(|error| {
        let message = format!("the working directory cannot be told: {error}");
        Refusal::new("usage_invalid", message, ["cd /".to_owned()])
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::own;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test makes folders that others could have made")]
    fn a_folder_that_somebody_else_may_have_made_is_not_believed() {
        let parent = tempfile::tempdir().expect("a folder");
        let (folder, uid) = (parent.path().join("striatum-7"), rustix::process::geteuid().as_raw());
        assert_eq!(own(&folder, uid), Ok(()), "nothing is there yet");
        std::fs::create_dir(&folder).expect("a folder");
        let mode = |mode| std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode));
        mode(0o755).expect("its mode");
        assert_eq!(own(&folder, uid), Ok(()));
        let other = own(&folder, uid + 1).expect_err("another's");
        assert_eq!(other.code, "daemon_unreachable");
        mode(0o775).expect("its mode");
        assert!(own(&folder, uid).is_err(), "the group can write to it");
        mode(0o755).expect("its mode");
        let link = parent.path().join("striatum-8");
        std::os::unix::fs::symlink(&folder, &link).expect("a link");
        assert!(own(&link, uid).is_err(), "a link leads wherever its maker wants");
    }
}
