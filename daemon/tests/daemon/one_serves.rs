//! Of all daemons that point at a database, or at a runtime directory, one serves.
#![expect(clippy::disallowed_methods, reason = "a test leaves files where a daemon finds them")]

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;

use serde_json::json;
use sqlx::{ConnectOptions as _, Connection as _};
use striatum_testkit::{Daemon, Database, Setup, is_socket, until, until_asked};

use crate::stage::{STRIATUMD, Stage, code, folder, init};

/// Starts five at once and waits until four have ended as they should; the one that serves.
fn one_of_five(setups: impl Iterator<Item = Setup>) -> Daemon {
    let mut daemons: Vec<Daemon> = setups.map(|setup| Daemon::spawn(setup).expect("a daemon")).collect();
    assert_eq!(daemons.len(), 5);
    until("four have ended", || {
        daemons.iter_mut().filter_map(|one| one.has_ended().then_some(())).count() >= 4
    });
    let (mut ended, mut left): (Vec<_>, Vec<_>) = daemons.into_iter().partition_mut(Daemon::has_ended);
    for one in &mut ended {
        assert_eq!(one.ended().expect("an end").told(), (4, "daemon_already_serving"), "{:?}", one.log());
    }
    let mut one = left.pop().expect("one is left");
    assert!(left.is_empty() && ended.len() == 4);
    one.until_serving().expect("it serves");
    one
}

/// `partition`, for what has to be asked mutably.
trait PartitionMut: Iterator + Sized {
    fn partition_mut(self, is_first: impl Fn(&mut Self::Item) -> bool) -> (Vec<Self::Item>, Vec<Self::Item>) {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for mut item in self {
            if is_first(&mut item) { first.push(item) } else { second.push(item) }
        }
        (first, second)
    }
}
impl<I: Iterator> PartitionMut for I {}

/// B092, with a runtime directory each: nothing was rotated under the one, whose calls go on.
#[tokio::test]
async fn of_five_daemons_at_one_database_one_serves() {
    let database = Database::fresh().await.expect("a database");
    let folders: Vec<_> = (0..10).map(|_| folder()).collect();
    let setup = |n: usize| Setup::new(STRIATUMD, database.url(), folders[n].path());
    let mut one = one_of_five((0..5).map(setup));
    assert_eq!(one.until_serving().expect("a hello")["boot_epoch"], "1");
    let mut client = one.client().expect("a client");

    // Four more, one after the other, while a client asks.
    for n in 5..9 {
        let mut late = Daemon::spawn(setup(n)).expect("a daemon");
        until("it has ended", || {
            assert_eq!(client.ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
            late.has_ended()
        });
        assert_eq!(late.ended().expect("an end").told(), (4, "daemon_already_serving"));
        assert!(!is_socket(&setup(n).socket()), "whoever does not serve listens nowhere");
    }
    assert_eq!(one.until_serving().expect("a hello")["boot_epoch"], "1");
    let mut admin = database.admin().await.expect("a connection");
    let starts: i64 =
        sqlx::query_scalar("select count(*) from striatumd.audit_log where method = 'bootstrap_instance'")
            .fetch_one(&mut admin)
            .await
            .expect("a count");
    assert_eq!(starts, 1);
    one.kill().expect("a crash");
    let mut next = Daemon::start(setup(9)).expect("the next one takes over");
    assert_eq!(next.until_serving().expect("a hello")["boot_epoch"], "2");
}

/// What a daemon that crashed may leave, by its name: `pid start_token boot_id`.
fn left_over() -> Vec<(&'static str, String)> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("a boot id");
    vec![
        ("a dead process", format!("4194303 1 {boot}")),
        ("a process of another start", format!("{} 1 {boot}", std::process::id())),
        (
            "a process of another boot",
            format!("{} 1 00000000-0000-0000-0000-000000000000\n", std::process::id()),
        ),
        ("nothing", String::new()),
        ("garbage", "\u{0}nonsense \n -1".to_owned()),
    ]
}

fn leave(setup: &Setup, pidfile: &str) {
    setup.make_runtime_dir().expect("a folder");
    fs::write(setup.runtime_dir.join("daemon.pid"), pidfile).expect("a file");
    // A socket that nobody listens on any more.
    drop(UnixListener::bind(setup.socket()).expect("a socket"));
}

/// B092, with one runtime directory, and what a crash left in it: exactly one serves, and no stale file blocks it.
#[tokio::test]
async fn of_five_daemons_in_one_runtime_directory_one_serves() {
    let database = Database::fresh().await.expect("a database");
    for (n, (what, pidfile)) in left_over().into_iter().enumerate() {
        let own = folder();
        let setup = Setup::new(STRIATUMD, database.url(), own.path());
        leave(&setup, &pidfile);
        let mut one = one_of_five((0..5).map(|_| setup.clone()));
        let epoch = one.until_serving().expect(what)["boot_epoch"].clone();
        assert_eq!(epoch, (n + 1).to_string(), "{what}: it was bootstrapped once");
        let signed = fs::read_to_string(setup.runtime_dir.join("daemon.pid")).expect("a pidfile");
        assert!(
            signed.starts_with(&format!("{} ", one.pid())) && signed.lines().count() == 1,
            "{what}: {signed}"
        );
        one.kill().expect("a crash");
        assert!(is_socket(&setup.socket()), "a crash takes nothing away");
        one.restart().expect("a start over what the crash left");
        one.terminate().expect("a signal");
        assert_eq!(one.ended().expect("an end").told(), (0, ""));
        // The next round is another runtime directory at the same database.
        fs::remove_dir_all(&setup.runtime_dir).expect("a folder taken away");
        skip_epoch(&database).await;
    }
}

/// Makes the epochs of the rounds plain numbers again.
async fn skip_epoch(database: &Database) {
    let mut admin = database.admin().await.expect("a connection");
    sqlx::query("update striatumd.daemon_authority set boot_epoch = boot_epoch - 1")
        .execute(&mut admin)
        .await
        .expect("an update");
}

/// What is no socket is nobody's to take away.
#[tokio::test]
async fn a_file_in_the_place_of_the_socket_stays() {
    let database = Database::fresh().await.expect("a database");
    let own = folder();
    let setup = Setup::new(STRIATUMD, database.url(), own.path());
    setup.make_runtime_dir().expect("a folder");
    fs::write(setup.socket(), "mine").expect("a file");
    let mut daemon = Daemon::spawn(setup.clone()).expect("a daemon");
    assert_eq!(daemon.ended().expect("an end").told(), (78, "runtime_dir_unsafe"));
    assert_eq!(fs::read_to_string(setup.socket()).expect("a file"), "mine");
}

/// A socket that somebody else has put in the place of the daemon's is not taken away with it.
#[tokio::test]
async fn a_socket_of_somebody_else_stays() {
    let mut stage = Stage::set().await;
    let socket = stage.daemon.setup().socket();
    fs::rename(&socket, socket.with_extension("aside")).expect("the daemon's, put aside");
    let _others = UnixListener::bind(&socket).expect("a socket");
    stage.daemon.terminate().expect("a signal");
    assert_eq!(stage.daemon.ended().expect("an end").told(), (0, ""));
    assert!(is_socket(&socket));
}

/// How the one before loses its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lost {
    /// Its lock connection alone breaks.
    Lock,
    /// All its connections break: it has to come in by its old password.
    Everything,
    /// All break, and its successor has ended when it looks: the serving lock is free again.
    ToNobody,
}

