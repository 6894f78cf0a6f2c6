//! Events: what they say, and that none is lost before it is acknowledged.

use std::fs;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use striatum_supervisor::client::RequestError;
use striatum_supervisor::event::What;
use striatum_supervisor::pidfile::Pidfile;
use striatum_supervisor::process::Liveness;

use crate::stage::{Stage, all, gone, next, signal, until, within};

/// STR-SUPERVISE-34: one JSON object a line, with its schema, metadata and numbers of octets.
/// STR-BOUNDARY-05: what the terminal showed is in the log, which nobody publishes, and nowhere else.
#[tokio::test]
async fn events_tell_what_happened_and_not_what_was_shown() {
    let stage = Stage::sh("echo sec-ret | tr -d -; exit 3");
    let launched = stage.start().await;
    let pidfile = fs::read_to_string(&stage.launch.pidfile).expect("a pidfile");
    let mut raw = stage.raw().await;
    assert_eq!(
        raw.ask(&json!({"id": "a", "op": "events", "after": 0})).await,
        json!({"id": "a", "ok": true})
    );
    let agent = launched.agent.expect("it ran");
    let mut seen = Vec::new();
    while !seen.last().is_some_and(|event: &serde_json::Value| event["event"] == "agent_exited") {
        seen.push(raw.line().await);
    }
    for event in &mut seen {
        let at = event["at"].take();
        let digits = at.as_str().expect("text").replace(|c: char| c.is_ascii_digit(), "0");
        assert_eq!(digits, "0000-00-00T00:00:00.000000Z");
        let fields = event.as_object_mut().expect("an object");
        fields.remove("at");
        assert_eq!(fields.remove("schema"), Some(json!("striatum.supervisor_helper.event.v1")));
    }
    let octets = "secret\r\n".len();
    let progress = seen.iter().position(|event| event["event"] == "progress").expect("it wrote");
    assert_eq!(seen[progress]["octets"], octets);
    let first = json!({"seq": 1, "event": "agent_started", "pid": agent.pid, "start_token": agent.start_token,
        "pts": launched.pts, "argv": stage.launch.argv});
    let last = json!({"seq": seen.len(), "event": "agent_exited", "exit_code": 3, "signal": null,
        "left_processes_killed": 0});
    assert_eq!([&seen[0], &seen[seen.len() - 1]], [&first, &last]);
    assert_eq!(stage.shown(), "secret\r\n");
    assert!(!json!(seen).to_string().contains("secret") && !pidfile.contains("secret"));
}

#[tokio::test]
async fn an_agent_that_a_signal_ended_says_which() {
    let stage = Stage::sh("kill -USR1 $$; exec sleep 1000");
    stage.start().await;
    let events = all(&mut stage.connect().await).await;
    let expected = What::AgentExited { exit_code: None, signal: Some(10), left_processes_killed: 0 };
    assert_eq!(events.last().map(|event| &event.what), Some(&expected));
}

/// The end of an agent is reported until somebody took it over, whoever was there when it ended.
#[tokio::test]
async fn events_outlive_their_client_until_they_are_acknowledged() {
    let stage = Stage::sh("read -r word; exit 0");
    let launched = stage.start().await;
    let mut first = stage.connect().await;
    first.events(0).await.expect("a subscription");
    assert!(matches!(next(&mut first).await.what, What::AgentStarted { .. }));
    first.write(b"go\r").await.expect("it reads");
    drop(first);
    gone(launched.agent.as_ref().expect("it ran")).await;

    let mut second = stage.connect().await;
    let whole = all(&mut second).await;
    assert_eq!(whole[0].seq, 1);
    drop(second);
    let last = whole.last().expect("an end").seq;

    let mut third = stage.connect().await;
    third.events(1).await.expect("a subscription");
    assert!(next(&mut third).await.seq > 1);
    third.ack(1).await.expect("taken over");
    drop(third);

    let mut fourth = stage.connect().await;
    assert!(all(&mut fourth).await[0].seq > 1);
    for ahead in [fourth.ack(last + 1).await, fourth.events(last + 1).await] {
        let Err(RequestError::Refused(refused)) = ahead else { panic!("{ahead:?}") };
        assert_eq!(refused.code, "seq_ahead");
    }
    assert_eq!(launched.helper.liveness(), Liveness::Alive);
    fourth.ack(last).await.expect("taken over");
    assert_eq!(within(fourth.next_event()).await.expect("hung up"), None);
    gone(&launched.helper).await;
    assert!(!stage.launch.socket.exists() && !stage.launch.pidfile.exists());
}

/// Another helper may have taken the place meanwhile; what is not the helper's own stays.
#[tokio::test]
async fn a_helper_that_ends_takes_away_only_what_is_its_own() {
    let stage = Stage::sh("exec sleep 1000");
    let launched = stage.start().await;
    let mut connection = stage.connect().await;
    for path in [&stage.launch.socket, &stage.launch.pidfile] {
        fs::remove_file(path).expect("it was there");
        fs::write(path, "another's").expect("a file");
    }
    connection.stop(Duration::ZERO).await.expect("a stop");
    let last = all(&mut connection).await.last().expect("an end").seq;
    connection.ack(last).await.expect("taken over");
    gone(&launched.helper).await;
    assert!(stage.launch.socket.exists() && stage.launch.pidfile.exists());
}

#[tokio::test]
async fn a_helper_that_is_told_to_end_ends_its_agent_and_waits_for_the_acknowledgement() {
    let stage = Stage::sh("exec sleep 1000");
    let launched = stage.start().await;
    let mut connection = stage.connect().await;
    signal(launched.helper.pid, Signal::TERM);
    let events = all(&mut connection).await;
    let expected = What::AgentExited { exit_code: None, signal: Some(15), left_processes_killed: 0 };
    assert_eq!(events.last().map(|event| &event.what), Some(&expected));
    assert_eq!(launched.helper.liveness(), Liveness::Alive);
    connection.ack(events.len() as u64).await.expect("taken over");
    gone(&launched.helper).await;
}

/// Nobody comes: it does not wait for ever, and leaves its place.
#[tokio::test]
async fn a_helper_that_is_told_to_end_and_not_heard_says_so_by_its_exit_code() {
    let stage = Stage::sh("exec sleep 1000");
    let mut helper = stage.start_by_hand("exec \"$0\"");
    until("an agent", || Pidfile::read(&stage.launch.pidfile).is_some_and(|file| file.agent.is_some())).await;
    signal(helper.id().cast_signed(), Signal::TERM);
    until("an end", || helper.try_wait().expect("a child").is_some()).await;
    assert_eq!(helper.wait().expect("its end").code(), Some(75));
    assert!(!stage.launch.socket.exists() && !stage.launch.pidfile.exists());
}

/// The terminal goes with the helper, and a terminal that goes hangs up.
#[tokio::test]
async fn an_agent_whose_helper_is_killed_is_hung_up_on_and_its_place_can_be_taken() {
    let mut stage = Stage::sh("exec sleep 1000");
    let launched = stage.start().await;
    signal(launched.helper.pid, Signal::KILL);
    gone(&launched.helper).await;
    gone(launched.agent.as_ref().expect("it ran")).await;
    assert!(stage.launch.socket.exists() && stage.launch.pidfile.exists());
    stage.launch.log = None;
    let again = stage.start().await;
    assert_eq!(stage.connect().await.hello().await.expect("an answer").helper, again.helper);
    until("a pidfile", || stage.launch.pidfile.exists()).await;
}
