//! Nothing that an agent started outlives it.

use std::time::Duration;

use striatum_supervisor::client::Stopped;
use striatum_supervisor::event::What;
use striatum_supervisor::process::Process;

use crate::stage::{Stage, all, gone};

/// Three that mind no SIGTERM: the agent, its child in another session, an orphan in a third one.
const TREE: &str = "trap '' TERM
    setsid sh -c 'echo $$ >child; exec sleep 1000' &
    (setsid sh -c 'echo $$ >orphan; exec sleep 1000' &)
    echo $$ >agent; exec sleep 1000";

/// STR-SUPERVISE-23: SIGTERM, then SIGKILL; setsid children, too, and the reply says how many.
#[tokio::test]
async fn a_stop_ends_the_whole_tree_and_counts_it() {
    let stage = Stage::sh(TREE);
    let launched = stage.start().await;
    let mut tree = Vec::new();
    for name in ["child", "orphan", "agent"] {
        tree.push(Process::now(stage.number(name).await));
    }
    assert_eq!(launched.agent.as_ref(), tree.last());
    // A shell that reads the file of its own start may still be on its way to `exec`, which keeps the number.
    let mut connection = stage.connect().await;
    let stopped = connection.stop(Duration::from_millis(50)).await.expect("a stop");
    assert_eq!(stopped, Stopped { signalled: 3, killed: 3, left: vec![] });
    for process in &tree {
        gone(process).await;
    }
    let events = all(&mut connection).await;
    let expected = What::AgentExited { exit_code: None, signal: Some(9), left_processes_killed: 0 };
    assert_eq!(events.last().map(|event| &event.what), Some(&expected));
    let again = connection.stop(Duration::ZERO).await.expect("a stop");
    assert_eq!(again, Stopped { signalled: 0, killed: 0, left: vec![] });
}

#[tokio::test]
async fn an_agent_that_minds_sigterm_ends_as_it_likes() {
    let stage = Stage::sh("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done");
    stage.start().await;
    stage.shows("ready").await;
    let mut connection = stage.connect().await;
    let stopped = connection.stop(Duration::from_secs(3600)).await.expect("a stop");
    assert_eq!((stopped.killed, stopped.left), (0, vec![]));
    let events = all(&mut connection).await;
    let expected = What::AgentExited { exit_code: Some(7), signal: None, left_processes_killed: 0 };
    assert_eq!(events.last().map(|event| &event.what), Some(&expected));
}

/// A stop is not undone by a client that goes: it is on its way.
#[tokio::test]
async fn a_stop_goes_on_when_its_client_hangs_up() {
    let stage = Stage::sh("trap '' TERM; echo ready; exec sleep 1000");
    let launched = stage.start().await;
    stage.shows("ready").await;
    let mut raw = stage.raw().await;
    raw.send(b"{\"op\": \"stop\", \"grace_ms\": 100}\n").await;
    drop(raw);
    gone(launched.agent.as_ref().expect("it ran")).await;
}

/// What an agent leaves when it ends by itself is ended before its end is reported.
#[tokio::test]
async fn what_an_agent_leaves_is_ended_and_counted() {
    let stage =
        Stage::sh("setsid sh -c 'trap \"\" HUP; echo $$ >left; exec sleep 1000' & read -r word; exit 0");
    stage.start().await;
    let left = Process::now(stage.number("left").await);
    let mut connection = stage.connect().await;
    connection.write(b"go\r").await.expect("it reads");
    let events = all(&mut connection).await;
    let expected = What::AgentExited { exit_code: Some(0), signal: None, left_processes_killed: 1 };
    assert_eq!(events.last().map(|event| &event.what), Some(&expected));
    assert_eq!(left.liveness(), striatum_supervisor::process::Liveness::Gone);
}
