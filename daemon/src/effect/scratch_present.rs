//! `scratch_present`: a repository has `.striatum/scratch`, and git passes `.striatum` over.
//!
//! Args: `{root, inode}`. The folder must still be the one that was registered; nothing outside of it is reached, also
//! through links; of what stands in `.gitignore` not an octet changes.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags, ResolveFlags, mkdirat, openat2};
use serde_json::Value;

use super::{Effect, Order, Problem};
use crate::lanes::Lanes;

pub(super) const EFFECT: Effect = Effect { kind: "scratch_present", perform, probe };

/// The line that is added to `.gitignore`.
const ENTRY: &str = ".striatum/";
/// Octets of a `.gitignore` that is still one.
const LONGEST: u64 = 4 << 20;

fn perform(_: &Lanes, order: &Order<'_>) -> Result<(), Problem> {
    let root = root(order.args)?;
    // Each in the folder that is open already: a name that was looked at may be a link by the time it is used.
    let mut above = root.try_clone().map_err(|error| problem("the folder", error))?;
    for folder in [".striatum", "scratch"] {
        match mkdirat(&above, folder, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(problem(&format!("{folder} cannot be made"), error.into())),
        }
        above = open(&above, folder, OFlags::DIRECTORY)
            .map_err(|error| problem(&format!("{folder} is no folder"), error))?;
    }
    add_entry(&root).map_err(|error| problem(".gitignore cannot be written", error))
}

fn probe(_: &Lanes, order: &Order<'_>) -> Result<Option<Value>, Problem> {
    let root = root(order.args)?;
    let has_scratch = open(&root, ".striatum/scratch", OFlags::DIRECTORY).is_ok();
    let text = read(&root).map_err(|error| problem(".gitignore cannot be read", error))?;
    let is_so = has_scratch && holds_entry(&text.unwrap_or_default());
    Ok(is_so.then(|| Value::Object(serde_json::Map::new())))
}

/// Whether the scratch folder is there.
pub(crate) fn has_scratch(root: &Path) -> io::Result<bool> {
    let root = open_folder(root)?;
    Ok(open(&root, ".striatum/scratch", OFlags::DIRECTORY).is_ok())
}

/// Whether git passes `.striatum` over because of the top `.gitignore`.
pub(crate) fn is_ignored(root: &Path) -> io::Result<bool> {
    let root = open_folder(root)?;
    Ok(holds_entry(&read(&root).unwrap_or_default().unwrap_or_default()))
}

/// The folder that was registered, open; a path below it is resolved from here.
fn root(args: &Value) -> Result<OwnedFd, Problem> {
    let path = args["root"].as_str().unwrap_or_default();
    let file = File::from(open_folder(Path::new(path)).map_err(|error| problem(path, error))?);
    let is = file.metadata().map_err(|error| problem(path, error))?;
    if !is.is_dir() || Some(is.ino().to_string().as_str()) != args["inode"].as_str() {
        let says = format!("{path} is not the folder any more that was registered");
        return Err(Problem { says, is_hopeless: true });
    }
    Ok(OwnedFd::from(file))
}

/// Opens a folder and nothing else: what stands there may be a pipe by now, and would hold whoever opened it.
fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

/// Opens what lies below the root, through no link and out of it by no way.
fn open(root: impl AsFd, path: &str, flags: OFlags) -> io::Result<OwnedFd> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    Ok(openat2(root, path, flags | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty(), resolve)?)
}

/// The text of `.gitignore`; none where there is no such file.
fn read(root: impl AsFd) -> io::Result<Option<Vec<u8>>> {
    let file = match open(root, ".gitignore", OFlags::RDONLY) {
        Ok(file) => File::from(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let is = file.metadata()?;
    if !is.is_file() || is.len() > LONGEST {
        return Err(io::Error::other("it is no file of a text"));
    }
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text)?;
    Ok(Some(text))
}

/// Whether git passes `.striatum` over by a line that names it: of several the last one counts, and `!` takes it back.
fn holds_entry(text: &[u8]) -> bool {
    let lines = text.split(|octet| *octet == b'\n').rev();
    let mut verdicts = lines.filter_map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = &line[..line.iter().rposition(|octet| *octet != b' ').map_or(0, |last| last + 1)];
        let (is_ignored, name) = match line.strip_prefix(b"!") {
            Some(name) => (false, name),
            None => (true, line),
        };
        let is_ours = [&b".striatum/"[..], b".striatum", b"/.striatum/", b"/.striatum"].contains(&name);
        is_ours.then_some(is_ignored)
    });
    verdicts.next().unwrap_or(false)
}

