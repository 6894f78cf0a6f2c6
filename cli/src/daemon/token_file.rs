//! The file that holds this client's token. A token comes from nowhere else: others see variables and arguments.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_path;
use striatum_contract::token::Token;

use super::place::Place;

/// Octets of a file that may be read; a token has far fewer.
const LONGEST: u64 = 4096;

/// Reads the token. `Ok(None)` where the file does not exist.
///
/// # Errors
/// `token_unavailable`: somebody else's file, open to others, or no file. `token_malformed`: it holds something else.
#[expect(clippy::disallowed_methods, reason = "the one file that this program reads for a call")]
pub(crate) fn read(path: &Path) -> Result<Option<Token>, Refusal> {
    let failed = |error: std::io::Error| unavailable(path, &format!("cannot be read: {error}"), list(path));
    // Looked at before it is opened as well: opening a pipe waits for a writer.
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        found => private(path, &found.map_err(failed)?)?,
    }
    let file = File::open(path).map_err(failed)?;
    private(path, &file.metadata().map_err(failed)?)?;
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(failed)?;
    Token::parse(text.trim_end_matches(['\r', '\n'])).map(Some).map_err(|problem| {
        let message = format!("the token in {} {problem}", path.display());
        Refusal { message, ..Refusal::from(problem) }
    })
}

/// Puts a new token in the place of the one that the file holds, whole or not at all, for this user alone.
///
/// # Errors
/// Why the file is as it was.
#[expect(clippy::disallowed_methods, reason = "the one file that this program renews: its own token's")]
pub(crate) fn replace(path: &Path, used: &Token, token: &Token) -> Result<(), String> {
    match read(path) {
        Ok(Some(held)) if held == *used => {}
        Ok(_) => return Err("it no longer holds the token that was used".to_owned()),
        Err(refusal) => return Err(refusal.message),
    }
    let written = || -> std::io::Result<()> {
        // A link stays one, to the new file.
        let file = fs::canonicalize(path)?;
        let mut draft = file.clone().into_os_string();
        draft.push(format!(".{}", std::process::id()));
        let mut new = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
        let put = new.write_all(format!("{}\n", token.reveal()).as_bytes()).and_then(|()| new.sync_all());
        if let Err(error) = put.and_then(|()| fs::rename(&draft, &file)) {
            // A draft with a token in it is not left behind.
            let _ = fs::remove_file(&draft);
            return Err(error);
        }
        file.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    };
    written().map_err(|error| error.to_string())
}

/// Holds when the file is its owner's alone, and the owner runs this program.
fn private(path: &Path, found: &Metadata) -> Result<(), Refusal> {
    if !found.is_file() {
        return Err(unavailable(path, "is no file", list(path)));
    }
    let own = rustix::process::geteuid().as_raw();
    if found.uid() != own {
        let problem = format!("belongs to user {} and not to user {own}, who runs this program", found.uid());
        return Err(unavailable(path, &problem, list(path)));
    }
    if found.mode() & 0o077 != 0 {
        let problem = format!("has mode {:04o}, so that others can use it", found.mode() & 0o7777);
        return Err(unavailable(path, &problem, format!("chmod 600 {}", shell_path(path))));
    }
    Ok(())
}

/// The refusal about a file that is not there: what brings it back, or how to make one that a flag names.
pub(crate) fn missing(place: &Place) -> Refusal {
    let path = &place.token_file;
    let message = format!("the token file {} does not exist", path.display());
    let next = match place.is_own_token_file {
        true => {
            let file = shell_path(path);
            vec![
                format!("install -m 600 /dev/null {file}"),
                format!("put the token into {file}, on a line of its own: `striatum token create` shows one"),
            ]
        }
        false => ["local up", "token recover"].map(|words| place.command(words)).to_vec(),
    };
    Refusal::new("token_unavailable", message, next)
}

/// The refusal about a token that cannot be had.
fn unavailable(path: &Path, problem: &str, next: String) -> Refusal {
    Refusal::new("token_unavailable", format!("the token file {} {problem}", path.display()), [next])
}

fn list(path: &Path) -> String {
    format!("ls -l {}", shell_path(path))
}
