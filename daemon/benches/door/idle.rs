//! What does not depend on load: an old snapshot beside the door, and a daemon that nobody asks.

use std::sync::Arc;
use std::time::Duration;

use crate::load;
use crate::stage::{Stage, close, run};

/// 10,000 calls under one idle snapshot, on a database that is new: does a thousand take longer and longer?
pub(crate) async fn snapshot(stage: &Arc<Stage>) {
    let daemon = stage.serve("");
    load::thousands(stage, &daemon.socket, 16, 1000).await;
    let mut admin = stage.admin().await;
    run(&mut admin, "begin isolation level repeatable read; select count(*) from striatumd.audit_log").await;
    let blocks = load::thousands(stage, &daemon.socket, 16, 10_000).await;
    run(&mut admin, "rollback").await;
    close(admin).await;
    let took: Vec<String> = blocks.iter().map(|block| format!("{:.0}", block.as_secs_f64() * 1e3)).collect();
    println!(
        "10,000 calls of 16 callers under an idle snapshot, ms a thousand: {}; last / first {:.2}",
        took.join(" "),
        blocks[9].as_secs_f64() / blocks[0].as_secs_f64()
    );
}

/// A daemon that nobody asks.
pub(crate) async fn idle(stage: &Arc<Stage>, watched: Duration) {
    let mut admin = stage.admin().await;
    run(&mut admin, "alter system set log_statement = 'all'").await;
    run(&mut admin, "select pg_reload_conf()").await;
    let daemon = stage.serve("");
    tokio::time::sleep(Duration::from_millis(500)).await;
    let (busy, said) = (busy(daemon.pid()), statements(&stage.server_log()));
    tokio::time::sleep(watched).await;
    let minutes = watched.as_secs_f64() / 60.0;
    println!(
        "idle for {:.0} s: {:.1} MB resident, {:.2} ms of processor time a minute, {:.0} statements a minute",
        watched.as_secs_f64(),
        resident(daemon.pid()),
        (self::busy(daemon.pid()) - busy).as_secs_f64() * 1e3 / minutes,
        (statements(&stage.server_log()) - said) as f64 / minutes
    );
    drop(daemon);
    run(&mut admin, "alter system reset log_statement").await;
    run(&mut admin, "select pg_reload_conf()").await;
    close(admin).await;
}

fn statements(log: &str) -> usize {
    log.lines().filter(|line| line.contains("LOG:  statement: ") || line.contains("LOG:  execute ")).count()
}

fn resident(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
    line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") / 1024.0
}

/// What all its threads have had of the processor.
fn busy(pid: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
    threads
        .map(|thread| {
            std::fs::read_to_string(thread.expect("a thread").path().join("schedstat")).unwrap_or_default()
        })
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .map(Duration::from_nanos)
        .sum()
}
