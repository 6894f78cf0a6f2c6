//! The daemon's course: claim the runtime directory, start or park, serve, drain, end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, json};
use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::SOCKET;
use tokio::sync::{Notify, RwLock, watch};
use tokio::time::{sleep, timeout};

use crate::bootstrap::{self, NotServing, Serving};
use crate::config::Config;
use crate::door::{CallError, Door, Identity, Phase};
use crate::exchange::Explained;
use crate::lanes::Lanes;
use crate::lanes::keeper::Keeper;
use crate::observe::minted_secret::{self, Minted};
use crate::outbox::{self, Outbox};
use crate::parked::Parked;
use crate::runtime_dir::RuntimeDir;
use crate::transport::socket;

/// How often a parked daemon looks again: at first, and once it has waited for a while. A look at a database that does
/// not fit changes nothing; one that shuts the login out all the same is a start each time, with a row of its own.
const POLL: Duration = Duration::from_secs(3);
const POLL_LATER: Duration = Duration::from_secs(60);
/// Looks after which it is later.
const LOOKS: u32 = 100;
/// How long requests may take to finish once the daemon is to end.
const GRACE: Duration = Duration::from_secs(20);

/// What everything in the process shares.
pub struct Daemon {
    /// Secrets that wait for an effect outlast a parking.
    lanes: Arc<Lanes>,
    state: watch::Sender<State>,
    /// Held for reading by every request that is being answered.
    pub(crate) busy: Arc<RwLock<()>>,
    ending: watch::Sender<bool>,
    shutdown: Arc<Notify>,
}

/// Whether the daemon serves.
#[derive(Clone)]
pub enum State {
    /// It may not, for this reason.
    Parked(Parked),
    /// It does.
    Serving(Arc<Live>),
}

/// What a serving daemon serves with.
pub struct Live {
    /// The way to the database.
    pub door: Door,
    /// Performs effects.
    pub outbox: Outbox,
    /// What effects of agents go by.
    pub(crate) lanes: Arc<Lanes>,
    /// Follows agents.
    pub(crate) keeper: Keeper,
    /// Which daemon this is.
    pub identity: Identity,
    /// Whether the daemon is about to end, so that nobody should wait any more.
    pub(crate) ending: watch::Receiver<bool>,
    shut_out: Notify,
    shutdown: Arc<Notify>,
}

impl Live {
    /// Takes up a hint of a reply to the daemon itself.
    pub(crate) fn wake(&self, wake: &str) {
        if wake == "daemon:shutdown" {
            self.shutdown.notify_one();
        }
    }

    /// How a call that reached no decision is answered, of a method that changes something or not. One that was shut
    /// out ends this service: another daemon is in power, or somebody has changed the password.
    pub(crate) fn explained(&self, error: CallError, changes: bool) -> Explained {
        if matches!(error, CallError::AuthorityLost) {
            self.shut_out.notify_one();
        }
        Explained::of(error, changes)
    }
}

impl Daemon {
    fn new(config: &Config) -> Arc<Self> {
        Arc::new(Self {
            lanes: Arc::new(Lanes::new(&config.runtime_dir)),
            state: watch::Sender::new(State::Parked(Parked::unreachable("it was not tried yet"))),
            busy: Arc::default(),
            ending: watch::Sender::new(false),
            shutdown: Arc::new(Notify::new()),
        })
    }

    /// Whether it serves now.
    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }
}

/// Serves until told to end.
///
/// # Errors
/// Why it does not serve, or no longer: another daemon does, or the runtime directory will not do.
pub async fn run(config: Config) -> Result<(), Refusal> {
    let mut runtime_dir = RuntimeDir::claim(&config.runtime_dir)?;
    let daemon = Daemon::new(&config);
    let mut signals = Signals::listen()?;
    // Whoever cannot serve because another does says so before it listens anywhere.
    let first = bootstrap::start(&config).await;
    if let Err(NotServing::End(refusal)) = first {
        return Err(refusal);
    }
    runtime_dir.sign().map_err(|error| unusable(&error))?;
    let listener = socket::listen(&mut runtime_dir).map_err(|error| unusable(&error))?;
    let transport = tokio::spawn(socket::run(listener, daemon.clone(), config.line_bytes));

    let course = course(&config, &daemon, &runtime_dir, first);
    let outcome = tokio::select! {
        outcome = course => outcome,
        () = signals.any() => Ok(()),
        () = daemon.shutdown.notified() => Ok(()),
        // Nobody can reach it any more, and nobody else can begin to serve: whoever starts it again starts anew.
        () = runtime_dir.lost() => Err(runtime_dir.gone()),
    };
    runtime_dir.leave();
    transport.abort();
    tracing::info!("draining");
    daemon.ending.send_replace(true);
    // Whoever holds this for writing knows that every request begun was answered, and that no other begins.
    match timeout(GRACE, daemon.busy.clone().write_owned()).await {
        Ok(alone) => {
            socket::flushed().await;
            // Never given back: a request that began while the runtime ends would find half of it gone.
            std::mem::forget(alone);
        }
        Err(_) => tracing::warn!("requests were still running when the time for them was over"),
    }
    outcome
}

