//! Queued work: claim, ack, complete by 16 workers, over runs of few jobs and of many, and beside it a job queue on
//! the same server that does nothing but take jobs. See docs/performance.md.
//!
//! `cargo bench --bench queue --features bench` takes a minute; `-- --full` queues 100,000 jobs; `-- --profile` says
//! where the time goes, function by function, and which statements took long. Workers ask the door in this process,
//! with what the daemon's own observers see: the agent of every session is this process.
#![expect(clippy::disallowed_methods, reason = "a bench starts programs, and looks at how they fare")]

mod cycle;
mod rival;
#[expect(dead_code, reason = "the stage of the door, of which this needs less")]
#[path = "../door/stage.rs"]
mod stage;

use std::sync::Arc;
use std::time::Duration;

use sqlx::Row as _;
use striatum_contract::token::Token;
use striatumd::bootstrap::{self, Serving};

use cycle::Run;
use stage::Stage;

const RUNS: usize = 100;
pub(crate) const WORKERS: usize = 16;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let (jobs, window) = if has("--full") { (1000, 25) } else { (100, 12) };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(measure(jobs, Duration::from_secs(window), has("--profile")));
}

async fn measure(jobs: usize, window: Duration, is_profile: bool) {
    let stage = Arc::new(Stage::set().await);
    if is_profile {
        profile(&stage).await;
    }
    let Serving { door, lock, .. } = bootstrap::start(&stage.config()).await.expect("this process serves");
    // Connections plan their statements, and the tables are not empty any more.
    size(&stage, &door, 5, window).await;
    let few = size(&stage, &door, 10, window).await;
    if is_profile {
        functions(&stage).await;
    }
    let many = size(&stage, &door, jobs, window).await;
    println!("{RUNS} x {jobs} / {RUNS} x 10, cycles/s: {:.2}", many.rate() / few.rate());
    drop(door);
    stage::close(lock).await;
    if is_profile {
        functions(&stage).await;
        scans(&stage.server_log());
    }
    rival::run(&stage, RUNS * jobs, window, many.rate()).await;
    println!("load at the end: {}", load());
}

/// Queues so many jobs a run and works on them.
async fn size(stage: &Arc<Stage>, door: &striatumd::door::Door, jobs: usize, window: Duration) -> Run {
    let mut admin = stage.admin().await;
    let rows = sqlx::query(include_str!("stage.sql"))
        .bind(format!("bench{jobs}"))
        .bind(RUNS.to_string())
        .bind(jobs.to_string())
        .bind(WORKERS.to_string())
        .bind(std::process::id().to_string())
        .bind(cycle::start_token())
        .fetch_all(&mut admin)
        .await
        .expect("work in the queue");
    let mut seats = vec![Vec::new(); WORKERS];
    for row in rows {
        let token = Token::parse(row.get::<&str, _>(1)).expect("a token");
        seats[usize::try_from(row.get::<i32, _>(0)).expect("a worker")].push(token);
    }
    stage::run(&mut admin, "analyze").await;
    let run = cycle::work(door, seats, window).await;
    println!("{RUNS} x {jobs} (load {}): {run}", load());
    stage::close(admin).await;
    run
}

async fn profile(stage: &Stage) {
    let mut admin = stage.admin().await;
    stage::run(&mut admin, "load 'auto_explain'").await;
    for setting in [
        "track_functions = 'all'",
        "session_preload_libraries = 'auto_explain'",
        "\"auto_explain.log_min_duration\" = 0",
        "\"auto_explain.log_nested_statements\" = on",
    ] {
        stage::run(&mut admin, &format!("alter system set {setting}")).await;
    }
    stage::run(&mut admin, "select pg_reload_conf()").await;
    stage::close(admin).await;
}

/// Prints the functions that took longest by themselves, and forgets them.
async fn functions(stage: &Stage) {
    let mut admin = stage.admin().await;
    let rows = sqlx::query(
        "select funcname::text, calls, (self_time * 1000 / calls)::float8 as self_us, total_time
           from pg_stat_user_functions where calls > 0 order by self_time desc limit 30",
    )
    .fetch_all(&mut admin)
    .await
    .expect("functions");
    for row in rows {
        let (name, calls): (String, i64) = (row.get(0), row.get(1));
        let (own, total): (f64, f64) = (row.get(2), row.get(3));
        println!("  {name:32} {calls:8} calls {own:8.0} us a call by itself, {total:8.0} ms in all");
    }
    stage::run(&mut admin, "select pg_stat_reset()").await;
    stage::close(admin).await;
}

/// Prints the statements whose plan reads a whole table or sorts, and how often each came.
fn scans(log: &str) {
    let mut found = std::collections::BTreeMap::<&str, usize>::new();
    for entry in log.split("LOG:  duration: ").skip(1) {
        let statement = entry.split_once("Query Text: ").map_or("", |(_, statement)| statement);
        if statement.contains("Seq Scan on") || statement.contains("Sort Key") {
            let end = statement.find(" UTC [").map_or(statement.len(), |end| end.saturating_sub(23));
            *found.entry(&statement[..end]).or_default() += 1;
        }
    }
    for (statement, count) in found {
        println!("{count} times:\n{statement}");
    }
}

fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().unwrap_or("?").to_owned()
}
