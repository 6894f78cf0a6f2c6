//! The log keeps the newest, whatever an agent prints.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::stage::{Stage, until};

#[tokio::test]
async fn a_log_keeps_the_newest_output_and_never_passes_its_cap() {
    let mut stage = Stage::sh("seq 1 40000; echo end; exec sleep 1000");
    stage.launch.log_cap_octets = 32 * 1024;
    stage.start().await;
    let log = stage.launch.log.clone().expect("a log");
    let largest = AtomicU64::new(0);
    until("the end", || {
        largest.fetch_max(fs::metadata(&log).expect("a log").len(), Ordering::Relaxed);
        stage.shown().ends_with("end\r\n")
    })
    .await;
    assert!(largest.into_inner() <= 32 * 1024);
    let shown = stage.shown();
    assert!(shown.len() >= 16 * 1024, "{}", shown.len());
    // The first line may be cut; from the next one on none is missing.
    let numbers: Vec<u32> = shown.lines().skip(1).filter_map(|line| line.parse().ok()).collect();
    let first = numbers[0];
    assert_eq!(numbers, (first..=40000).collect::<Vec<_>>());
}

/// It never waits for a reader, and a stop finds it as any other.
#[tokio::test]
async fn an_agent_that_prints_without_end_is_not_held_up() {
    let mut stage = Stage::sh("exec yes");
    stage.launch.log_cap_octets = 4096;
    let launched = stage.start().await;
    let pid = launched.agent.expect("it runs").pid;
    let written = || -> u64 {
        let io = fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
        io.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse().ok()).unwrap_or(0)
    };
    until("a lot", || written() > 4 * 1024 * 1024).await;
    assert!(fs::metadata(stage.launch.log.as_ref().expect("a log")).expect("it").len() <= 4096);
    let stopped = stage.connect().await.stop(crate::stage::HUNG).await.expect("a stop");
    assert_eq!((stopped.signalled, stopped.killed, stopped.left), (1, 0, vec![]));
}
