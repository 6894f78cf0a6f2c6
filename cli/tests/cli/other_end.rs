//! The other end of the socket, for what a real daemon does not do on request: hang, vanish, talk nonsense. Tests of
//! what a daemon answers when all is well belong to the real one.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const TOKEN: &str = "client_00000000000000a1.AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE";

/// A runtime directory with a socket on which somebody listens, and with a token.
pub(crate) struct OtherEnd {
    folder: TempDir,
    requests: Receiver<Value>,
}

/// One accepted connection.
pub(crate) struct Peer {
    stream: BufReader<UnixStream>,
    seen: Sender<Value>,
}

impl OtherEnd {
    /// Listens, and plays the script with each connection, the first one being 0.
    pub(crate) fn new(script: impl Fn(&mut Peer, usize) + Send + 'static) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let listener = UnixListener::bind(folder.path().join("striatumd.sock")).expect("a socket");
        let (seen, requests) = channel();
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let mut peer =
                    Peer { stream: BufReader::new(stream.expect("a connection")), seen: seen.clone() };
                script(&mut peer, number);
            }
        });
        let end = Self { folder, requests };
        end.token(TOKEN, 0o600);
        end
    }

    /// Answers the handshake and then each request with this data.
    pub(crate) fn answering(data: Value) -> Self {
        Self::new(move |peer, _| {
            peer.welcome();
            while let Some(request) = peer.read() {
                peer.say(&done(&request, &data));
            }
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.path().join("striatumd.sock")
    }

    pub(crate) fn token_file(&self) -> PathBuf {
        self.path().join("client-token")
    }

    /// Writes the token file.
    pub(crate) fn token(&self, text: &str, mode: u32) {
        fs::write(self.token_file(), text).expect("the token file");
        fs::set_permissions(self.token_file(), Permissions::from_mode(mode)).expect("its mode");
    }

    /// Runs the command line in a folder, with this runtime directory.
    pub(crate) fn striatum_in(&self, folder: &Path, arguments: &[&str]) -> Output {
        self.command(arguments).current_dir(folder).output().expect("the built program starts")
    }

    /// The command line, not started yet, with this runtime directory.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_striatum"));
        command.args(arguments).env("STRIATUM_DAEMON_RUNTIME_DIR", self.path());
        command.env_remove("STRIATUM_TOKEN_FILE");
        command
    }

    pub(crate) fn striatum(&self, arguments: &[&str]) -> Output {
        self.striatum_in(Path::new("/"), arguments)
    }

    /// The requests that have come in, but for handshakes.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.requests.try_iter().filter(|request| request["method"] != "daemon.hello").collect()
    }
}

impl Peer {
    /// The next request; `None` where the client has gone.
    pub(crate) fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.stream.read_line(&mut line).ok().filter(|count| *count > 0)?;
        let request: Value = serde_json::from_str(&line).expect("a request is JSON");
        // Nobody listens any more where the test has ended.
        let _ = self.seen.send(request.clone());
        Some(request)
    }

    /// Sends a line; a client that has gone does not hear it.
    pub(crate) fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send(&mut self, octets: &[u8]) {
        let _ = self.stream.get_mut().write_all(octets);
    }

    /// Answers the handshake.
    pub(crate) fn welcome(&mut self) {
        self.greet(
            &json!({"daemon_version": "0.0.1", "envelope": 1, "framing": "json", "substrate": "postgres"}),
        );
    }

    pub(crate) fn greet(&mut self, data: &Value) {
        if let Some(hello) = self.read() {
            assert_eq!(hello["method"], "daemon.hello", "it stands before all else");
            self.say(&done(&hello, data));
        }
    }

    /// Reads a request and never answers, until the client goes.
    pub(crate) fn hang(&mut self) {
        while self.read().is_some() {}
    }
}

pub(crate) fn done(request: &Value, data: &Value) -> String {
    json!({"schema_version": 1, "request_id": request["request_id"], "ok": true, "data": data, "audit_id": "7"})
        .to_string()
}

pub(crate) fn refused(request: &Value, code: &str) -> String {
    json!({"schema_version": 1, "request_id": request["request_id"], "ok": false,
           "error": {"code": code, "message": "it may not be", "details": {}, "next": ["striatum repo add ."]}})
    .to_string()
}