/// Parks, serves, and parks again, until another daemon takes over.
async fn course(
    config: &Config,
    daemon: &Arc<Daemon>,
    runtime_dir: &RuntimeDir,
    first: Result<Serving, NotServing>,
) -> Result<(), Refusal> {
    let mut started = first;
    let mut looks = 0;
    loop {
        match started {
            Ok(serving) => {
                let parked = serve(config, daemon, runtime_dir, serving).await?;
                park(daemon, parked);
                looks = 0;
            }
            Err(NotServing::End(refusal)) => return Err(refusal),
            Err(NotServing::Wait(parked)) => {
                park(daemon, parked);
                looks += 1;
                sleep(if looks < LOOKS { POLL } else { POLL_LATER }).await;
            }
        }
        started = bootstrap::start(config).await;
    }
}

/// Serves, and takes the lock back where it is lost, until another daemon takes over; or until it has to start again,
/// and why.
async fn serve(
    config: &Config,
    daemon: &Arc<Daemon>,
    runtime_dir: &RuntimeDir,
    serving: Serving,
) -> Result<Parked, Refusal> {
    let Serving { door, identity, boot_epoch, has_clients, mut lock } = serving;
    let lanes = daemon.lanes.clone();
    let outbox = Outbox::start(door.clone(), lanes.clone());
    let keeper = Keeper::start(door.clone(), lanes.clone(), outbox.clone());
    let (ending, shut_out, shutdown) = (daemon.ending.subscribe(), Notify::new(), daemon.shutdown.clone());
    let live = Arc::new(Live { door, outbox, lanes, keeper, identity, ending, shut_out, shutdown });
    if !has_clients {
        first_client(&live, runtime_dir).await;
    }
    loop {
        tracing::info!(instance_id = live.identity.instance_id, boot_epoch, "serving");
        live.outbox.nudge();
        live.keeper.nudge();
        daemon.state.send_replace(State::Serving(live.clone()));
        tokio::select! {
            () = bootstrap::until_lost(&mut lock) => {}
            () = live.shut_out.notified() => {
                // While this daemon had the lock nobody could start: then the password or the authority was changed
                // by hand, and is made anew.
                return match bootstrap::give_up(lock).await {
                    true => Ok(Parked::shut_out()),
                    false => Err(bootstrap::taken_over()),
                };
            }
        }
        park(daemon, Parked::unreachable("the connection that holds the serving lock is gone"));
        lock = loop {
            match bootstrap::retake(config).await {
                Ok(lock) => break lock,
                Err(NotServing::End(refusal)) => return Err(refusal),
                Err(NotServing::Wait(parked)) => park(daemon, parked),
            }
            sleep(Duration::from_millis(500)).await;
        };
        // The lock is ours again; that the authority is, the door says.
        let ask = outbox::internal("effect.due", None, Phase::Decide, &json!({}), Map::new(), GRACE);
        if matches!(live.door.call(&ask).await, Err(CallError::AuthorityLost)) {
            return Err(bootstrap::taken_over());
        }
    }
}

fn park(daemon: &Daemon, parked: Parked) {
    let is_new = !matches!(daemon.state(), State::Parked(before) if before == parked);
    if is_new {
        tracing::warn!(reason = parked.reason, message = parked.message, "parked");
        daemon.state.send_replace(State::Parked(parked));
    }
}

/// Makes the first administrator and puts its token into the runtime directory.
async fn first_client(live: &Live, runtime_dir: &RuntimeDir) {
    let minted = match Minted::make() {
        Ok(minted) => minted,
        Err(error) => return tracing::error!(%error, "no token for the first client"),
    };
    let observed = Map::from_iter([(minted_secret::NAME.to_owned(), minted.fact())]);
    let request_id = Some(format!("first-client-{}", live.identity.instance_id));
    let ask = outbox::internal("client.bootstrap", request_id, Phase::Decide, &json!({}), observed, GRACE);
    let data = match live.door.call(&ask).await {
        Ok(answer) => answer.data,
        Err(error) => return tracing::error!(%error, "the first client could not be made"),
    };
    let data: Option<serde_json::Value> = data.and_then(|data| serde_json::from_str(data.get()).ok());
    let Some(client_id) = data.as_ref().and_then(|data| data["client_id"].as_str()) else { return };
    match runtime_dir.write_token(&minted.token(client_id)) {
        Ok(path) => tracing::info!(client_id, path = %path.display(), "the first client's token was written"),
        Err(error) => tracing::error!(%error, client_id, "the first client's token could not be written"),
    }
}

fn unusable(error: &std::io::Error) -> Refusal {
    Refusal::new(
        "runtime_dir_unsafe",
        format!("the runtime directory cannot be used: {error}"),
        ["striatumd --runtime-dir DIR".to_owned()],
    )
}

/// The signals that ask for an end.
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    fn listen() -> Result<Self, Refusal> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).map_err(|error| unusable(&error));
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    async fn any(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Where the socket of this configuration is.
pub fn socket_of(config: &Config) -> PathBuf {
    config.runtime_dir.join(SOCKET)
}
