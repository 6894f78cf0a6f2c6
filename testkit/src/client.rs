//! A client of the daemon's socket: a line out, a line in.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// A daemon that answers nothing for so long counts as hung.
const HUNG: Duration = Duration::from_secs(90);

static MADE: AtomicU64 = AtomicU64::new(0);

/// A connection.
pub struct Client {
    reader: BufReader<UnixStream>,
    token: Option<String>,
}

impl Client {
    /// A connection on which nothing was said yet.
    ///
    /// # Errors
    /// When nobody listens.
    pub fn connect(socket: &Path) -> Result<Self> {
        let stream = UnixStream::connect(socket).with_context(|| socket.display().to_string())?;
        stream.set_read_timeout(Some(HUNG))?;
        stream.set_write_timeout(Some(HUNG))?;
        Ok(Self { reader: BufReader::new(stream), token: None })
    }

    /// A connection after `daemon.hello`, and what that answered.
    ///
    /// # Errors
    /// When nobody listens, or the daemon refuses.
    pub fn greeted(socket: &Path) -> Result<(Self, Value)> {
        let mut client = Self::connect(socket)?;
        let reply = client.ask("daemon.hello", hello())?;
        anyhow::ensure!(reply["ok"] == true, "hello: {reply}");
        Ok((client, reply["data"].clone()))
    }

    /// With a token to show.
    pub fn with_token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    /// A request as this client would make it.
    pub fn request(&self, request_id: &str, method: &str, params: Value) -> Value {
        let mut request =
            json!({"schema_version": 1, "request_id": request_id, "method": method, "params": params});
        if let Some(token) = &self.token {
            request["capability_token"] = token.as_str().into();
        }
        request
    }

    /// Asks under a new request id; the reply.
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.ask_as(&new_request_id(), method, params)
    }

    /// Asks under this request id; the reply, which is held to its shape.
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn ask_as(&mut self, request_id: &str, method: &str, params: Value) -> Result<Value> {
        let request = self.request(request_id, method, params);
        let reply = self.line(request.to_string().as_bytes())?.context("the daemon closed the connection")?;
        anyhow::ensure!(reply["request_id"] == request_id, "a reply to another request: {reply}");
        Ok(reply)
    }

    /// Sends one line as it is; the reply, or nothing where the daemon closed the connection instead. Half a line is an
    /// error of another kind: see [`Client::hear`].
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn line(&mut self, line: &[u8]) -> Result<Option<Value>> {
        self.say(line)?;
        self.hear()
    }

    /// Sends one line and does not wait.
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn say(&mut self, line: &[u8]) -> Result<()> {
        let mut octets = line.to_vec();
        octets.push(b'\n');
        Ok(self.reader.get_mut().write_all(&octets)?)
    }

    /// The next reply; nothing where the connection was closed.
    ///
    /// # Errors
    /// When the connection breaks, and when what came is no whole reply.
    pub fn hear(&mut self) -> Result<Option<Value>> {
        let mut line = String::new();
        if self.reader.read_line(&mut line).context("hearing a reply")? == 0 {
            return Ok(None);
        }
        assert!(line.ends_with('\n'), "half a line: {line}");
        let reply: Value = serde_json::from_str(&line).expect("a reply is JSON");
        assert_whole(&reply);
        Ok(Some(reply))
    }
}

/// A reply has the version, the request id, and exactly one of its halves; a refusal says what to do next.
fn assert_whole(reply: &Value) {
    assert_eq!(reply["schema_version"], 1, "{reply}");
    assert!(reply["request_id"].is_string(), "{reply}");
    let ok = reply["ok"].as_bool().expect("ok is true or false");
    assert_eq!(reply.get("data").is_some(), ok, "{reply}");
    assert_eq!(reply.get("error").is_some(), !ok, "{reply}");
    if !ok {
        let error = &reply["error"];
        let next = error["next"].as_array().expect("next is a list");
        assert!(
            !next.is_empty() && next.iter().all(|step| step.as_str().is_some_and(|step| !step.is_empty()))
        );
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{reply}");
        assert!(error["details"].is_object(), "{reply}");
        let known = striatum_contract::refusal::ERROR_CODES.iter().any(|known| error["code"] == *known.code);
        assert!(known, "{reply}");
    }
}

/// Params of a `daemon.hello` that a daemon of today takes.
pub fn hello() -> Value {
    json!({"client": {"name": "testkit", "version": "0", "supported_envelope": [1], "supported_framings": ["json"]}})
}

/// A request id that nobody else has in this process.
pub fn new_request_id() -> String {
    format!("test-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed))
}