async fn terminate(stage: &mut Stage, logins: &str) {
    stage
        .run(&format!(
            "select pg_terminate_backend(pid, 60000) from pg_stat_activity
              where datname = current_database() and usename like '{logins}'"
        ))
        .await;
}

fn successor(stage: &Stage, folder: &Path) -> Daemon {
    Daemon::start(Setup::new(STRIATUMD, stage.database.url(), folder)).expect("the next daemon")
}

/// A daemon whose place was taken while it could not notice ends, and appends not one row more.
#[tokio::test]
async fn a_superseded_daemon_ends_and_appends_nothing() {
    for lost in [Lost::Lock, Lost::Everything, Lost::ToNobody] {
        let mut stage = Stage::set().await;
        let own = folder();
        let root = stage.repository("app");
        let mut client = stage.client();
        // Its connection to the door is there.
        assert_eq!(client.ask("repo.add", init(&root)).expect("a reply")["ok"], true);
        stage.daemon.pause().expect("a signal");
        terminate(&mut stage, "striatum_bootstrap").await;
        if lost != Lost::Lock {
            terminate(&mut stage, "striatumd_rw_%").await;
        }
        let mut next = successor(&stage, own.path());
        if lost == Lost::ToNobody {
            next.kill().expect("a crash");
        }
        // The next one appends rows of its own.
        let others = "select count(*) from striatumd.audit_log where client_id is distinct from
                        (select 'striatumd-' || instance_id from striatumd.daemon_authority)";
        let (rows, state) = (stage.number(others).await, stage.state().await);

        let request = client.request("too-late", "repo.add", init(&stage.repository("late")));
        client.say(request.to_string().as_bytes()).expect("a connection");
        stage.daemon.resume().expect("a signal");
        let reply = client.hear().expect("a connection");
        let reply = reply.expect("a reply");
        assert!(["daemon_auth_lost", "daemon_parked"].contains(&code(&reply)), "{lost:?}: {reply}");
        let ended = stage.daemon.ended().expect("an end");
        assert_eq!(ended.told(), (11, "daemon_auth_lost"), "{lost:?}");
        assert_eq!(stage.number(others).await, rows, "{lost:?}");
        assert_eq!(stage.state().await, state, "{lost:?}");
        if lost != Lost::ToNobody {
            assert_eq!(
                next.connect()
                    .and_then(|mut c| c.ask("daemon.hello", striatum_testkit::hello()))
                    .expect("a reply")["ok"],
                true
            );
        }
    }
}

