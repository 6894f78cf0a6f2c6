//! Clients at work, and what each was told, on disk before it asks for more.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Scope, ScopedJoinHandle};

use serde_json::{Value, json};
use striatum_testkit::{Daemon, Stubborn};
use tempfile::TempDir;

/// Clients at once.
const COUNT: usize = 4;

pub(crate) struct Clients {
    socket: PathBuf,
    token: String,
    folder: PathBuf,
    /// Answers so far.
    pub(crate) told: AtomicUsize,
    is_over: AtomicBool,
}

/// What a client was told, as it stands on disk.
pub(crate) struct Told {
    pub(crate) request_id: String,
    pub(crate) root: PathBuf,
    pub(crate) data: Value,
}

pub(crate) fn folder() -> TempDir {
    let base = fs::canonicalize(std::env::temp_dir()).expect("a folder for temporary files");
    let closed = fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix("striatum-").permissions(closed).tempdir_in(base).expect("a folder")
}

fn params(root: &Path) -> Value {
    json!({"path": root, "init": true})
}

impl Clients {
    pub(crate) fn new(daemon: &Daemon, folder: &Path) -> Self {
        Self {
            socket: daemon.setup().socket(),
            token: daemon.setup().token().expect("a token"),
            folder: folder.to_owned(),
            told: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    pub(crate) fn start<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
    ) -> Vec<ScopedJoinHandle<'scope, ()>> {
        (0..COUNT).map(|client| scope.spawn(move || self.work(client))).collect()
    }

    /// Lets them end once they have been answered.
    pub(crate) fn stop(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    fn work(&self, client: usize) {
        let mut stubborn = Stubborn::new(&self.socket, &self.token);
        let mut kept = OpenOptions::new().create(true).append(true).open(self.list(client)).expect("a file");
        for n in 0.. {
            if self.is_over.load(Ordering::Acquire) {
                return;
            }
            // What is ready orders no effect: its reply is out at once after the decision.
            let is_ready = n % 3 > 0;
            let root = self.folder.join(format!("{}-{client}-{n}", if is_ready { "ready" } else { "bare" }));
            fs::create_dir_all(root.join(".git")).expect("a folder");
            fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
            if is_ready {
                fs::create_dir_all(root.join(".striatum/scratch")).expect("a folder");
                fs::write(root.join(".gitignore"), ".striatum/\n").expect("a file");
            }
            let request_id = format!("add-{client}-{n}");
            let reply = stubborn.ask(&request_id, "repo.add", &params(&root));
            assert_eq!(reply["ok"], true, "{reply}");
            let line = json!({"request_id": request_id, "root": root, "data": reply["data"]});
            writeln!(kept, "{line}").and_then(|()| kept.sync_all()).expect("it is kept");
            self.told.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn list(&self, client: usize) -> PathBuf {
        self.folder.join(format!("told-{client}"))
    }

    /// All that any client was told.
    pub(crate) fn told(&self) -> Vec<Told> {
        let line = |line: &str| {
            let told: Value = serde_json::from_str(line).expect("as it was written");
            let text = |key: &str| told[key].as_str().expect("a text").to_owned();
            Told { request_id: text("request_id"), root: text("root").into(), data: told["data"].clone() }
        };
        let lists = (0..COUNT).filter_map(|client| fs::read_to_string(self.list(client)).ok());
        lists.flat_map(|list| list.lines().map(line).collect::<Vec<_>>()).collect()
    }

    /// Asks everything again: each is a replay with the reply that was given.
    pub(crate) fn replay(&self, daemon: &Daemon, seed: u64) {
        // It may be about to notice that its lock went with the server.
        let mut client = Stubborn::new(&daemon.setup().socket(), &self.token);
        for Told { request_id, root, data } in self.told() {
            let replay = client.ask(&request_id, "repo.add", &params(&root));
            let says = (&replay["replayed"], &replay["data"]);
            assert_eq!(says, (&json!(true), &data), "seed {seed}: {request_id} was acknowledged: {replay}");
        }
    }
}

/// The lines of a repository's ignore file.
pub(crate) fn ignored(root: &Path) -> String {
    let mut text = String::new();
    let file = File::open(root.join(".gitignore"));
    file.and_then(|mut file| std::io::Read::read_to_string(&mut file, &mut text)).expect("a file");
    text
}
