//! A helper whose files somebody takes away.

use std::fs;
use std::os::unix::net::UnixListener;
use std::time::Duration;

use rustix::process::Signal;
use striatum_supervisor::client::{AgentState, Connection};
use striatum_supervisor::pidfile::Pidfile;
use striatum_supervisor::process::Liveness;

use crate::stage::{Stage, all, gone, signal, until};

/// With socket and pidfile in a folder of their own.
fn stage() -> Stage {
    let mut stage = Stage::sh("exec sleep 1000");
    fs::create_dir(stage.path("h")).expect("a folder");
    (stage.launch.socket, stage.launch.pidfile) = (stage.path("h/it.sock"), stage.path("h/it.pid"));
    stage
}

/// A helper is found where it is looked for, as long as there is a folder to be found in.
#[tokio::test]
async fn what_was_taken_away_is_made_anew() {
    let stage = stage();
    let launched = stage.start().await;
    let mut before = stage.connect().await;
    for file in [&stage.launch.socket, &stage.launch.pidfile] {
        fs::remove_file(file).expect("it was there");
    }
    until("a pidfile", || Pidfile::read(&stage.launch.pidfile).is_some()).await;
    until("a socket", || stage.launch.socket.exists()).await;
    let file = Pidfile::read(&stage.launch.pidfile).expect("it is there");
    assert_eq!((Some(&file.helper), file.agent), (Some(&launched.helper), launched.agent.clone()));
    let mut connection = stage.connect().await;
    let hello = connection.hello().await.expect("an answer");
    assert_eq!((hello.agent, hello.state), (launched.agent, AgentState::Running));
    before.hello().await.expect("who was there before is served on");
    connection.stop(Duration::ZERO).await.expect("a stop");
    let last = all(&mut connection).await.last().expect("an end").seq;
    connection.ack(last).await.expect("taken over");
    gone(&launched.helper).await;
    assert_eq!(fs::read_dir(stage.path("h")).expect("a folder").count(), 0);
}

/// Nobody could find it, and its agent could hand in nothing: neither stays.
#[tokio::test]
async fn without_its_folder_a_helper_ends_its_agent_and_itself() {
    let stage = stage();
    let launched = stage.start().await;
    fs::remove_dir_all(stage.path("h")).expect("a folder");
    gone(&launched.agent.expect("it runs")).await;
    gone(&launched.helper).await;
    assert!(!stage.path("h").exists());
}

#[tokio::test]
async fn without_its_folder_a_helper_still_follows_a_signal() {
    let stage = stage();
    let launched = stage.start().await;
    fs::remove_dir_all(stage.path("h")).expect("a folder");
    signal(launched.helper.pid, Signal::TERM);
    gone(&launched.helper).await;
    assert_eq!(launched.agent.expect("it ran").liveness(), Liveness::Gone);
}

#[tokio::test]
async fn whoever_has_lost_its_place_to_another_ends_and_leaves_what_is_there() {
    let stage = stage();
    let launched = stage.start().await;
    fs::remove_file(&stage.launch.socket).expect("it was there");
    let another = UnixListener::bind(&stage.launch.socket).expect("a place");
    gone(&launched.agent.expect("it runs")).await;
    gone(&launched.helper).await;
    Connection::open(&stage.launch.socket).await.expect("the other one listens on");
    drop(another);
}
