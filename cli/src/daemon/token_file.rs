//! The file that holds this client's token. A token comes from nowhere else: others see variables and arguments.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use striatum_contract::refusal::Refusal;
use striatum_contract::token::Token;

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

/// Holds when the file is its owner's alone, and the owner runs this program.
fn private(path: &Path, found: &Metadata) -> Result<(), Refusal> {
    let shown = path.display();
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
        return Err(unavailable(path, &problem, format!("chmod 600 {shown}")));
    }
    Ok(())
}

/// The refusal about a token that cannot be had.
pub(crate) fn unavailable(path: &Path, problem: &str, next: String) -> Refusal {
    Refusal::new("token_unavailable", format!("the token file {} {problem}", path.display()), [next])
}

fn list(path: &Path) -> String {
    format!("ls -l {}", path.display())
}
