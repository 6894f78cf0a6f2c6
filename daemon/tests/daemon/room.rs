//! The room that long lines share.
#![expect(clippy::disallowed_methods, reason = "a client that sends half a line")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use striatum_testkit::{hello, until};

use crate::stage::{Stage, code};

/// A connection that has greeted, which the daemon keeps for long.
struct Raw(BufReader<UnixStream>);

impl Raw {
    fn greeted(socket: &Path) -> Self {
        let stream = UnixStream::connect(socket).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        let mut raw = Self(BufReader::new(stream));
        let request =
            json!({"schema_version": 1, "request_id": "greets", "method": "daemon.hello", "params": hello()});
        assert!(raw.say(format!("{request}\n").as_bytes()));
        assert_eq!(raw.hear().expect("a reply")["ok"], true);
        raw
    }

    /// Whether all of it was taken.
    fn say(&mut self, octets: &[u8]) -> bool {
        self.0.get_mut().write_all(octets).is_ok()
    }

    fn hear(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("an end or a reply");
        (!line.is_empty()).then(|| serde_json::from_str(&line).expect("JSON"))
    }
}

/// Eight lines of 8 MiB take all of it: the ninth is told so and let go, short ones go on, and what is given back
/// serves the next.
#[tokio::test]
async fn half_sent_lines_hold_no_more_than_the_room_for_them() {
    let mut stage = Stage::set().await;
    let socket = stage.daemon.setup().socket();
    let mut half = vec![b' '; (8 << 20) - 2];
    half[0] = b'{';
    let mut held: Vec<Raw> = (0..8).map(|_| Raw::greeted(&socket)).collect();
    assert!(held.iter_mut().all(|raw| raw.say(&half)), "each takes its share");

    let mut ninth = Raw::greeted(&socket);
    ninth.say(&half);
    let refused = ninth.hear().expect("a reply");
    assert_eq!(code(&refused), "busy", "{refused}");
    assert_eq!(refused["error"]["next"], json!(["the same request with the same request_id"]));
    assert!(ninth.0.read_line(&mut String::new()).map_or(true, |read| read == 0), "it is closed");
    let row = "select count(*) from striatumd.audit_log where denial_reason = 'busy'";
    assert_eq!(stage.number(row).await, 1);
    assert_eq!(stage.client().ask("daemon.describe", json!({})).expect("a reply")["ok"], true);

    // Whoever has a share is answered, and gives it back.
    let mut first = held.swap_remove(0);
    assert!(first.say(b"\n"));
    assert_eq!(code(&first.hear().expect("a reply")), "schema_invalid");
    until("there is room again", || {
        let mut next = Raw::greeted(&socket);
        let is_taken = next.say(&half) && next.say(b"\n");
        let reply = next.hear().expect("a reply");
        is_taken && code(&reply) == "schema_invalid"
    });
}
