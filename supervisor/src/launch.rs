//! The one line that a helper is started with.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::process::Process;

/// The schema of a launch.
pub const SCHEMA: &str = "striatum.supervisor_helper.launch.v1";

/// The most octets of a launch: more than any system takes as arguments and environment.
pub const LAUNCH_OCTETS: usize = 8 * 1024 * 1024;

/// The cap of the log where the launch names none.
pub const LOG_CAP_OCTETS: u64 = 16 * 1024 * 1024;

/// The most octets of a path of a unix socket, without the NUL after it.
const SOCKET_PATH_OCTETS: usize = 107;

/// An agent, and where its helper is found.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Launch {
    schema: &'static str,
    /// Whose process this is.
    pub supervisor_id: String,
    /// The program by its whole path, and its arguments.
    pub argv: Vec<String>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// Its whole environment: nothing is inherited.
    pub env: BTreeMap<String, String>,
    /// The control socket.
    pub socket: PathBuf,
    /// The [`crate::pidfile::Pidfile`].
    pub pidfile: PathBuf,
    /// What the terminal shows goes here, for a person who looks; null where nobody should. Must not exist.
    pub log: Option<PathBuf>,
    /// The most octets that the log holds.
    pub log_cap_octets: u64,
    /// Lines of the terminal.
    pub rows: u16,
    /// Columns of the terminal.
    pub cols: u16,
}

impl Launch {
    /// An agent in a terminal of 24 lines and 80 columns, whose files lie in one folder, without environment or log.
    pub fn new(supervisor_id: &str, argv: Vec<String>, cwd: &Path, folder: &Path) -> Self {
        Self {
            schema: SCHEMA,
            supervisor_id: supervisor_id.to_owned(),
            argv,
            cwd: cwd.to_owned(),
            env: BTreeMap::new(),
            socket: folder.join(format!("{supervisor_id}.sock")),
            pidfile: folder.join(format!("{supervisor_id}.pid")),
            log: None,
            log_cap_octets: LOG_CAP_OCTETS,
            rows: 24,
            cols: 80,
        }
    }

    /// Reads a line, and answers all that is wrong with it at once.
    pub fn read(line: &[u8]) -> Result<Self, Vec<Problem>> {
        let fields = match serde_json::from_slice(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Err(vec![Problem::new("launch_malformed", "", "a launch is an object")]),
            // Without serde's own words, which may quote what stands there.
            Err(error) => {
                let place = format!("no JSON from column {} on", error.column());
                return Err(vec![Problem::new("launch_malformed", "", place)]);
            }
        };
        let mut fields = Fields { fields, problems: Vec::new() };
        let launch = fields.launch();
        let unknown = fields.fields.keys().map(|name| Problem::new("field_unknown", name, "no such field"));
        fields.problems.extend(unknown);
        if fields.problems.is_empty() { Ok(launch) } else { Err(fields.problems) }
    }
}

/// Without the environment, in which there may be a secret.
impl fmt::Debug for Launch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Launch")
            .field("supervisor_id", &self.supervisor_id)
            .field("argv", &self.argv)
            .finish_non_exhaustive()
    }
}

/// One thing that is wrong with a launch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// One of those in docs/reference/helper.md.
    pub code: String,
    /// The field, empty where it is the launch as a whole.
    pub field: String,
    /// For people; never a value of the environment.
    pub message: String,
}

impl Problem {
    /// A problem of a field.
    pub fn new(code: &str, field: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), field: field.to_owned(), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({}): {}", self.code, self.field, self.message)
    }
}

/// What a helper answers to a launch that it took. On the wire with `ok: true`; problems come with `ok: false`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launched {
    /// The helper, which from here on is spoken with over its socket.
    pub helper: Process,
    /// The agent; null where it could not be executed. Then an event says so, and waits to be acknowledged.
    pub agent: Option<Process>,
    /// Its terminal.
    pub pts: Option<String>,
    /// Why it could not be executed.
    pub exec_errno: Option<i32>,
}

/// The fields that were not read yet, and what was wrong with the others.
struct Fields {
    fields: Map<String, Value>,
    problems: Vec<Problem>,
}

