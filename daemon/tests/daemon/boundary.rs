//! The door without the daemon: what a login that leaked is good for, and that nothing is done without its row.

use serde_json::json;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};

use striatum_testkit::until;

use crate::stage::{Stage, code, init};

/// The door's login with a password that leaked.
async fn leaked(stage: &mut Stage) -> PgConnection {
    let login = stage.database.name().login();
    stage.run(&format!("alter role {login} password 'leaked'")).await;
    stage.database.as_somebody(&login, "leaked").connect().await.expect("a connection")
}

fn sqlstate(error: &sqlx::Error) -> String {
    error
        .as_database_error()
        .and_then(|said| said.code())
        .map(Into::into)
        .unwrap_or_else(|| error.to_string())
}

/// STR-AUTHZ-06: with the login alone, and whatever secret, the door writes nothing; STR-AUTHZ-02: the digest that
/// it is held to stands where the login cannot read it, and the secret itself nowhere.
#[tokio::test]
async fn a_leaked_login_without_the_secret_gets_nothing_done() {
    let mut stage = Stage::set().await;
    assert_eq!(stage.client().ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
    let mut login = leaked(&mut stage).await;
    let (rows, state) = (stage.audit_rows().await, stage.state().await);
    let token = stage.daemon.setup().token().expect("a token");
    let (client_id, secret) = token.split_once('.').expect("two halves");
    let request = json!({"schema_version": 1, "request_id": "mine", "method": "repo.add", "phase": "decide",
        "params": {"path": "/srv/app", "init": false}, "deadline_ms": 1000, "transport": "rpc",
        "token": {"client_id": client_id, "secret": secret}, "daemon": {"instance_id": "i", "version": "0"},
        "observed": {"repository_root": {"path": "/srv/app", "state": "present", "has_scratch": true}}});
    let digest: Vec<u8> = sqlx::query_scalar("select digest from striatumd.daemon_authority")
        .fetch_one(&mut stage.admin)
        .await
        .expect("a digest");
    for authority in [Vec::new(), vec![0; 32], digest] {
        for (method, transport) in
            [("repo.add", "rpc"), ("effect.record", "internal"), ("client.bootstrap", "internal")]
        {
            let mut request = request.clone();
            (request["method"], request["transport"]) = (json!(method), json!(transport));
            let error = sqlx::query("select striatumd.call($1, $2)")
                .bind(&authority)
                .bind(&request)
                .execute(&mut login)
                .await
                .expect_err("no secret, no call");
            assert_eq!(sqlstate(&error), "28000", "{method}: {error}");
        }
    }
    for attempt in [
        "select digest from striatumd.daemon_authority",
        "select * from striatumd.audit_log",
        "insert into striatumd.daemon_authority values (true, 'i', '', '', 1, now())",
        "delete from striatumd.audit_log",
        "update striatumd.clients set revoked_at = null",
        "select striatumd.append_audit(null, '{}', null)",
        "select striatumd.bootstrap_instance('i', repeat('x', 32)::bytea, 'SCRAM-SHA-256$', '{}')",
        "select striatum_roles.set_runtime_password('x')",
    ] {
        let error = login.execute(attempt).await.expect_err(attempt);
        assert_eq!(sqlstate(&error), "42501", "{attempt}: {error}");
    }
    assert_eq!(stage.audit_rows().await, rows);
    assert_eq!(stage.state().await, state);
}

/// STR-AUTHZ-10: where the row cannot be written nothing is done; STR-AUTHZ-11: and a read, a denial or a line that
/// could not be read is answered `audit_append_failed` instead of what it would have been.
#[tokio::test]
async fn what_has_no_audit_row_is_not_done_and_not_answered() {
    let mut stage = Stage::set().await;
    let root = init(&stage.repository("app"));
    let mut client = stage.client();
    let state = stage.state().await;
    let owner = "create function public.full_disk() returns trigger language plpgsql as
                   $$ begin raise exception 'no space left'; end $$;
                 create trigger full_disk before insert on striatumd.audit_log_1
                   for each row execute function public.full_disk()";
    stage.run(owner).await;
    for (method, params) in [
        ("repo.add", root.clone()),
        ("daemon.describe", json!({})),
        ("no.such", json!({})),
        ("repo.add", json!({})),
        ("repo.add", json!({"path": "relative"})),
    ] {
        let reply = client.ask(method, params).expect("a reply");
        assert_eq!(code(&reply), "audit_append_failed", "{method}: {reply}");
        assert!(reply.get("audit_id").is_none() && !reply.to_string().contains("no space left"), "{reply}");
        assert_eq!(stage.state().await, state, "{method}");
    }
    let unread = client.line(b"{").expect("a connection").expect("a reply");
    assert_eq!(code(&unread), "audit_append_failed", "{unread}");
    stage.run("drop trigger full_disk on striatumd.audit_log_1").await;
    let reply = client.ask("repo.add", root).expect("a reply");
    assert_eq!((&reply["ok"], &reply["data"]["is_new"]), (&json!(true), &json!(true)), "{reply}");
}

/// A failure inside of a method is an internal error with an id: its text is in the log and nowhere else, the row says
/// `error`, and what the method did is undone.
#[tokio::test]
async fn a_bug_is_told_by_an_id_and_not_by_its_text() {
    let mut stage = Stage::set().await;
    let root = init(&stage.repository("app"));
    stage
        .run(
            "create function public.bug() returns trigger language plpgsql as
               $$ begin raise exception 'hidden words: %', new.root; end $$;
             create trigger bug after insert on striatumd.repositories for each row execute function public.bug()",
        )
        .await;
    let state = stage.state().await;
    let reply = stage.client().ask("repo.add", root).expect("a reply");
    assert_eq!(code(&reply), "internal_error", "{reply}");
    assert!(!reply.to_string().contains("hidden words"), "{reply}");
    let (_, decision, reason, ..) = stage.last_row().await;
    assert_eq!((decision.as_str(), reason.as_deref()), ("error", Some("internal_error")));
    assert_eq!(stage.state().await, state);
    let id = reply["error"]["details"]["error_id"].as_str().expect("an id");
    until("the log has it", || {
        stage.daemon.log().iter().any(|line| line.contains(id) && line.contains("hidden words"))
    });
}

/// A chain that reaches its end while others want it: a crowd at once, and each row still follows from the one before.
#[tokio::test]
async fn a_crowd_leaves_one_unbroken_chain() {
    let mut stage = Stage::set().await;
    let clients: Vec<_> = (0..12).map(|_| stage.client()).collect();
    std::thread::scope(|scope| {
        for mut client in clients {
            scope.spawn(move || {
                for _ in 0..10 {
                    assert_eq!(
                        client.ask("daemon.describe", json!({"method": "no.such"})).expect("a reply")["ok"],
                        false
                    );
                }
            });
        }
    });
    let broken = "select count(*) from (
                    select audit_id, previous_hash, lag(row_hash) over (order by audit_id) as before,
                    row_number() over (order by audit_id) as n from striatumd.audit_log) t
                   where previous_hash is distinct from before or n <> audit_id";
    assert_eq!(stage.number(broken).await, 0);
    let mut admin = stage.database.admin().await.expect("a connection");
    let denied: i64 = sqlx::query_scalar(AssertSqlSafe(
        "select count(*) from striatumd.audit_log where denial_reason = 'method_unknown'".to_owned(),
    ))
    .fetch_one(&mut admin)
    .await
    .expect("a count");
    assert_eq!(denied, 120);
}
