//! The control socket: what reaches the agent, and clients that behave badly.

use std::fs::File;

use serde_json::{Value, json};
use striatum_supervisor::client::{AgentState, RequestError};

use crate::stage::{Stage, all, next, until, within};

fn code(answer: Result<(), RequestError>) -> String {
    match answer {
        Ok(()) => "ok".to_owned(),
        Err(RequestError::Refused(refused)) => refused.code,
        Err(error) => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn what_is_written_reaches_the_agent() {
    let stage = Stage::sh("stty -echo; echo ready; read -r line; echo \"got: $line\"; exit 0");
    stage.start().await;
    stage.shows("ready").await;
    let mut connection = stage.connect().await;
    connection.write("wörd of many\r".as_bytes()).await.expect("it reads");
    stage.shows("got: wörd of many\r\n").await;
    all(&mut connection).await;
    assert_eq!(connection.hello().await.expect("an answer").state, AgentState::Exited);
    assert_eq!(code(connection.write(b"late").await), "agent_gone");
    assert_eq!(code(connection.resize(1, 1).await), "agent_gone");
}

/// Delivery never blocks: where the agent does not read what came before, all of it is refused.
#[tokio::test]
async fn an_agent_that_does_not_read_is_a_refusal() {
    let stage = Stage::sh("stty raw -echo; echo ready; exec sleep 1000");
    stage.start().await;
    stage.shows("ready").await;
    let mut connection = stage.connect().await;
    let part = vec![b'x'; 600 * 1024];
    assert_eq!(code(connection.write(&part).await), "ok");
    assert_eq!(code(connection.write(&part).await), "delivery_blocked");
    assert_eq!(code(connection.write(&part[..100 * 1024]).await), "ok");
    assert_eq!(connection.hello().await.expect("an answer").state, AgentState::Running);
}

#[tokio::test]
async fn a_terminal_takes_another_size() {
    let stage = Stage::sh("trap 'stty size' WINCH; echo ready; while :; do sleep 0.01; done");
    let launched = stage.start().await;
    stage.shows("ready").await;
    stage.connect().await.resize(33, 99).await.expect("a size");
    stage.shows("33 99").await;
    let pts = File::open(launched.pts.expect("a terminal")).expect("a terminal");
    let size = rustix::termios::tcgetwinsize(&pts).expect("a size");
    assert_eq!((size.ws_row, size.ws_col), (33, 99));
}

/// A line that is none is answered, half a line waits for its other half, and neither is anybody else's business.
#[tokio::test]
async fn lines_that_are_none_are_refused_by_name() {
    let stage = Stage::sh("exec sleep 1000");
    stage.start().await;
    let mut raw = stage.raw().await;
    let huge = format!("{}\n", "x".repeat(3 * 1024 * 1024));
    for (sent, id, code) in [
        ("nonsense\n", Value::Null, "request_malformed"),
        ("[1]\n", Value::Null, "request_malformed"),
        ("{\"id\": 1}\n", json!(1), "request_malformed"),
        ("{\"id\": \"a\", \"op\": \"dance\"}\n", json!("a"), "op_unknown"),
        ("{\"id\": 2, \"op\": \"ack\"}\n", json!(2), "request_malformed"),
        ("{\"id\": 2, \"op\": \"ack\", \"up_to\": -1}\n", json!(2), "request_malformed"),
        ("{\"id\": 3, \"op\": \"hello\", \"more\": 1}\n", json!(3), "request_malformed"),
        ("{\"id\": 4, \"op\": \"write\", \"data_base64\": \"?\"}\n", json!(4), "request_malformed"),
        (&huge, Value::Null, "line_too_long"),
    ] {
        raw.send(sent.as_bytes()).await;
        let reply = raw.line().await;
        let found = (&reply["id"], &reply["ok"], &reply["error"]["code"]);
        assert_eq!(found, (&id, &json!(false), &json!(code)));
    }
    raw.send(b"{\"id\": 5, \"op\":").await;
    stage.connect().await.hello().await.expect("another is served meanwhile");
    assert_eq!(raw.ask(&json!("hello")).await["error"]["code"], "request_malformed");
    raw.send(b"{\"id\": 6, \"op\":").await;
    raw.send(b" \"hello\"}\n").await;
    let reply = raw.line().await;
    assert_eq!((&reply["id"], &reply["supervisor_id"]), (&json!(6), &json!("sup_0000000000000001")));
}

/// One who asks and never reads holds up neither the agent nor another client.
#[tokio::test]
async fn a_client_that_never_reads_holds_up_nobody() {
    let stage = Stage::sh("echo ready; read -r word; echo heard; exit 0");
    stage.start().await;
    let deaf = stage.raw().await;
    let requests = "{\"op\": \"hello\"}\n".repeat(1000);
    let mut sent = 0;
    loop {
        match within(deaf.stream().writable())
            .await
            .and_then(|()| deaf.stream().try_write(requests.as_bytes()))
        {
            Ok(size) => sent += size,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock && sent > 0 => break,
            Err(error) => panic!("{error}"),
        }
    }
    let mut connection = stage.connect().await;
    connection.write(b"go\r").await.expect("it reads");
    stage.shows("heard").await;
    let events = all(&mut connection).await;
    connection.ack(events.last().expect("an end").seq).await.expect("taken over");
    // And the helper ends, whoever still owes it a read.
    until("an end", || !stage.launch.socket.exists()).await;
}

#[tokio::test]
async fn every_client_hears_every_event_and_there_is_a_last_one() {
    let stage = Stage::sh("read -r word; exit 0");
    stage.start().await;
    let mut clients = Vec::new();
    for _ in 0..32 {
        let mut client = stage.connect().await;
        client.events(1).await.expect("a subscription");
        clients.push(client);
    }
    let mut raw = stage.raw().await;
    assert_eq!(raw.line().await["error"]["code"], "connections_exhausted");
    assert_eq!(raw.line().await, Value::Null);
    clients[0].write(b"go\r").await.expect("it reads");
    for client in &mut clients {
        while !next(client).await.is_last() {}
    }
}
