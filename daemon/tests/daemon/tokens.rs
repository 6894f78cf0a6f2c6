//! Who asks: tokens, what they prove, and what a repeated request id answers.

use serde_json::{Value, json};
use sqlx::{Executor as _, PgConnection};
use striatum_testkit::{Client, until_asked};

use crate::stage::{Stage, code, init};

impl Stage {
    /// A client of another token. Its secret is known to the test, as the stage has it made.
    async fn another(&mut self, number: u32, capabilities: &str) -> (String, String) {
        let (client_id, secret) = (format!("client_{number:016x}"), format!("{number:x>43}"));
        self.run(&format!(
            "insert into striatumd.clients
             values ('{client_id}', 'another', sha256(convert_to('{secret}', 'UTF8') || repeat('s', 16)::bytea),
                     repeat('s', 16)::bytea, '2026-01-01', null, null);
             insert into striatumd.client_capabilities (client_id, capability, repository_id, granted_at)
             select '{client_id}', c::striatumd.capability, null, '2026-01-01'
               from unnest('{capabilities}'::text[]) as c"
        ))
        .await;
        let token = format!("{client_id}.{secret}");
        (client_id, token)
    }

    fn client_with(&self, token: &str) -> Client {
        let (client, _) = Client::greeted(&self.daemon.setup().socket()).expect("a client");
        client.with_token(token)
    }
}

/// Asks, holds the refusal to its code and its row, and the rest of the database to what it was.
async fn refused(
    stage: &mut Stage,
    token: &str,
    method: &str,
    params: Value,
    expected: &str,
    client_id: Option<&str>,
) {
    let (rows, state) = (stage.audit_rows().await, stage.state().await);
    let reply = stage.client_with(token).ask(method, params).expect("a reply");
    assert_eq!(code(&reply), expected, "{reply}");
    // Its hello, and itself.
    assert_eq!(stage.audit_rows().await, rows + 2, "{expected}");
    let (_, decision, reason, _, _, client, exit) = stage.last_row().await;
    assert_eq!((decision.as_str(), reason.as_deref(), exit), ("denied", Some(expected), Some(13)));
    assert_eq!(client.as_deref(), client_id, "{expected}: nobody is named whom the secret does not prove");
    assert_eq!(stage.state().await, state, "{expected}");
}

/// STR-REGISTRY-01: nobody registers a repository without an administrator's token; STR-REGISTRY-07: nor is anything
/// but the greeting answered without one.
#[tokio::test]
async fn what_a_token_does_not_prove_or_allow_is_refused() {
    let mut stage = Stage::set().await;
    let root = init(&stage.repository("app"));
    let (reader, reading) = stage.another(1, "{read}").await;
    let (admin, other) = stage.another(2, "{admin}").await;
    let describe = || json!({});

    let first = stage.daemon.setup().token().expect("a token");
    let (first_id, _) = first.split_once('.').expect("two halves");
    let wrong = format!("{first_id}.{:x>43}", 1);
    refused(&mut stage, &wrong, "repo.add", root.clone(), "token_invalid", None).await;
    refused(&mut stage, &wrong, "daemon.describe", describe(), "token_invalid", None).await;
    refused(&mut stage, &wrong, "daemon.shutdown", describe(), "token_invalid", None).await;
    let stranger = format!("client_{:016x}.{:x>43}", 99, 1);
    refused(&mut stage, &stranger, "repo.add", root.clone(), "token_invalid", None).await;
    refused(&mut stage, &reading, "repo.add", root.clone(), "capability_missing", Some(&reader)).await;
    refused(&mut stage, &other, "daemon.describe", describe(), "capability_missing", Some(&admin)).await;

    stage
        .run(&format!("update striatumd.clients set expires_at = '2026-01-02' where client_id = '{admin}'"))
        .await;
    refused(&mut stage, &other, "repo.add", root.clone(), "token_expired", Some(&admin)).await;
    stage
        .run(&format!("update striatumd.clients set revoked_at = '2026-01-02' where client_id = '{admin}'"))
        .await;
    refused(&mut stage, &other, "repo.add", root.clone(), "token_revoked", Some(&admin)).await;
    // The one that was refused before is done by whoever may.
    assert_eq!(stage.client().ask("repo.add", root).expect("a reply")["ok"], true);
}

