//! A database that others could reach.
#![expect(clippy::disallowed_methods, reason = "a test opens the folder of a server of its own")]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use striatum_testkit::{Daemon, Database, Setup, server, skipped_in_container};

use crate::stage::{STRIATUMD, folder};

/// STR-AUTHZ-19: a socket folder that is open to others is refused at the start, before anything is asked; one that is
/// closed, or lets one user pass through (which shows as 0710), will do.
#[tokio::test]
async fn a_socket_folder_that_is_open_to_others_is_refused() {
    if skipped_in_container("the socket's folder is the container's there") {
        return;
    }
    let server = server(&[]).expect("a server");
    let database = Database::on(&server).await.expect("a database");
    let runtime = folder();
    for mode in [0o755, 0o711, 0o770, 0o2775] {
        fs::set_permissions(server.socket(), Permissions::from_mode(mode)).expect("a mode");
        let mut daemon =
            Daemon::spawn(Setup::new(STRIATUMD, database.url(), runtime.path())).expect("a daemon");
        let ended = daemon.ended().expect("an end");
        assert_eq!(ended.told(), (78, "socket_folder_exposed"), "{mode:o}");
    }
    let mut admin = database.admin().await.expect("a connection");
    let starts: i64 = sqlx::query_scalar("select count(*) from striatumd.daemon_authority")
        .fetch_one(&mut admin)
        .await
        .expect("a count");
    assert_eq!(starts, 0, "no daemon came to power, so nothing was rotated");
    for mode in [0o710, 0o700] {
        fs::set_permissions(server.socket(), Permissions::from_mode(mode)).expect("a mode");
        drop(Daemon::start(Setup::new(STRIATUMD, database.url(), runtime.path())).expect("it serves"));
    }
    // Each of the two ways to the database is looked at.
    let open = tempfile::tempdir().expect("a folder");
    fs::set_permissions(open.path(), Permissions::from_mode(0o755)).expect("a mode");
    let open = format!("postgres:///striatum?host={}", open.path().display());
    for (url, bootstrap) in [(open.as_str(), database.url()), (database.url(), open.as_str())] {
        let mut setup = Setup::new(STRIATUMD, url, runtime.path());
        setup.variables.push(("STRIATUM_DAEMON_BOOTSTRAP_URL".to_owned(), bootstrap.to_owned()));
        let ended = Daemon::spawn(setup).expect("a daemon").ended().expect("an end");
        assert_eq!(ended.told(), (78, "socket_folder_exposed"), "{url} {bootstrap}");
    }
}
