//! How git is run: no hook, no configuration but the repository's own, no prompt, no network, and not for ever. The
//! one program that the daemon starts.
#![expect(clippy::disallowed_methods, reason = "programs are started by observers and effects")]

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// How long git may take.
const LONGEST: Duration = Duration::from_secs(20);
/// Octets of what it says that are read.
const MOST: u64 = 8 << 20;

/// What holds for every run of it.
const SETTINGS: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.askPass=true",
    "core.pager=cat",
    "diff.external=",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "submodule.recurse=false",
];

/// What git answered.
#[derive(Debug)]
pub(crate) struct Said {
    /// Whether it was content.
    pub(crate) is_success: bool,
    /// Its standard output.
    pub(crate) out: Vec<u8>,
    /// What it complained about, one line.
    pub(crate) complaint: String,
}

/// Runs git in a repository.
///
/// # Errors
/// Where it could not be run to its end, in one sentence.
pub(crate) fn git(root: &Path, arguments: &[&str]) -> Result<Said, String> {
    let mut command = Command::new("git");
    command.env_clear().envs([
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", "/nonexistent"),
        ("LC_ALL", "C"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
    ]);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    // The daemon's user need not own the repository that it was told to serve.
    command.arg("-c").arg(format!("safe.directory={}", root.display()));
    command.arg("-C").arg(root).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("git could not be run: {error}"))?;
    let (out, complaints) =
        (child.stdout.take().expect("it is piped"), child.stderr.take().expect("it is piped"));
    let (sender, said) = channel();
    for (is_out, mut pipe) in
        [(true, Box::new(out) as Box<dyn std::io::Read + Send>), (false, Box::new(complaints))]
    {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut octets = Vec::new();
            let read = pipe.by_ref().take(MOST).read_to_end(&mut octets);
            // Nobody listens any more where git took too long.
            let _ = sender.send((is_out, read.map(|_| octets)));
        });
    }
    let (mut out, mut complaint) = (Vec::new(), String::new());
    for _ in 0..2 {
        match said.recv_timeout(LONGEST) {
            Ok((true, Ok(octets))) => out = octets,
            Ok((false, Ok(octets))) => {
                complaint = String::from_utf8_lossy(&octets).lines().next().unwrap_or_default().to_owned();
            }
            Ok((_, Err(error))) => complaint = format!("git could not be listened to: {error}"),
            Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("git did not end within {} s", LONGEST.as_secs()));
            }
        }
    }
    if out.len() as u64 == MOST {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| format!("git could not be waited for: {error}"))?;
    Ok(Said { is_success: status.success(), out, complaint })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::path::Path;

    use super::git;

    /// A repository without a commit, on main.
    pub(crate) fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        said(folder.path(), &["init", "-q", "-b", "main"]);
        folder
    }

    /// A commit with one more file; its id.
    pub(crate) fn commit(root: &Path, file: &str) -> String {
        fs::write(root.join(file), file).expect("a file");
        said(root, &["add", "--", file]);
        said(root, &["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", file]);
        said(root, &["rev-parse", "HEAD"])
    }

    /// What git says, which has to be content.
    pub(crate) fn said(root: &Path, arguments: &[&str]) -> String {
        let said = git(root, arguments).expect("git runs");
        assert!(said.is_success, "{arguments:?}: {}", said.complaint);
        String::from_utf8(said.out).expect("UTF-8").trim().to_owned()
    }

    #[test]
    fn what_git_complains_about_is_told() {
        let folder = repository();
        let said = git(folder.path(), &["rev-parse", "--verify", "nothing"]).expect("git runs");
        assert!(!said.is_success);
        assert!(said.complaint.contains("single revision"), "{}", said.complaint);
    }
}
