//! The configuration: flag before environment before file, every problem found at once.

use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::{self, DIRECTORY_VARIABLE};
use striatum_contract::shell_word::shell_path;
use toml::{Table, Value};

use crate::install::DatabaseName;
use crate::runtime_dir;

/// What flags of the command line said; they win.
#[derive(Debug, Default, Clone)]
pub struct Flags {
    /// Which file, where not the usual one.
    pub config: Option<PathBuf>,
    /// `[database] url`.
    pub url: Option<String>,
    /// `[database] bootstrap_url`.
    pub bootstrap_url: Option<String>,
    /// `[daemon] runtime_dir`.
    pub runtime_dir: Option<PathBuf>,
    /// Which of several installations side by side.
    pub instance: Option<String>,
}

/// What the daemon goes by.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the database is; the login is the door's, its password is made at every start.
    pub database: Place,
    /// Where `striatum_bootstrap` connects; the same place where nothing else is said.
    pub bootstrap: Place,
    /// Socket, token, pidfile.
    pub runtime_dir: PathBuf,
    /// `error`, `warn`, `info` or `debug`.
    pub log_level: tracing::Level,
    /// Reads at once.
    pub reads: usize,
    /// Octets of a request line.
    pub line_bytes: usize,
}

/// A server and a database in it.
#[derive(Clone)]
pub struct Place {
    options: PgConnectOptions,
    /// The database's name, of the form that an installation needs.
    pub name: DatabaseName,
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.name.as_str())
    }
}

impl Place {
    /// A `postgres://` URL with a database; `host` may be a socket folder (`postgres:///striatum?host=/run/pg`). A
    /// login and a password in it are those of whoever the URL is for.
    ///
    /// # Errors
    /// What is wrong with it; never the URL itself, which may hold a password.
    pub fn parse(url: &str) -> Result<Self, String> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err("it does not begin with postgres://".to_owned());
        }
        let options: PgConnectOptions = url.parse().map_err(|_| "it cannot be read as a URL".to_owned())?;
        let is_here = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(&options.get_host());
        if options.get_socket().is_none() && !options.get_host().starts_with('/') && !is_here {
            return Err("it leads to another machine, and this program carries no TLS".to_owned());
        }
        let name = options.get_database().ok_or("it names no database")?;
        let name = DatabaseName::parse(name)?;
        Ok(Self { options: options.ssl_mode(PgSslMode::Disable).application_name("striatumd"), name })
    }

    /// As the login that the URL names.
    pub fn connect(&self) -> PgConnectOptions {
        self.options.clone().options(SETTINGS)
    }

    /// The folder of the server's socket; none where it is reached over loopback.
    pub fn socket_folder(&self) -> Option<PathBuf> {
        let host = PathBuf::from(self.options.get_host());
        self.options.get_socket().cloned().or_else(|| host.is_absolute().then_some(host))
    }

    /// As the door's login.
    pub fn connect_as_login(&self, password: &str) -> PgConnectOptions {
        self.connect().username(&self.name.login()).password(password)
    }
}

/// What a session of ours goes by, whatever the database or the login has by default.
const SETTINGS: [(&str, &str); 6] = [
    ("TimeZone", "UTC"),
    ("jit", "off"),
    ("default_transaction_isolation", "read committed"),
    ("default_transaction_read_only", "off"),
    ("standard_conforming_strings", "on"),
    ("quote_all_identifiers", "off"),
];

/// Every key that a file may hold.
const KEYS: &[(&str, &str)] = &[
    ("database", "url"),
    ("database", "bootstrap_url"),
    ("daemon", "runtime_dir"),
    ("daemon", "log_level"),
    ("limits", "db_reads"),
    ("limits", "line_bytes"),
];

