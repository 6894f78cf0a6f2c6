//! Crashes: whatever is killed, and whenever, nothing that was acknowledged is lost, nothing is done twice, and the
//! chains hold.
//!
//! Clients register repositories and note on disk what they were told; meanwhile the daemon, a backend or the server is
//! killed, at random or at a named place (`daemon/src/fault.rs`). The seeds are those of `STRIATUM_TORTURE_SEEDS`
//! (`1 2 3`, or `1..40`), else five.
#![expect(clippy::disallowed_methods, reason = "a test kills, and keeps what it was told on disk")]

mod clients;
mod crashes;
mod verify;

use std::env;
use std::sync::atomic::Ordering;

use striatum_testkit::{Daemon, Database, Setup, server, skipped_in_container, until};

use clients::Clients;
use crashes::{Crash, Random};

/// Seeds at once: most of a crash is waiting until something has come up again.
const AT_ONCE: usize = 5;

fn seeds() -> Vec<u64> {
    let wanted = env::var("STRIATUM_TORTURE_SEEDS").unwrap_or_default();
    let wanted = if wanted.trim().is_empty() { "1..5".to_owned() } else { wanted };
    let number = |text: &str| text.parse::<u64>().expect("a seed is a number");
    wanted
        .split_whitespace()
        .flat_map(|part| match part.split_once("..") {
            Some((first, last)) => number(first)..=number(last),
            None => number(part)..=number(part),
        })
        .collect()
}

/// One life of a server and its daemon, with crashes.
async fn torture(seed: u64) {
    let mut random = Random::new(seed);
    // On disk means on disk here, and only the commit of a call brings it there soon.
    let mut server =
        server(&["fsync = on", "wal_writer_delay = 10s", "checkpoint_timeout = 1h"]).expect("a server");
    let database = Database::on(&server).await.expect("a database");
    let folder = clients::folder();
    let setup = Setup::new(env!("CARGO_BIN_EXE_striatumd"), database.url(), folder.path());
    let mut daemon = Daemon::start(setup).expect("a daemon");
    let clients = Clients::new(&daemon, folder.path());

    let crashed = std::thread::scope(|scope| {
        let working = clients.start(scope);
        let crashed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for crash in Crash::all(&mut random) {
                let before = clients.told.load(Ordering::Acquire);
                let some = random.below(8);
                until("requests are answered", || {
                    clients.told.load(Ordering::Acquire) > before + some
                        || working.iter().any(|one| one.is_finished())
                });
                println!("seed {seed}: {crash:?}");
                crash.happen(&mut server, &mut daemon, &mut random);
            }
        }));
        clients.stop();
        // They end when they are answered, so the daemon has to serve.
        if crashed.is_err() {
            daemon.kill().and_then(|()| daemon.restart()).expect("a daemon for the clients to end");
        }
        crashed
    });
    if let Err(panicked) = crashed {
        std::panic::resume_unwind(panicked);
    }
    // Once more, all at once, with nobody at work.
    Crash::Daemon.happen(&mut server, &mut daemon, &mut random);
    Crash::Server.happen(&mut server, &mut daemon, &mut random);
    daemon.until_serving().expect("it serves");
    clients.replay(&daemon, seed);
    verify::holds(&database, &clients, seed).await;
}

/// STR-STORE-05: whatever ran side by side, and whatever was killed, the order of a repository's events is an order
/// that leads to its row: folding them gives the table. Each change of a repository has its event.
/// B077: each acknowledged request is there, once, with its reply; each repository has one row, its two events and one
/// entry in its ignore file; both chains verify from their first row on.
#[test]
fn nothing_that_was_acknowledged_is_lost_and_nothing_is_done_twice() {
    if skipped_in_container("no backend can be killed from outside there") {
        return;
    }
    for some in seeds().chunks(AT_ONCE) {
        std::thread::scope(|scope| {
            let tortured = some.iter().map(|&seed| {
                scope.spawn(move || {
                    let runtime =
                        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
                    runtime.expect("a runtime").block_on(torture(seed));
                })
            });
            let tortured: Vec<_> = tortured.collect();
            let red = tortured.into_iter().filter_map(|seed| seed.join().err()).count();
            assert_eq!(red, 0, "of seeds {some:?}");
        });
    }
}