/// STR-REGISTRY-08: the first start without clients leaves one administrator's token, for its own user alone, and no
/// later start makes another.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test looks at what the daemon left")]
async fn the_first_start_makes_one_client_and_no_later_one_does() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut stage = Stage::set().await;
    let path = stage.daemon.setup().runtime_dir.join("client-token");
    let mode = path.metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    let state = "select count(*) from striatumd.clients";
    assert_eq!(stage.number(state).await, 1);
    let capabilities =
        "select string_agg(capability::text, ',' order by capability) from striatumd.client_capabilities";
    let all = stage.text(capabilities).await;
    assert_eq!(all, "read,write,review,claim,apply,admin,recovery,surgical_recovery", "STR-RPC-05");

    let token = stage.daemon.setup().token().expect("a token");
    stage.daemon.kill().expect("a crash");
    stage.daemon.restart().expect("a start");
    assert_eq!(stage.daemon.setup().token().expect("a token"), token);
    assert_eq!(stage.number(state).await, 1);
    assert_eq!(stage.client().ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
}

/// STR-REGISTRY-09: no program of ours takes a secret from the environment, and none of the tables holds one as it is.
#[tokio::test]
async fn a_secret_is_in_no_environment_and_in_no_table() {
    let mut stage = Stage::set().await;
    let token = stage.daemon.setup().token().expect("a token");
    let (_, secret) = token.split_once('.').expect("two halves");
    let root = stage.repository("app");
    assert_eq!(stage.client().ask("repo.add", init(&root)).expect("a reply")["ok"], true);
    let tables: Vec<String> = sqlx::query_scalar(
        "select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = relnamespace
          where relkind = 'r' and nspname like 'striatum%'",
    )
    .fetch_all(&mut stage.admin)
    .await
    .expect("names");
    assert!(
        tables.contains(&"striatumd.clients".to_owned())
            && tables.contains(&"striatumd.audit_log_1".to_owned())
    );
    let hex: String = secret.bytes().map(|octet| format!("{octet:02x}")).collect();
    for table in tables {
        let find = format!("select count(*) from {table} t where t::text like $1 or t::text like $2");
        let found: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(find))
            .bind(format!("%{secret}%"))
            .bind(format!("%{hex}%"))
            .fetch_one(&mut stage.admin)
            .await
            .expect("a count");
        assert_eq!(found, 0, "{table}");
    }
    // Whatever a shell has set: nothing but the token of the request itself proves anything.
    let mut setup = stage.daemon.setup().clone();
    for name in ["STRIATUM_TOKEN", "STRIATUM_CLIENT_TOKEN", "STRIATUM_DAEMON_TOKEN"] {
        setup = setup.with(name, &token);
    }
    stage.daemon.kill().expect("a crash");
    stage.daemon = striatum_testkit::Daemon::start(setup).expect("a daemon");
    let (mut nobody, _) = Client::greeted(&stage.daemon.setup().socket()).expect("a client");
    assert_eq!(code(&nobody.ask("daemon.describe", json!({})).expect("a reply")), "token_missing");
}

