//! Where a secret must not stand: logs of the daemon and of the server, activity, arguments, environment.
#![expect(clippy::disallowed_methods, reason = "a test reads the logs")]

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;
use sha2::{Digest as _, Sha256};
use sqlx::ConnectOptions as _;
use striatum_testkit::{Client, Database, Setup, server, skipped_in_container, until_asked};

use crate::stage::{STRIATUMD, Stage, code, folder, init};

/// All that a server can be told to log, told.
const LOUD: &[&str] = &[
    "log_statement = all",
    "log_min_duration_statement = 0",
    "log_parameter_max_length = -1",
    "log_parameter_max_length_on_error = -1",
    "debug_print_parse = on",
    "debug_print_rewritten = on",
    "debug_print_plan = on",
    "log_error_verbosity = verbose",
    "log_min_messages = debug1",
];

/// Runs of characters of which secrets are made.
fn words<'t>(text: &'t str, is_of_it: impl Fn(char) -> bool + 't) -> impl Iterator<Item = &'t str> {
    text.split(move |c: char| !is_of_it(c)).filter(|word| !word.is_empty())
}

/// Octets that stand in a text in hexadecimal, however the run is cut.
fn octets(text: &str) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    for word in words(text, |c| c.is_ascii_hexdigit()) {
        for start in 0..=word.len().saturating_sub(64) {
            let octet = |at: usize| word.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
            let octets: Option<Vec<u8>> = (0..32).map(|n| octet(start + 2 * n)).collect();
            found.extend(octets);
        }
    }
    found
}

/// Plans print constants as octets in decimal: `[ 1 2 -3 ]`.
fn printed(text: &str) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    for list in text.split('[').filter_map(|rest| rest.split_once(']')).map(|(list, _)| list) {
        let numbers: Vec<u8> = list
            .split_whitespace()
            .filter_map(|n| n.parse::<i16>().ok())
            .map(|n| n.to_le_bytes()[0])
            .collect();
        found.extend(numbers.windows(32).map(<[u8]>::to_vec));
        let text = String::from_utf8_lossy(&numbers).into_owned();
        found.extend(octets(&text));
    }
    found
}

/// STR-AUTHZ-08: authority, labels, tokens and requests go to the server as bound values: its log at its loudest, its
/// activity and the daemon's own log show none of them; nor do the daemon's arguments and environment.
#[tokio::test]
async fn no_secret_stands_in_a_log_in_an_argument_or_in_the_environment() {
    if skipped_in_container("the log of the server is not at hand there") {
        return;
    }
    let own = server(LOUD).expect("a server");
    let database = Database::on(&own).await.expect("a database");
    let folder = folder();
    let setup =
        Setup::new(STRIATUMD, database.url(), folder.path()).with("STRIATUM_DAEMON_LOG_LEVEL", "debug");
    let mut stage = Stage::with(database, setup, folder).await;
    let token = stage.daemon.setup().token().expect("a token");
    let (client_id, secret) = token.split_once('.').expect("two halves");

    // What succeeds, what is refused, what fails inside, what waits.
    let root = stage.repository("app");
    let mut client = stage.client();
    assert_eq!(client.ask("repo.add", init(&root)).expect("a reply")["ok"], true);
    assert_eq!(client.ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
    assert_eq!(
        code(&client.ask("repo.add", json!({"path": "/odd/params"})).expect("a reply")),
        "repo_root_missing"
    );
    let wrong = format!("{client_id}.{:w>43}", "");
    let (nobody, _) = Client::greeted(&stage.daemon.setup().socket()).expect("a client");
    assert_eq!(
        code(&nobody.with_token(&wrong).ask("daemon.describe", json!({})).expect("a reply")),
        "token_invalid"
    );
    stage
        .run(
            "create function public.bug() returns trigger language plpgsql as $$ begin raise exception 'bug'; end $$;
             create trigger bug after insert on striatumd.repositories for each row execute function public.bug()",
        )
        .await;
    stage.run("begin; select pg_advisory_xact_lock(hashtextextended('striatum:audit', 0))").await;
    let request = client.request("waits-here", "repo.add", init(&stage.repository("other")));
    client.say(request.to_string().as_bytes()).expect("a connection");
    let mut watcher = stage.database.admin().await.expect("a connection");
    let waits =
        "select query from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";
    let mut query = String::new();
    until_asked("the call waits", async || {
        let waiting: Option<String> =
            sqlx::query_scalar(waits).fetch_optional(&mut watcher).await.expect("an answer");
        query = waiting.unwrap_or_default();
        !query.is_empty()
    })
    .await;
    assert_eq!(query, "select striatumd.call($1, $2::jsonb)", "what a call shows of itself");
    stage.run("commit").await;
    assert_eq!(code(&client.hear().expect("a connection").expect("a reply")), "internal_error");

    let (digest, salt): (Vec<u8>, Vec<u8>) =
        sqlx::query_as("select digest, salt from striatumd.daemon_authority")
            .fetch_one(&mut stage.admin)
            .await
            .expect("a digest");
    let pid = stage.daemon.pid();
    let process = ["cmdline", "environ"].map(|file| fs::read(format!("/proc/{pid}/{file}")).expect("a file"));
    let process = String::from_utf8_lossy(&process.concat()).into_owned();
    let activity = stage
        .text(
            "select string_agg(concat_ws(' ', query, application_name, usename), ' ') from pg_stat_activity",
        )
        .await;
    let log = stage.daemon.log().join("\n");
    let server_log =
        String::from_utf8_lossy(&fs::read(own.socket().join("log")).expect("the log")).into_owned();
    assert!(
        server_log.contains("striatumd.call($1") && server_log.contains("bootstrap_instance($1"),
        "it is loud"
    );
    assert!(server_log.contains(":consts") || server_log.contains("CONST"), "it prints plans");
    for (place, text) in [
        ("the process", &process),
        ("the activity", &activity),
        ("the log", &log),
        ("the server's log", &server_log),
    ] {
        for (what, hidden) in [("the token", secret), ("a wrong token", &wrong[client_id.len() + 1..])] {
            assert!(!text.contains(hidden), "{what} stands in {place}");
        }
        for params in ["/odd/params", "waits-here"] {
            assert!(!text.contains(params), "{params} stands in {place}");
        }
        let is_authority =
            |octets: &Vec<u8>| Sha256::digest([octets.as_slice(), &salt].concat()).as_slice() == digest;
        assert!(!octets(text).iter().any(is_authority), "the authority stands in {place}");
        assert!(!printed(text).iter().any(is_authority), "the authority is printed in {place}");
        // A password is 43 characters; whoever has it can connect.
        let passwords: BTreeSet<&str> = words(text, |c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
            .filter(|word| word.len() == 43)
            .collect();
        for password in passwords {
            let login = stage.database.as_somebody(&stage.database.name().login(), password);
            assert!(login.connect().await.is_err(), "the password stands in {place}");
        }
    }
}