impl Fields {
    fn launch(&mut self) -> Launch {
        if self.text("schema").is_some_and(|schema| schema != SCHEMA) {
            self.problem("field_invalid", "schema", format!("must be {SCHEMA}"));
        }
        Launch {
            schema: SCHEMA,
            supervisor_id: self.supervisor_id(),
            argv: self.argv(),
            cwd: self.path("cwd"),
            env: self.env(),
            socket: self.socket(),
            pidfile: self.path("pidfile"),
            log: self.log(),
            log_cap_octets: self.number("log_cap_octets", Some(LOG_CAP_OCTETS), 4096..=1 << 40),
            rows: self.number("rows", None, 1..=u16::MAX.into()).try_into().unwrap_or(1),
            cols: self.number("cols", None, 1..=u16::MAX.into()).try_into().unwrap_or(1),
        }
    }

    fn problem(&mut self, code: &str, field: &str, message: impl Into<String>) {
        self.problems.push(Problem::new(code, field, message));
    }

    fn take(&mut self, field: &str) -> Option<Value> {
        let value = self.fields.remove(field);
        if value.is_none() {
            self.problem("field_missing", field, "is missing");
        }
        value
    }

    fn text(&mut self, field: &str) -> Option<String> {
        let value = self.take(field)?;
        let text = value.as_str().map(str::to_owned);
        match &text {
            None => self.problem("field_invalid", field, "must be text"),
            Some(text) if text.contains('\0') => self.problem("text_has_nul", field, "holds a NUL"),
            Some(_) => {}
        }
        text
    }

    fn supervisor_id(&mut self) -> String {
        let id = self.text("supervisor_id");
        let allowed = |octet: u8| octet.is_ascii_alphanumeric() || b"._:-".contains(&octet);
        if id.as_ref().is_some_and(|id| !(1..=128).contains(&id.len()) || !id.bytes().all(allowed)) {
            self.problem("field_invalid", "supervisor_id", "must be 1 to 128 of [A-Za-z0-9._:-]");
        }
        id.unwrap_or_default()
    }

    fn path(&mut self, field: &str) -> PathBuf {
        let path = PathBuf::from(self.text(field).unwrap_or_else(|| "/".to_owned()));
        if !path.is_absolute() {
            self.problem("path_relative", field, "must be an absolute path");
        }
        path
    }

    fn socket(&mut self) -> PathBuf {
        let path = self.path("socket");
        let octets = path.as_os_str().len();
        if octets > SOCKET_PATH_OCTETS {
            let message = format!("has {octets} octets, a socket's path may have {SOCKET_PATH_OCTETS}");
            self.problem("socket_path_too_long", "socket", message);
        }
        path
    }

    fn log(&mut self) -> Option<PathBuf> {
        match self.fields.get("log") {
            Some(Value::Null) => {
                self.fields.remove("log");
                None
            }
            _ => Some(self.path("log")),
        }
    }

    fn argv(&mut self) -> Vec<String> {
        let Some(value) = self.take("argv") else { return Vec::new() };
        let argv: Vec<String> = serde_json::from_value(value).unwrap_or_default();
        match argv.first() {
            None => self.problem("field_invalid", "argv", "must be a list of texts, and not empty"),
            Some(program) if !Path::new(program).is_absolute() => {
                self.problem("path_relative", "argv", "the program must be an absolute path");
            }
            Some(_) => {}
        }
        if argv.iter().any(|argument| argument.contains('\0')) {
            self.problem("text_has_nul", "argv", "holds a NUL");
        }
        argv
    }

    fn env(&mut self) -> BTreeMap<String, String> {
        let Some(value) = self.take("env") else { return BTreeMap::new() };
        let Ok(env) = serde_json::from_value::<BTreeMap<String, String>>(value) else {
            self.problem("field_invalid", "env", "must be an object of texts");
            return BTreeMap::new();
        };
        if env.keys().any(|name| name.is_empty() || name.contains('=')) {
            self.problem("field_invalid", "env", "a name is empty or holds a =");
        }
        if env.iter().any(|(name, value)| name.contains('\0') || value.contains('\0')) {
            self.problem("text_has_nul", "env", "holds a NUL");
        }
        env
    }

    fn number(&mut self, field: &str, missing: Option<u64>, range: std::ops::RangeInclusive<u64>) -> u64 {
        if let Some(missing) = missing.filter(|_| !self.fields.contains_key(field)) {
            return missing;
        }
        let Some(value) = self.take(field) else { return 0 };
        value.as_u64().filter(|number| range.contains(number)).unwrap_or_else(|| {
            let message = format!("must be a whole number from {} to {}", range.start(), range.end());
            self.problem("field_invalid", field, message);
            0
        })
    }
}