/// The same request id again: the stored reply. With other params or another method: refused. From another client: its
/// own request.
#[tokio::test]
async fn a_repeated_request_id_is_a_replay_or_a_refusal() {
    let mut stage = Stage::set().await;
    let (one, two) = (init(&stage.repository("one")), init(&stage.repository("two")));
    let (_, other) = stage.another(1, "{admin,read}").await;
    let mut client = stage.client();

    let first = client.ask_as("again", "repo.add", one.clone()).expect("a reply");
    assert_eq!(first["data"]["is_new"], true, "{first}");
    assert!(first.get("replayed").is_none() && first.get("effects").is_none(), "{first}");
    let state = stage.state().await;
    // Under the same params, however they are written.
    let rows = stage.audit_rows().await;
    let line = client.request("again", "repo.add", one.clone()).to_string().replace("\":", "\" : ");
    let replay = client.line(line.as_bytes()).expect("a connection").expect("a reply");
    assert_eq!((&replay["replayed"], &replay["data"]), (&json!(true), &first["data"]), "{replay}");
    assert_eq!(stage.audit_rows().await, rows + 1);
    assert_eq!(stage.last_row().await.1, "allowed");

    let other_params = client.ask_as("again", "repo.add", two.clone()).expect("a reply");
    assert_eq!(code(&other_params), "duplicate_request");
    assert_eq!(stage.last_row().await.2.as_deref(), Some("duplicate_request"));
    assert_eq!(stage.state().await, state);

    let elsewhere = stage.client_with(&other).ask_as("again", "repo.add", two).expect("a reply");
    assert_eq!((&elsewhere["ok"], elsewhere.get("replayed")), (&json!(true), None), "{elsewhere}");
    // A refusal is not kept: once what stood against it is gone, the same request is done.
    let missing = stage.world.join("later");
    let refused = client.ask_as("later", "repo.add", init(&missing)).expect("a reply");
    assert_eq!(code(&refused), "repo_root_missing");
    stage.repository("later");
    let done = client.ask_as("later", "repo.add", init(&missing)).expect("a reply");
    assert_eq!((&done["ok"], done.get("replayed")), (&json!(true), None), "{done}");
}

/// A client whose token was revoked after its request was done still gets that reply, and nothing else.
#[tokio::test]
async fn a_revoked_client_gets_its_own_reply_and_nothing_else() {
    let mut stage = Stage::set().await;
    let root = init(&stage.repository("app"));
    let mut client = stage.client();
    let first = client.ask_as("mine", "repo.add", root.clone()).expect("a reply");
    stage.run("update striatumd.clients set revoked_at = now()").await;
    let replay = client.ask_as("mine", "repo.add", root.clone()).expect("a reply");
    assert_eq!((&replay["replayed"], &replay["data"]), (&json!(true), &first["data"]), "{replay}");
    assert_eq!(code(&client.ask_as("new", "repo.add", root).expect("a reply")), "token_revoked");
}

/// A client that goes away ends nothing: what it asked for is done once, has its row, and is told to whoever asks
/// again.
#[tokio::test]
async fn a_client_that_vanishes_finds_its_request_done() {
    let mut stage = Stage::set().await;
    let root = stage.repository("app");
    let mut client = stage.client();
    // It waits at the root until the test lets it go on.
    stage
        .run(&format!(
            "begin; select pg_advisory_xact_lock(hashtextextended('striatum:root:{}', 0))",
            root.display()
        ))
        .await;
    let request = client.request("gone", "repo.add", init(&root)).to_string();
    client.say(request.as_bytes()).expect("a connection");
    let mut watcher = stage.database.admin().await.expect("a connection");
    let waits = "select count(*) from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";
    until_asked("the call waits", async || {
        let waiting: i64 = sqlx::query_scalar(waits).fetch_one(&mut watcher).await.expect("a number");
        waiting == 1
    })
    .await;
    drop(client);
    stage.run("commit").await;
    let done = "select count(*) from striatumd.audit_log where request_id = 'gone' and decision = 'allowed'";
    until_asked("the call is done", async || stage.number(done).await == 1).await;

    let replay = stage.client().ask_as("gone", "repo.add", init(&root)).expect("a reply");
    assert_eq!((&replay["replayed"], &replay["data"]["is_new"]), (&json!(true), &json!(true)), "{replay}");
    assert_eq!(stage.number("select count(*) from striatumd.repositories").await, 1);
    assert_eq!(
        stage.number("select count(*) from striatumd.events where event_type = 'repository.added'").await,
        1
    );
    assert_eq!(stage.number(done).await, 2, "the request, and its replay");
}

