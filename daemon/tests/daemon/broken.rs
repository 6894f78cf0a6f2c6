//! B077: connections to the database break, servers restart; the daemon goes on, nothing is lost, nothing done twice.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use striatum_testkit::{Database, Shutdown, Stubborn, server, until};

use crate::stage::{Stage, init};

/// Clients at once, and what each registers in a round.
const CLIENTS: usize = 3;

/// While clients register repositories, does something to the database again and again: each time once some more
/// requests were answered.
async fn while_clients_ask(stage: &mut Stage, rounds: u32, mut disturb: impl AsyncFnMut(&mut Stage, u32)) {
    let pid = stage.daemon.pid();
    let (socket, token) = (stage.daemon.setup().socket(), stage.daemon.setup().token().expect("a token"));
    let world = stage.world.clone();
    let (answered, is_over) = (AtomicU32::new(0), AtomicU32::new(0));
    let told: Mutex<Vec<(String, Value, Value)>> = Mutex::default();
    let work = |client: usize| {
        let mut stubborn = Stubborn::new(&socket, &token);
        for n in 0.. {
            if is_over.load(Ordering::Acquire) > 0 {
                return;
            }
            let root = world.join(format!("{client}-{n}"));
            make(&root);
            let (request_id, params) = (format!("r-{client}-{n}"), init(&root));
            let reply = stubborn.ask(&request_id, "repo.add", &params);
            assert_eq!(reply["ok"], true, "{reply}");
            told.lock().expect("no client panicked").push((request_id, params, reply["data"].clone()));
            answered.fetch_add(1, Ordering::AcqRel);
        }
    };
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || work(client))).collect();
        let handle = tokio::runtime::Handle::current();
        // The clients end also where this panics.
        let disturbed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for round in 0..rounds {
                let before = answered.load(Ordering::Acquire);
                until("requests are answered", || {
                    answered.load(Ordering::Acquire) >= before + 5
                        || clients.iter().any(|one| one.is_finished())
                });
                tokio::task::block_in_place(|| handle.block_on(disturb(stage, round)));
            }
        }));
        is_over.store(1, Ordering::Release);
        disturbed.expect("what was done to the database");
    });
    stage.daemon.until_serving().expect("it serves");
    assert_eq!(stage.daemon.pid(), pid, "it was the same daemon all the time");

    let told = told.into_inner().expect("no client panicked");
    // It may be about to notice that its lock was lost.
    let mut client = Stubborn::new(&socket, &token);
    for (request_id, params, data) in &told {
        let replay = client.ask(request_id, "repo.add", params);
        assert_eq!((&replay["replayed"], &replay["data"]), (&json!(true), data), "{request_id}: {replay}");
    }
    stage.admin = stage.database.admin().await.expect("a connection");
    assert_eq!(stage.number("select count(*) from striatumd.repositories").await, told.len() as i64);
    let odd = "select count(*) from (select 1 from striatumd.events group by repository_id
                having string_agg(event_type, ' ' order by event_id) <> 'repository.added repository.initialized') t";
    assert_eq!(stage.number(odd).await, 0);
    assert_eq!(stage.number("select count(*) from striatumd.effects where state <> 'done'").await, 0);
    for (_, params, _) in &told {
        let root = std::path::Path::new(params["path"].as_str().expect("a path"));
        assert_eq!(entries(root), ".striatum/\n");
    }
}

#[expect(clippy::disallowed_methods, reason = "a test makes the folders that the daemon is led to")]
fn make(root: &std::path::Path) {
    std::fs::create_dir_all(root.join(".git")).expect("a folder");
    std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
}

#[expect(clippy::disallowed_methods, reason = "a test looks at what the daemon made")]
fn entries(root: &std::path::Path) -> String {
    std::fs::read_to_string(root.join(".gitignore")).expect("a file")
}

/// Every kind of connection of the daemon's, again and again.
#[tokio::test(flavor = "multi_thread")]
async fn backends_that_are_terminated_cost_nothing() {
    let mut stage = Stage::set().await;
    while_clients_ask(&mut stage, 12, async |stage, round| {
        let logins = ["striatumd_rw_%", "striatum_bootstrap", "striatum%"][round as usize % 3];
        stage
            .run(&format!(
                "select pg_terminate_backend(pid) from pg_stat_activity
                  where datname = current_database() and usename like '{logins}'"
            ))
            .await;
    })
    .await;
}

/// The server restarts in each way in which it may, under load.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_restarts_costs_nothing() {
    let own = server(&["fsync = on"]).expect("a server");
    let mut stage = Stage::on(Database::on(&own).await.expect("a database")).await;
    while_clients_ask(&mut stage, 3, async |_, round| {
        match round {
            0 => own.stop(Shutdown::Fast).expect("a stop"),
            1 => own.stop(Shutdown::Immediate).expect("a stop"),
            _ => own.kill_postmaster().expect("a crash"),
        }
        own.start_again().expect("a start");
    })
    .await;
}
