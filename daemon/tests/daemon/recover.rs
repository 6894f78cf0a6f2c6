//! A lost token: whoever may start the daemon gets another one, while it stands still.
#![expect(clippy::disallowed_methods, reason = "the test reads what was written")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use sqlx::Executor as _;
use striatum_contract::token::Token;
use striatum_testkit::Database;

use crate::program::{Program, said};

#[tokio::test]
async fn a_new_administrator_is_made_and_its_token_written() {
    let database = Database::fresh().await.expect("a database");
    let mut admin = database.admin().await.expect("a connection");
    let program = Program::of(&database);
    let file = program.runtime_dir().join("client-token");
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let text = said(&program.run(&["token", "recover"]));
        let shown = file.display();
        assert!(text.contains(&format!("is in {shown}\nnext:  striatum daemon start\n")), "{text}");
        let token = fs::read_to_string(&file).expect("a token");
        let client = Token::parse(token.trim()).expect("a token").client_id().to_owned();
        assert!(text.contains(&client), "{text}");
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
        tokens.push(client);
    }
    assert_ne!(tokens[0], tokens[1]);
    let clients: i64 = sqlx::query_scalar("select count(*) from striatumd.clients where revoked_at is null")
        .fetch_one(&mut admin)
        .await
        .expect("a count");
    assert_eq!(clients, 2);
    let events: i64 = sqlx::query_scalar("select count(*) from striatumd.events")
        .fetch_one(&mut admin)
        .await
        .expect("a count");
    assert_eq!(events, 0);
}

#[tokio::test]
async fn under_a_daemon_nothing_is_recovered() {
    let database = Database::fresh().await.expect("a database");
    let mut admin = database.admin().await.expect("a connection");
    let program = Program::of(&database);
    // One that serves from the database, wherever it runs.
    admin
        .execute("select pg_advisory_lock(hashtextextended('striatum:serving', 0))")
        .await
        .expect("the serving lock");
    let refused = program.run(&["token", "recover"]);
    assert_eq!(refused.status.code(), Some(4), "{}", String::from_utf8_lossy(&refused.stderr));
    admin.execute("select pg_advisory_unlock_all()").await.expect("the lock given back");

    // One that has the runtime directory.
    let mut daemon = program.command(&["serve"]).stderr(Stdio::piped()).spawn().expect("a daemon");
    let mut log = BufReader::new(daemon.stderr.take().expect("piped")).lines();
    let serves = log.any(|line| line.expect("text").contains("\"serving\""));
    let refused = program.run(&["token", "recover"]);
    daemon.kill().expect("a kill");
    daemon.wait().expect("an end");
    assert!(serves);
    assert_eq!(refused.status.code(), Some(4));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains(&format!("error: process {} holds the runtime directory", daemon.id())), "{text}");
}

#[tokio::test]
async fn from_a_database_that_does_not_fit_nothing_is_recovered() {
    let database = Database::fresh().await.expect("a database");
    let mut admin = database.admin().await.expect("a connection");
    admin
        .execute("update striatumd.installation set functions_sha256 = repeat('0', 64)")
        .await
        .expect("another version");
    let program = Program::of(&database);
    let refused = program.run(&["token", "recover"]);
    assert_eq!(refused.status.code(), Some(11));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("(daemon_parked)\nnext:  striatum db apply\n"), "{text}");
    assert!(!program.runtime_dir().join("client-token").exists());
}
