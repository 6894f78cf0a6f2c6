//! Where a daemon and its clients meet: the runtime directory, and what lies in it. Decided here, looked at elsewhere.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The variable that names the runtime directory.
pub const DIRECTORY_VARIABLE: &str = "STRIATUM_DAEMON_RUNTIME_DIR";
/// The variable that names the file with a client's token. No variable holds a token.
pub const TOKEN_FILE_VARIABLE: &str = "STRIATUM_TOKEN_FILE";
/// The daemon's unix socket, in the runtime directory.
pub const SOCKET: &str = "striatumd.sock";
/// The first client's token, mode 0600, in the runtime directory.
pub const CLIENT_TOKEN: &str = "client-token";
/// Octets that the path of a unix socket can have.
pub const LONGEST_SOCKET_PATH: usize = 107;

/// What the choice of a runtime directory depends on; a variable that is set to nothing is not set.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'s> {
    /// The variable [`DIRECTORY_VARIABLE`].
    pub setting: Option<&'s OsStr>,
    /// The variable `XDG_RUNTIME_DIR`.
    pub xdg: Option<&'s OsStr>,
    /// The folder for temporary files.
    pub temporary: &'s Path,
    /// The user id.
    pub uid: u32,
}

/// The runtime directory: the one that is set, else the one of the session, root's, or one in the folder for temporary
/// files; of an installation with a name the folder of that name in it.
pub fn directory(surroundings: Surroundings<'_>, instance: Option<&str>) -> PathBuf {
    let Surroundings { setting, xdg, temporary, uid } = surroundings;
    let given = |value: Option<&OsStr>| value.filter(|value| !value.is_empty()).map(PathBuf::from);
    let directory = given(setting)
        .or_else(|| given(xdg).map(|session| session.join("striatum")))
        .or_else(|| (uid == 0).then(|| PathBuf::from("/run/striatum")))
        .unwrap_or_else(|| temporary.join(format!("striatum-{uid}")));
    match instance {
        Some(name) => directory.join(name),
        None => directory,
    }
}

/// The daemon's configuration, in the data directory.
pub const CONFIGURATION: &str = "daemon.toml";

/// The data directory: root's, else the one of the variable `XDG_DATA_HOME` (an absolute path), else below the home
/// directory; of an installation with a name the folder of that name in it. None where nothing says where it is. What
/// lies in it has a dot in its name, so that no installation can be called like it.
pub fn data_directory(
    xdg: Option<&OsStr>,
    home: Option<&OsStr>,
    uid: u32,
    instance: Option<&str>,
) -> Option<PathBuf> {
    let given = |value: Option<&OsStr>| value.map(PathBuf::from).filter(|path| path.is_absolute());
    let directory = match uid {
        0 => PathBuf::from("/var/lib/striatum"),
        _ => given(xdg).or_else(|| Some(given(home)?.join(".local/share")))?.join("striatum"),
    };
    Some(match instance {
        Some(name) => directory.join(name),
        None => directory,
    })
}

/// The folder of a runtime directory that somebody else may have made first, because everybody can write to the one
/// above it. Nothing in it is believed unless [`is_own`] says so.
pub fn doubtful<'d>(directory: &'d Path, temporary: &Path) -> Option<&'d Path> {
    directory.ancestors().find(|folder| folder.parent() == Some(temporary))
}

/// Whether what was found there, itself and not what a link leads to, is a folder of this user that nobody else can
/// write to.
pub fn is_own(is_folder: bool, owner: u32, mode: u32, uid: u32) -> bool {
    is_folder && owner == uid && mode & 0o022 == 0
}

/// Whether a text may be the name of an installation: 1 to 32 of `A-Z a-z 0-9 _ -`. It becomes part of paths.
pub fn is_instance_name(text: &str) -> bool {
    let is_allowed = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'_' || octet == b'-';
    (1..=32).contains(&text.len()) && text.bytes().all(is_allowed)
}