impl Config {
    /// Puts it together.
    ///
    /// # Errors
    /// `config_invalid`, with every problem there is.
    pub fn read(flags: &Flags) -> Result<Self, Refusal> {
        let mut problems = Vec::new();
        let path = flags.config.clone().or_else(|| usual_file(flags.instance.as_deref()));
        let table = file(path.as_deref(), flags.config.is_some(), &mut problems);
        let mut text = |section: &str, key: &str, flag: Option<&str>, variable: &str| {
            let from_file = table.get(section).and_then(|section| section.get(key));
            if let Some(value) = from_file.filter(|value| !value.is_str()) {
                problems.push(format!("[{section}] {key} is a {}, and has to be a text", value.type_str()));
            }
            flag.map(str::to_owned)
                .or_else(|| environment(variable))
                .or_else(|| from_file.and_then(Value::as_str).map(str::to_owned))
        };
        let url = text("database", "url", flags.url.as_deref(), "STRIATUM_DAEMON_DB_URL");
        let bootstrap_url = text(
            "database",
            "bootstrap_url",
            flags.bootstrap_url.as_deref(),
            "STRIATUM_DAEMON_BOOTSTRAP_URL",
        );
        let folder = flags.runtime_dir.as_ref().map(|path| path.display().to_string());
        let runtime_dir = text("daemon", "runtime_dir", folder.as_deref(), DIRECTORY_VARIABLE);
        let log_level = text("daemon", "log_level", None, "STRIATUM_DAEMON_LOG_LEVEL");

        let number =
            |key: &str, usual: usize, least: usize, most: usize, problems: &mut Vec<String>| match table
                .get("limits")
                .and_then(|limits| limits.get(key))
            {
                None => usual,
                Some(value) => match value.as_integer().and_then(|number| usize::try_from(number).ok()) {
                    Some(number) if (least..=most).contains(&number) => number,
                    _ => {
                        problems.push(format!("[limits] {key} has to be a number from {least} to {most}"));
                        usual
                    }
                },
            };
        let reads = number("db_reads", 2, 1, 16, &mut problems);
        let line_bytes = number("line_bytes", 8 << 20, 1 << 16, 8 << 20, &mut problems);
        let log_level = match log_level.as_deref().unwrap_or("info").parse() {
            Ok(level) => level,
            Err(_) => {
                problems.push("[daemon] log_level has to be error, warn, info or debug".to_owned());
                tracing::Level::INFO
            }
        };
        let mut place = |what: &str, url: Option<&str>| match url.map(Place::parse) {
            Some(Ok(place)) => Some(place),
            Some(Err(problem)) => {
                problems.push(format!("[database] {what}: {problem}"));
                None
            }
            None => None,
        };
        let database = place("url", url.as_deref());
        let bootstrap = place("bootstrap_url", bootstrap_url.as_deref());
        if url.is_none() {
            problems.push("[database] url is missing: where is the database?".to_owned());
        }
        let runtime_dir = runtime_dir::resolve(runtime_dir.map(PathBuf::from), flags.instance.as_deref());
        let runtime_dir = runtime_dir.unwrap_or_else(|problem| {
            problems.push(problem);
            PathBuf::new()
        });
        match database {
            Some(database) if problems.is_empty() => {
                let bootstrap = bootstrap.unwrap_or_else(|| Place {
                    options: database.options.clone().username("striatum_bootstrap"),
                    name: database.name.clone(),
                });
                Ok(Self { database, bootstrap, runtime_dir, log_level, reads, line_bytes })
            }
            _ => Err(refusal(&problems, path.as_deref())),
        }
    }
}

fn refusal(problems: &[String], path: Option<&Path>) -> Refusal {
    let file = path.map_or_else(|| "daemon.toml".to_owned(), shell_path);
    let mend = format!("mend {file}, or the flag or variable beside it");
    // Whoever has said nothing yet may not need to.
    let local = problems
        .iter()
        .any(|problem| problem.contains("url is missing"))
        .then(|| "striatum local up".to_owned());
    Refusal::new("config_invalid", problems.join("; "), local.into_iter().chain([mend]))
        .with_details(serde_json::json!({"problems": problems}))
}

/// The file's table, empty where there is none; keys that nobody knows are problems.
fn file(path: Option<&Path>, is_wanted: bool, problems: &mut Vec<String>) -> Table {
    let Some(path) = path else { return Table::new() };
    let text = match text_of(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !is_wanted => return Table::new(),
        Err(error) => {
            problems.push(format!("{} cannot be read: {error}", path.display()));
            return Table::new();
        }
    };
    let table: Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            problems.push(format!("{} is not TOML: {}", path.display(), error.to_string().trim()));
            return Table::new();
        }
    };
    for (section, value) in &table {
        let Some(keys) = value.as_table().filter(|_| KEYS.iter().any(|(known, _)| known == section)) else {
            problems.push(format!("{}: there is no section [{section}]", path.display()));
            continue;
        };
        for key in keys.keys().filter(|key| !KEYS.contains(&(section.as_str(), key.as_str()))) {
            problems.push(format!("{}: there is no key {key} in [{section}]", path.display()));
        }
    }
    table
}

/// What stands in a plain file. Anything else in its place, a pipe above all, may keep whoever reads it for ever.
#[expect(clippy::disallowed_methods, reason = "configuration is read in one place: here")]
fn text_of(path: &Path) -> std::io::Result<String> {
    let no_wait = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut file = std::fs::OpenOptions::new().read(true).custom_flags(no_wait).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("it is no plain file"));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

#[expect(clippy::disallowed_methods, reason = "configuration is read in one place: here")]
fn environment(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| !value.is_empty())
}

/// Where the user keeps configuration, else where `striatum local up` puts it. An installation with a name has its file
/// in its own data directory alone: a file for all of them would send them all to one database.
#[expect(clippy::disallowed_methods, reason = "configuration is read in one place: here")]
fn usual_file(instance: Option<&str>) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let (home, uid) = (variable("HOME"), rustix::process::geteuid().as_raw());
    let of_the_instance =
        runtime::data_directory(variable("XDG_DATA_HOME").as_deref(), home.as_deref(), uid, instance)
            .map(|folder| folder.join(runtime::CONFIGURATION));
    if instance.is_some() {
        return of_the_instance;
    }
    let of_the_user = variable("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(home?).join(".config")))
        .map(|folder| folder.join("striatum").join(runtime::CONFIGURATION));
    match (of_the_user, of_the_instance) {
        (Some(usual), Some(local)) if !usual.exists() && local.exists() => Some(local),
        (usual, local) => usual.or(local),
    }
}
