//! Becoming the serving daemon: the serving lock, a new authority, a new password for the runtime login.

use std::time::Duration;

use postgres_protocol::password::scram_sha_256;
use serde::Deserialize;
use sqlx::postgres::{PgConnectOptions, PgDatabaseError};
use sqlx::types::Json;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use striatum_contract::refusal::Refusal;
use tokio::time::{sleep, timeout};

use crate::config::Config;
use crate::door::{Door, Identity};
use crate::install;
use crate::observe::socket_folder;
use crate::parked::Parked;
use crate::secret::Secret;

const PATIENCE: Duration = Duration::from_secs(10);

/// A daemon that serves: for as long as the connection that holds the serving lock lives.
pub struct Serving {
    /// The way to the database.
    pub door: Door,
    /// Which daemon this is.
    pub identity: Identity,
    /// The number of this start.
    pub boot_epoch: i64,
    /// Whether nobody can ask yet.
    pub has_clients: bool,
    /// Holds the serving lock.
    pub lock: PgConnection,
}

/// Why this process does not serve.
#[derive(Debug)]
pub enum NotServing {
    /// It should end, and say this.
    End(Refusal),
    /// It waits until this has changed.
    Wait(Parked),
}

/// What the database holds, and the rest where that is what this program carries: else nothing was changed.
#[derive(Deserialize)]
struct Started {
    functions_sha256: Option<String>,
    bundles: Option<Vec<install::OnRecord>>,
    boot_epoch: Option<i64>,
    #[serde(default)]
    has_clients: bool,
}