/// The same with a call that waits for the audit chain while the next daemon takes over in front of it.
#[tokio::test]
async fn a_call_that_waits_while_another_daemon_takes_over_appends_nothing() {
    let mut stage = Stage::set().await;
    let own = folder();
    let mut client = stage.client();
    assert_eq!(client.ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
    terminate(&mut stage, "striatum_bootstrap").await;
    let mut watcher = stage.database.admin().await.expect("a connection");
    let waits = "select count(*) from pg_locks where locktype = 'advisory' and not granted
                    and database = (select oid from pg_database where datname = current_database())";
    stage.run("begin; select pg_advisory_xact_lock(hashtextextended('striatum:audit', 0))").await;
    let mut next =
        Daemon::spawn(Setup::new(STRIATUMD, stage.database.url(), own.path())).expect("the next daemon");
    let mut waiting = async |count: i64| {
        until_asked("they wait for the chain", async || {
            sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut watcher).await.expect("a number") >= count
        })
        .await;
    };
    waiting(1).await;
    client
        .say(client.request("too-late", "daemon.describe", json!({})).to_string().as_bytes())
        .expect("a connection");
    waiting(2).await;
    stage.run("commit").await;
    next.until_serving().expect("it serves");
    drop(client.hear());
    assert_eq!(stage.daemon.ended().expect("an end").told(), (11, "daemon_auth_lost"));
    let late = "select count(*) from striatumd.audit_log where request_id = 'too-late'";
    assert_eq!(stage.number(late).await, 0);
}

/// STR-AUTHZ-17: each start gives the login another password, which nobody but the daemon has: one that was captured
/// before opens nothing.
#[tokio::test]
async fn each_start_rotates_the_password() {
    let database = Database::fresh().await.expect("a database");
    drop(database.login().await.expect("the password of before"));
    let mut stage = Stage::on(database).await;
    let verifier = "select rolpassword from pg_authid where rolname = 'striatumd_rw_' || current_database()";
    let first = stage.text(verifier).await;
    assert!(first.starts_with("SCRAM-SHA-256$"), "the server keeps a verifier");
    let refused = stage.database.login().await.map(drop).expect_err("a closed door");
    assert!(format!("{refused:#}").contains("password authentication failed"), "{refused:#}");
    stage.daemon.kill().expect("a crash");
    stage.daemon.restart().expect("a start");
    assert_ne!(stage.text(verifier).await, first);
    assert_eq!(stage.client().ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
    // Who knows the verifier does not know the password.
    let login = stage.database.name().login();
    stage.database.as_somebody(&login, &first).connect().await.map(drop).expect_err("a closed door");
    let files = fs::read_dir(&stage.daemon.setup().runtime_dir).expect("a folder");
    let mut names: Vec<_> =
        files.map(|file| file.expect("a file").file_name().display().to_string()).collect();
    names.sort();
    assert_eq!(names, ["client-token", "daemon.pid", "striatumd.sock"], "it is in no file");
}

/// A session of the login that was opened before outlives no start, and holds nothing up; a neighbour's does not end.
#[tokio::test]
async fn each_start_ends_the_older_sessions_of_the_login() {
    let (database, other) = (Database::fresh().await, Database::fresh().await);
    let (database, other) = (database.expect("a database"), other.expect("a database"));
    let mut older = database.login().await.expect("the password of before");
    let mut neighbour = other.login().await.expect("a connection");
    let stage = Stage::on(database).await;
    assert!(older.ping().await.is_err(), "it has ended");
    neighbour.ping().await.expect("it stands");
    assert_eq!(stage.client().ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
}

/// A password or an authority that somebody changed by hand is no other daemon: it starts again, and says so.
#[tokio::test]
async fn what_was_changed_by_hand_is_no_takeover() {
    for by_hand in [
        "do $$ begin execute format('alter role %I password null', 'striatumd_rw_' || current_database()); end $$",
        "update striatumd.daemon_authority set digest = sha256('by hand')",
    ] {
        let mut stage = Stage::set().await;
        let pid = stage.daemon.pid();
        let mut client = stage.client();
        assert_eq!(client.ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
        stage.run(by_hand).await;
        terminate(&mut stage, "striatumd_rw_%").await;
        let refused = client.ask("daemon.describe", json!({})).expect("a reply");
        assert_eq!(code(&refused), "daemon_auth_lost", "{refused}");
        let hello = |data: &serde_json::Value| data["boot_epoch"] == "2";
        stage.daemon.until_hello("it serves again", hello).expect("a start");
        assert_eq!(stage.daemon.pid(), pid);
        assert_eq!(client.ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
        let log = stage.daemon.log().join("\n");
        assert!(log.contains("somebody has changed the password"), "{log}");
    }
}
