//! What the events of a run are worth: not one of them can go without being missed.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use crate::stage::Stage;
use crate::workflow::Workflow;

/// Types whose events say that something happened, and of nothing what it has become: a fold cannot miss them.
const WITHOUT_CHANGES: [&str; 1] = ["lease.heartbeat"];

/// STR-STORE-05: without any one event the chain is broken, and where it had changes the fold alone is another too.
#[tokio::test(flavor = "multi_thread")]
async fn without_any_one_event_the_chain_breaks_and_the_fold_differs() {
    let stage = Stage::set(&Workflow::quick()).await;
    assert_eq!(stage.drive().ended().code, Some(0));
    // What is newest has no follower yet, in which a chain could miss it.
    stage.json("run prepare workflow.json");

    let mut admin = stage.admin().await;
    let events: Vec<(i64, String, bool)> = sqlx::query_as(
        "select event_id, event_type, coalesce(payload_json::jsonb -> 'changes', '[]') <> '[]'
           from striatumd.events where run_id = $1 order by event_id",
    )
    .bind(&stage.run_id)
    .fetch_all(&mut admin)
    .await
    .expect("events");
    assert!(events.len() > 60, "{events:?}");

    let mut unmissed = BTreeSet::new();
    let mut broken = BTreeMap::new();
    for (event_id, event_type, _) in &events {
        let (breaks, difference) = without(&mut admin, &stage, *event_id).await;
        broken.insert(*event_id, breaks);
        if difference.is_none() {
            unmissed.insert(event_type.as_str());
        }
    }
    let next: BTreeMap<i64, Vec<i64>> = events.iter().map(|event| (event.0, vec![event.0 + 1])).collect();
    assert_eq!(broken, next, "each is missed by the one that followed it");
    let without: BTreeSet<&str> =
        events.iter().filter(|event| !event.2).map(|event| event.1.as_str()).collect();
    assert_eq!(unmissed, without, "no fold misses those without changes, and each misses the others");
    assert_eq!(without, BTreeSet::from(WITHOUT_CHANGES));
    stage.assert_proven();
}

/// Where the chain of the repository breaks, and in what the run differs from its fold, were this event not there.
async fn without(admin: &mut PgConnection, stage: &Stage, event_id: i64) -> (Vec<i64>, Option<String>) {
    let mut planned = admin.begin().await.expect("a transaction");
    let delete = format!(
        "set local session_replication_role = replica;
         delete from striatumd.events where repository_id = '{}' and event_id = {event_id}",
        stage.repository_id
    );
    sqlx::raw_sql(AssertSqlSafe(delete)).execute(&mut *planned).await.expect("it is deleted");
    let seen = sqlx::query_as(
        "select (select array_agg(event_id order by event_id) from striatumd.event_breaks(1000000)),
                striatumd.run_fold_difference($1)",
    )
    .bind(&stage.run_id)
    .fetch_one(&mut *planned)
    .await
    .expect("both are looked at");
    planned.rollback().await.expect("it is back");
    seen
}
