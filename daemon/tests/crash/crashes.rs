//! What is killed.

use rustix::process::{Pid, Signal, kill_process};
use sqlx::{ConnectOptions as _, PgConnection};
use striatum_testkit::{Daemon, Provider, Shutdown};

/// Places in the daemon at which it ends by itself.
const PLACES: [&str; 4] = ["committed", "decided", "planned", "performed"];

/// Numbers of a seed (xorshift), so that a red seed can be had again.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).expect("below a usize")
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Crash {
    /// kill -9 of the daemon, at any moment.
    Daemon,
    /// The daemon, at a place of the program.
    Place,
    /// `pg_terminate_backend` of one of the daemon's backends.
    Terminated,
    /// kill -9 of a backend: the server recovers, and forgets what was not on disk.
    Backend,
    /// kill -9 of the postmaster.
    Server,
    /// An immediate stop of the server.
    Stopped,
    /// The server and the daemon, one behind the other.
    Both,
}

impl Crash {
    /// Each kind once, in an order of the seed's.
    pub(crate) fn all(random: &mut Random) -> [Self; 7] {
        let mut kinds = [
            Self::Backend,
            Self::Daemon,
            Self::Place,
            Self::Server,
            Self::Terminated,
            Self::Both,
            Self::Stopped,
        ];
        for end in (1..kinds.len()).rev() {
            kinds.swap(end, random.below(end + 1));
        }
        kinds
    }

    /// Lets it happen, and starts again what does not by itself.
    pub(crate) fn happen(self, server: &mut Provider, daemon: &mut Daemon, random: &mut Random) {
        match self {
            Self::Daemon => {
                daemon.kill().expect("a crash");
                daemon.restart().expect("a start");
            }
            Self::Place => {
                let place = format!("{}:{}", PLACES[random.below(PLACES.len())], 1 + random.below(5));
                let before = daemon.setup().clone();
                daemon.kill().expect("a crash");
                // It may get so far before anybody sees it serve.
                let doomed = Daemon::spawn(before.clone().with("STRIATUM_FAULT", &place)).expect("a daemon");
                drop(std::mem::replace(daemon, doomed));
                daemon.ended().expect("an end");
                assert!(daemon.log().iter().all(|line| !line.contains("panicked")), "{:?}", daemon.log());
                *daemon = Daemon::start(before).expect("a start");
            }
            Self::Terminated => {
                backend(server, random, |pid| format!("select pg_terminate_backend({pid})"));
            }
            Self::Backend => {
                if let Some(pid) = backend(server, random, |pid| format!("select {pid} > 0")) {
                    let pid = Pid::from_raw(pid).expect("a number of a process");
                    // It may have ended meanwhile; its number is nobody else's so soon.
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
            Self::Server => {
                server.kill_postmaster().expect("a crash");
                server.start_again().expect("a start");
            }
            Self::Stopped => {
                server.stop(Shutdown::Immediate).expect("a stop");
                server.start_again().expect("a start");
            }
            Self::Both => {
                daemon.kill().expect("a crash");
                server.kill_postmaster().expect("a crash");
                server.start_again().expect("a start");
                daemon.restart().expect("a start");
            }
        }
    }
}

/// One of the daemon's backends, and a statement about it; nothing where there is none just now.
fn backend(server: &Provider, random: &mut Random, about: impl Fn(i32) -> String) -> Option<i32> {
    let choice = random.below(8);
    ask(async || {
        let mut admin = admin(server).await;
        let pids: Vec<i32> = sqlx::query_scalar(
            "select pid from pg_stat_activity where application_name = 'striatumd' order by usename, pid",
        )
        .fetch_all(&mut admin)
        .await
        .expect("numbers");
        let pid = *pids.get(choice % pids.len().max(1))?;
        sqlx::query(sqlx::AssertSqlSafe(about(pid))).execute(&mut admin).await.expect("a statement");
        Some(pid)
    })
}

/// A superuser's connection; a server that recovers is waited for.
async fn admin(server: &Provider) -> PgConnection {
    let options = server.admin().database("postgres");
    striatum_testkit::until_asked("the server takes connections", async || options.connect().await.is_ok())
        .await;
    options.connect().await.expect("a connection")
}

fn ask<T>(question: impl AsyncFnOnce() -> T) -> T {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(question()))
}
