//! Another user of the machine: nothing of the daemon is any use to it.
#![expect(clippy::disallowed_methods, reason = "a test tries what somebody else would")]

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{set_thread_gid, set_thread_groups, set_thread_uid};
use sqlx::ConnectOptions as _;
use striatum_testkit::{Database, server, skipped_unless};

use crate::stage::Stage;

/// Does something as `nobody`: the system knows users by thread, and this one ends with what it does.
fn as_nobody<T: Send>(does: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let somebody = scope.spawn(|| {
            set_thread_groups(&[]).expect("root may");
            set_thread_gid(Gid::from_raw(65534)).expect("root may");
            set_thread_uid(Uid::from_raw(65534)).expect("root may");
            does()
        });
        somebody.join().expect("no panic")
    })
}

fn open(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
}

#[tokio::test]
async fn socket_token_and_logins_are_no_use_to_another_user() {
    if skipped_unless(geteuid().is_root(), "to become another user needs root") {
        return;
    }
    let own = server(&[]).expect("a server");
    let stage = Stage::on(Database::on(&own).await.expect("a database")).await;
    let runtime_dir = stage.daemon.setup().runtime_dir.clone();
    let (socket, token) = (stage.daemon.setup().socket(), runtime_dir.join("client-token"));
    open(stage.folder.path(), 0o755);
    // Behind the closed folder first, then with each door before the last one open.
    for mode in [0o700, 0o755] {
        open(&runtime_dir, mode);
        let (connected, read, listed) = as_nobody(|| {
            (UnixStream::connect(&socket), fs::read(&token), fs::read(runtime_dir.join("daemon.pid")))
        });
        assert_eq!(connected.expect_err("closed").kind(), ErrorKind::PermissionDenied, "{mode:o}");
        assert_eq!(read.expect_err("closed").kind(), ErrorKind::PermissionDenied, "{mode:o}");
        assert_eq!(listed.expect_err("closed").kind(), ErrorKind::PermissionDenied, "{mode:o}");
        let process = format!("/proc/{}/environ", stage.daemon.pid());
        assert!(as_nobody(|| fs::read(process)).is_err());
    }
    // To this very process they are open.
    UnixStream::connect(&socket).expect("its own socket");

    let logins = [
        stage.database.bootstrap(),
        stage.database.as_somebody("postgres", ""),
        stage.database.as_somebody(&stage.database.name().login(), ""),
        stage.database.as_somebody("striatum_owner", ""),
    ];
    // The socket of a container lies one folder deeper than that of a private cluster.
    let folder_of_test = own.socket().parent().filter(|above| *above != std::env::temp_dir());
    for mode in [0o700, 0o755] {
        open(own.socket(), mode);
        folder_of_test.into_iter().for_each(|above| open(above, mode));
        for login in &logins {
            let connected = as_nobody(|| {
                let runtime =
                    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
                runtime.block_on(login.connect()).map(drop)
            });
            let error = connected.expect_err("a closed door");
            let code = error.as_database_error().and_then(|said| said.code()).map(String::from);
            let is_closed = match mode {
                0o700 => {
                    matches!(&error, sqlx::Error::Io(error) if error.kind() == ErrorKind::PermissionDenied)
                }
                _ => matches!(code.as_deref(), Some("28000" | "28P01")),
            };
            assert!(is_closed, "{mode:o} {login:?}: {error}");
        }
    }
    stage.database.bootstrap().connect().await.expect("the daemon's own user is let in");
}