/// Becomes the serving daemon, or says why not.
///
/// # Errors
/// Another daemon serves, a pooler stands in between, or the database does not fit this program.
pub async fn start(config: &Config) -> Result<Serving, NotServing> {
    let identity = Identity {
        instance_id: format!("i-{}", &hex(Secret::make().map_err(no_randomness)?.octets())[..16]),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let authority = Secret::make().map_err(no_randomness)?;
    let password = Secret::make().map_err(no_randomness)?.text();

    for place in [&config.bootstrap, &config.database] {
        if let Some(problem) = place.socket_folder().and_then(|folder| socket_folder::problem(&folder)) {
            return Err(NotServing::End(exposed(problem)));
        }
    }
    let options = config.bootstrap.connect();
    let mut lock = connect(&options).await?;
    refuse_a_pooler(&mut lock, &options).await?;
    // The verifier alone goes over the wire; the password stays in this process.
    let verifier = scram_sha_256(password.as_bytes());
    let started: Json<Started> = sqlx::query_scalar("select striatumd.bootstrap_instance($1, $2, $3, $4)")
        .bind(&identity.instance_id)
        .bind(authority.octets())
        .bind(verifier)
        .bind(Json(install::carried()))
        .fetch_one(&mut lock)
        .await
        .map_err(explained)?;
    let Json(started) = started;
    let boot_epoch = fits(&started)?;

    let runtime = config.database.connect_as_login(&password);
    let mut probe = connect(&runtime).await?;
    refuse_a_pooler(&mut probe, &runtime).await?;
    end_older_sessions(&mut probe).await?;
    drop(probe.close().await);
    tracing::info!(boot_epoch, instance_id = identity.instance_id, "db_credential_rotated");
    let door = Door::open(runtime, authority, identity.clone(), config.reads);
    Ok(Serving { door, identity, boot_epoch, has_clients: started.has_clients, lock })
}

/// Ends the sessions of the login in this database that began before this one, and so before its password was changed:
/// one that somebody has opened would outlive that, and can hold locks that the door waits for. Whoever calls this has
/// the serving lock, so none of them is another daemon's that serves. A role may end its own sessions: nobody gets a
/// right for it.
async fn end_older_sessions(login: &mut PgConnection) -> Result<(), NotServing> {
    const END: &str = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                        where usename = current_user and datname = current_database()
                          and backend_start < (select backend_start from pg_stat_activity
                                                where pid = pg_backend_pid())";
    let ended = async {
        let mut is_told = false;
        loop {
            let still: i64 = sqlx::query_scalar(END).fetch_one(&mut *login).await.map_err(explained)?;
            if still == 0 {
                return Ok(());
            }
            if !std::mem::replace(&mut is_told, true) {
                tracing::warn!(sessions = still, "sessions of the login from before this start are ended");
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    let stay = || NotServing::Wait(Parked::unreachable("sessions of its login from before do not end"));
    timeout(PATIENCE, ended).await.unwrap_or_else(|_| Err(stay()))
}

/// Waits on a connection that holds the serving lock until it is gone.
pub async fn until_lost(lock: &mut PgConnection) {
    loop {
        sleep(Duration::from_secs(5)).await;
        let alive = timeout(PATIENCE, lock.ping()).await;
        if !matches!(alive, Ok(Ok(()))) {
            return;
        }
    }
}

/// The serving lock, and whether no installation runs, which holds it for as long as it lasts.
const RETAKE: &str = "select pg_try_advisory_lock(hashtextextended('striatum:serving', 0)),
                             pg_try_advisory_xact_lock_shared(hashtextextended('striatum:install', 0))";

/// Takes the serving lock again over a new connection. Whether the authority is still this daemon's, the next call
/// through the door tells.
///
/// # Errors
/// It is held by another daemon now, or the database cannot be reached.
pub async fn retake(config: &Config) -> Result<PgConnection, NotServing> {
    let mut lock = connect(&config.bootstrap.connect()).await?;
    let (is_ours, is_installed): (bool, bool) =
        sqlx::query_as(RETAKE).fetch_one(&mut lock).await.map_err(explained)?;
    match (is_ours, is_installed) {
        (true, _) => Ok(lock),
        (false, true) => Err(NotServing::End(taken_over())),
        (false, false) => Err(NotServing::Wait(Parked::installing())),
    }
}

/// Gives the serving lock up. Says whether it was held until now: then nobody else has started meanwhile.
pub async fn give_up(mut lock: PgConnection) -> bool {
    const GIVE_UP: &str = "select pg_advisory_unlock(hashtextextended('striatum:serving', 0))";
    let was_held = sqlx::query_scalar::<_, bool>(GIVE_UP).fetch_one(&mut lock);
    matches!(timeout(PATIENCE, was_held).await, Ok(Ok(true)))
}

/// What a daemon says that was superseded.
pub fn taken_over() -> Refusal {
    Refusal::new(
        "daemon_auth_lost",
        "another daemon has taken over this database, or somebody has changed the password of its login",
        ["striatum daemon status".to_owned(), "striatum daemon start".to_owned()],
    )
}

async fn connect(options: &PgConnectOptions) -> Result<PgConnection, NotServing> {
    match timeout(PATIENCE, options.connect()).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) => Err(explained(error)),
        Err(_) => Err(NotServing::Wait(Parked::unreachable("no connection came about"))),
    }
}

/// A session lock must stay with its session. Behind a pooler that hands out connections a transaction at a time it
/// would not, and two daemons could serve: while a second connection sits in a transaction, the first one must still
/// be the backend that it was and hold its lock. The key is random, so that one that leaks blocks nobody.
async fn refuse_a_pooler(first: &mut PgConnection, options: &PgConnectOptions) -> Result<(), NotServing> {
    const MINE: &str = "select pg_backend_pid(), exists (select from pg_locks where pid = pg_backend_pid() \
                        and locktype = 'advisory' and classid = 0 and objid::bigint = $1 and objsubid = 1)";
    let key = i64::from(u32::from_ne_bytes(
        Secret::make().map_err(no_randomness)?.octets()[..4].try_into().expect("four of 32 octets"),
    ));
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid() from pg_try_advisory_lock($1)")
        .persistent(false)
        .bind(key)
        .fetch_one(&mut *first)
        .await
        .map_err(explained)?;
    let mut second = connect(options).await?;
    let mut open = second.begin().await.map_err(explained)?;
    sqlx::query("select 1").persistent(false).execute(&mut *open).await.map_err(explained)?;
    let mine = sqlx::query_as(MINE).persistent(false).bind(key).fetch_one(&mut *first).await;
    let (still, holds): (i32, bool) = mine.map_err(explained)?;
    open.rollback().await.map_err(explained)?;
    drop(second.close().await);
    sqlx::query("select pg_advisory_unlock($1)")
        .persistent(false)
        .bind(key)
        .execute(first)
        .await
        .map_err(explained)?;
    if pid == still && holds {
        return Ok(());
    }
    Err(NotServing::End(Refusal::new(
        "transaction_pooler",
        "the database URL leads to a pooler that hands out connections a transaction at a time",
        ["the URL of the server itself, or of a pooler in session mode, in [database] of daemon.toml"
            .to_owned()],
    )))
}

/// The number of this start, which there is where the database holds what this program carries; or what differs.
fn fits(started: &Started) -> Result<i64, NotServing> {
    let bundles = started.bundles.as_deref().unwrap_or_default();
    match (install::compare(bundles, started.functions_sha256.as_deref()), started.boot_epoch) {
        (install::Fit::Fits, Some(boot_epoch)) => Ok(boot_epoch),
        (install::Fit::Behind(what), _) => Err(NotServing::Wait(Parked::behind(&what))),
        (install::Fit::Ahead(what), _) => Err(NotServing::Wait(Parked::ahead(&what))),
        (install::Fit::FunctionsDiffer | install::Fit::Fits, _) => {
            Err(NotServing::Wait(Parked::functions_differ()))
        }
    }
}

fn exposed(problem: String) -> Refusal {
    let next = ["striatum local up".to_owned(), "chmod 700 FOLDER, as the owner of the cluster".to_owned()];
    Refusal::new("socket_folder_exposed", problem, next)
}

fn no_randomness(error: getrandom::Error) -> NotServing {
    NotServing::Wait(Parked::unreachable(&format!("the system has no randomness to give: {error}")))
}

fn explained(error: sqlx::Error) -> NotServing {
    let Some(said) = error.as_database_error().and_then(|said| said.try_downcast_ref::<PgDatabaseError>())
    else {
        return NotServing::Wait(Parked::unreachable(&error.to_string()));
    };
    match said.code() {
        // A refusal of bootstrap_instance: the detail is the refusal itself.
        "ST001" => match said.detail().and_then(|detail| serde_json::from_str::<Refusal>(detail).ok()) {
            Some(refusal) if refusal.code == "busy" => NotServing::Wait(Parked::installing()),
            Some(refusal) => NotServing::End(refusal),
            None => NotServing::Wait(Parked::unreachable(said.message())),
        },
        // No such function, schema, or right to it; no such role or database: nothing was applied yet.
        "42883" | "3F000" | "42501" | "42P01" | "3D000" => NotServing::Wait(Parked::behind(said.message())),
        _ => NotServing::Wait(Parked::unreachable(said.message())),
    }
}

pub(crate) fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}