/// Appends, and so changes nothing that stands there, whoever else writes at the same time.
fn add_entry(root: &OwnedFd) -> io::Result<()> {
    let before = read(root)?.unwrap_or_default();
    if holds_entry(&before) {
        return Ok(());
    }
    let ends = before.is_empty() || before.ends_with(b"\n");
    let line = if ends { format!("{ENTRY}\n") } else { format!("\n{ENTRY}\n") };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(openat2(root, ".gitignore", flags, Mode::from_raw_mode(0o644), resolve)?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file of a text"));
    }
    file.write_all(line.as_bytes())?;
    file.sync_all()?;
    rustix::fs::fsync(root)?;
    Ok(())
}

fn problem(what: &str, error: io::Error) -> Problem {
    use io::ErrorKind::{Interrupted, StorageFull, TimedOut};
    let passes = matches!(error.kind(), Interrupted | StorageFull | TimedOut);
    Problem { says: format!("{what}: {error}"), is_hopeless: !passes }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the folders that the effect is led to")]
mod tests {
    use std::fs;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    use rustix::fs::symlink;
    use serde_json::json;
    use tempfile::tempdir;

    use crate::effect::{Order, Problem, bring_about};
    use crate::lanes::Lanes;

    fn inode(path: &Path) -> String {
        fs::metadata(path).expect("an entry").ino().to_string()
    }

    fn refused(root: &Path, inode: &str) -> Problem {
        let args = json!({"root": root, "inode": inode});
        let order = Order { args: &args, client_id: "c", request_id: "r" };
        bring_about("scratch_present", &Lanes::new(root), &order).expect_err("a no")
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    /// What stands in the place of the folder is not waited for, and nothing is made elsewhere: each is the entry that
    /// its number says, but for the last, which is a folder of another number.
    #[test]
    fn a_pipe_or_a_link_in_the_place_of_the_folder_is_a_problem_and_no_wait() {
        let (folder, target) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from_raw_mode(0o600)).expect("a pipe");
        symlink(target.path(), &link).expect("a link");
        let (of_pipe, of_target) = (inode(&pipe), inode(target.path()));
        for (path, inode) in [(&*pipe, &*of_pipe), (&*link, &*of_target), (target.path(), "1")] {
            let problem = refused(path, inode);
            assert!(problem.is_hopeless, "{}", problem.says);
        }
        assert_eq!((count(folder.path()), count(target.path())), (2, 0));
    }

    /// A link below the folder leads nowhere, neither out of it nor to another place in it.
    #[test]
    fn nothing_is_made_where_a_link_leads() {
        let elsewhere = tempdir().expect("a folder");
        let out = elsewhere.path();
        for (name, target, is_file) in [
            (".striatum", out, false),
            (".striatum", Path::new("inside"), false),
            (".striatum/scratch", out, false),
            (".striatum/scratch", Path::new("../inside"), false),
            (".gitignore", &out.join("new"), true),
            (".gitignore", Path::new("inside"), true),
        ] {
            let root = tempdir().expect("a folder");
            let (link, inside) = (root.path().join(name), root.path().join("inside"));
            fs::create_dir_all(link.parent().expect("a folder")).expect("a folder");
            if is_file { fs::write(&inside, "") } else { fs::create_dir(&inside) }.expect("an entry");
            symlink(target, &link).expect("a link");
            let problem = refused(root.path(), &inode(root.path()));
            assert!(problem.is_hopeless, "{name}: {}", problem.says);
            assert_eq!(count(out), 0, "{name} to {}", target.display());
            let is_empty =
                if is_file { fs::read(&inside).expect("a file").is_empty() } else { count(&inside) == 0 };
            assert!(is_empty, "{name} to {}", target.display());
        }
    }
}
