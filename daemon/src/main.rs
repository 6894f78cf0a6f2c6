//! striatumd: the daemon, and what an owner of the database does with it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::is_instance_name;
use striatumd::config::{Config, Flags};
use striatumd::said::{Said, show};
use striatumd::{db, log, recover, serve};

/// The daemon of striatum: serves requests over a unix socket, and decides nothing.
#[derive(Parser)]
#[command(name = "striatumd", version, about)]
struct Line {
    #[command(flatten)]
    flags: Common,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Args)]
struct Common {
    /// The configuration file [default: daemon.toml in ~/.config/striatum, else in the data directory]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where the database is, as postgres://...
    #[arg(long, global = true, value_name = "URL")]
    postgres_url: Option<String>,
    /// Where striatum_bootstrap connects, if elsewhere
    #[arg(long, global = true, value_name = "URL")]
    bootstrap_url: Option<String>,
    /// Where socket, token and pidfile live
    #[arg(long, global = true, value_name = "DIR")]
    runtime_dir: Option<PathBuf>,
    /// Which of several installations side by side
    #[arg(long, global = true, value_name = "NAME")]
    instance: Option<String>,
    /// Answer in JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Serve in the foreground (what happens without a command)
    Serve {
        /// Leave the session of whoever started it, so that it outlives their terminal
        #[arg(long)]
        own_session: bool,
    },
    /// Look after the database, as a superuser or a member of striatum_owner
    #[command(subcommand)]
    Db(Db),
    /// Look after the first token
    #[command(subcommand)]
    Token(Token),
}

#[derive(Subcommand)]
enum Db {
    /// Say what an apply would do, and do nothing
    Plan,
    /// Bring the database to what this program carries
    Apply,
    /// Say in two lines what holds, and the next command
    Status,
    /// Write the audit chain and the event chains into a fresh folder, for striatum-verify
    ExportChains {
        /// The folder; it must not be there, or be empty
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

#[derive(Subcommand)]
enum Token {
    /// Make a new administrator and write its token into the runtime directory; the daemon has to be stopped
    Recover,
}

fn main() -> ExitCode {
    let Line { flags, command } = Line::parse();
    let (json, instance) = (flags.json, flags.instance.clone());
    let instance = instance.as_deref().filter(|name| is_instance_name(name));
    let flags = Flags {
        config: flags.config,
        url: flags.postgres_url,
        bootstrap_url: flags.bootstrap_url,
        runtime_dir: flags.runtime_dir,
        instance: flags.instance,
    };
    match command.unwrap_or(Command::Serve { own_session: false }) {
        Command::Serve { own_session } => match serve_in_the_foreground(&flags, own_session) {
            Ok(()) => ExitCode::SUCCESS,
            // The last line of a log of JSON lines.
            Err(refusal) => show(Err(refusal), true, instance),
        },
        Command::Db(command) => show(look_after_the_database(&flags, &command), json, instance),
        Command::Token(Token::Recover) => show(recover_the_token(&flags), json, instance),
    }
}

fn serve_in_the_foreground(flags: &Flags, own_session: bool) -> Result<(), Refusal> {
    if own_session {
        // Refused to the leader of a group, which has one already: whoever asks from a shell.
        let _ = rustix::process::setsid();
    }
    let config = Config::read(flags)?;
    log::start(config.log_level);
    let runtime = runtime()?;
    let outcome = runtime.block_on(serve::run(config));
    // A look or an effect that hangs in the file system must not keep the process.
    runtime.shutdown_timeout(std::time::Duration::from_secs(5));
    outcome
}

fn look_after_the_database(flags: &Flags, command: &Db) -> Result<Said, Refusal> {
    let config = Config::read(flags)?;
    log::start(tracing::Level::ERROR);
    runtime()?.block_on(async {
        match command {
            Db::Plan => db::plan(&config.database).await,
            Db::Apply => db::apply(&config.database).await,
            Db::Status => db::status(&config.database).await,
            Db::ExportChains { folder } => db::export(&config.database, folder).await,
        }
    })
}

fn recover_the_token(flags: &Flags) -> Result<Said, Refusal> {
    let config = Config::read(flags)?;
    log::start(tracing::Level::ERROR);
    runtime()?.block_on(recover::recover(&config))
}

fn runtime() -> Result<tokio::runtime::Runtime, Refusal> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(|error| {
        Refusal::new("internal_error", format!("the runtime cannot start: {error}"), ["striatumd".to_owned()])
    })
}