/// Who is taken back while something that they asked for is still waiting for a lock: what they asked for is done
/// before, or not at all. Nothing of theirs is begun once they were told to be gone.
#[tokio::test]
async fn a_revoked_administrator_makes_nobody_after_it() {
    let stage = Stage::set().await;
    let mut first = stage.client();
    let made = first.ask("daemon.token.create", json!({"capabilities": ["admin", "read"]})).expect("a reply");
    let token = made["data"]["token"].as_str().expect("a token").to_owned();
    let second = stage.daemon.client().expect("a client").with_token(&token);

    let mut barrier = stage.database.admin().await.expect("a connection");
    let hold = "begin; select pg_advisory_xact_lock(hashtextextended('striatum:principal:ada', 0))";
    barrier.execute(sqlx::raw_sql(hold)).await.expect("the lock of a principal");
    let create = json!({"capabilities": ["read"], "principal_id": "ada", "principal_kind": "human"});
    let creates = std::thread::spawn(move || {
        let mut second = second;
        second.ask("daemon.token.create", create).expect("a reply")
    });
    let mut watcher = stage.database.admin().await.expect("a connection");
    until_asked("it waits", async || waiting(&mut watcher).await == 1).await;
    let client_id = made["data"]["client_id"].clone();
    let revokes = std::thread::spawn(move || {
        let mut first = first;
        first.ask("daemon.token.revoke", json!({"client_id": client_id})).expect("a reply")
    });
    // It waits behind what they asked for, or it is done before, which is what must not be.
    until_asked("the end is near", async || waiting(&mut watcher).await == 2 || revokes.is_finished()).await;
    barrier.execute("commit").await.expect("the lock given back");
    let (created, revoked) = (creates.join().expect("an end"), revokes.join().expect("an end"));
    assert_eq!(revoked["ok"], true, "{revoked}");
    let row = |reply: &Value| reply["audit_id"].as_str().and_then(|id| id.parse::<i64>().ok());
    assert_eq!(created["ok"], true, "it was under way before: {created}");
    assert!(row(&created) < row(&revoked), "{created} after {revoked}");
}

/// The other way round: whoever asks while their token is being taken back waits for that, and is looked at again.
#[tokio::test]
async fn who_asks_while_being_revoked_is_refused() {
    let mut stage = Stage::set().await;
    let mut first = stage.client();
    let made = first.ask("daemon.token.create", json!({"capabilities": ["admin", "read"]})).expect("a reply");
    let token = made["data"]["token"].as_str().expect("a token").to_owned();
    let mut second = stage.client_with(&token);
    let client_id = made["data"]["client_id"].clone();

    // The row of the client is the last that taking it back waits for.
    let mut barrier = stage.database.admin().await.expect("a connection");
    let hold = "begin; select from striatumd.clients for update";
    barrier.execute(sqlx::raw_sql(hold)).await.expect("the rows of all clients");
    let revokes = std::thread::spawn(move || {
        first.ask("daemon.token.revoke", json!({"client_id": client_id})).expect("a reply")
    });
    let mut watcher = stage.database.admin().await.expect("a connection");
    until_asked("the end of the token waits", async || waiting(&mut watcher).await == 1).await;
    let creates = std::thread::spawn(move || {
        second.ask("daemon.token.create", json!({"capabilities": ["read"]})).expect("a reply")
    });
    until_asked("so does its holder, or is done", async || {
        waiting(&mut watcher).await == 2 || creates.is_finished()
    })
    .await;
    barrier.execute("commit").await.expect("the rows given back");
    let (created, revoked) = (creates.join().expect("an end"), revokes.join().expect("an end"));
    assert_eq!(revoked["ok"], true, "{revoked}");
    assert_eq!(code(&created), "token_revoked", "{created}");
    assert_eq!(stage.number("select count(*) from striatumd.clients").await, 2, "nobody was made");
}

/// How many sessions of this database wait for a lock.
async fn waiting(watcher: &mut PgConnection) -> i64 {
    let waits = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    sqlx::query_scalar(waits).fetch_one(watcher).await.expect("a count")
}
