//! Callers that ask one after the other, and what they saw.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use serde_json::{Map, json};
use sqlx::PgConnection;
use striatum_contract::token::Token;
use striatumd::bootstrap::{self, Serving};
use striatumd::door::{Ask, Door, Phase, Transport};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::stage::Stage;

/// Before anything counts.
const WARM_UP: Duration = Duration::from_millis(250);
/// More calls a second than any machine makes.
const MOST_A_SECOND: u64 = 30_000;

/// What a run came to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    /// Calls that were answered within the window.
    pub(crate) calls: usize,
    /// Of the window.
    pub(crate) seconds: f64,
    /// How long each took, ascending.
    latencies: Vec<Duration>,
}

impl Run {
    /// Calls a second.
    pub(crate) fn rate(&self) -> f64 {
        self.calls as f64 / self.seconds
    }

    /// The latency below which so many of a hundred calls were.
    pub(crate) fn percentile(&self, of_hundred: usize) -> Duration {
        let last = self.latencies.len().saturating_sub(1);
        self.latencies.get((self.latencies.len() * of_hundred / 100).min(last)).copied().unwrap_or_default()
    }
}

/// When a run counts.
#[derive(Clone, Copy)]
struct Window {
    from: Instant,
    to: Instant,
}

impl Window {
    fn of(seconds: f64) -> Self {
        let from = Instant::now() + WARM_UP;
        Self { from, to: from + Duration::from_secs_f64(seconds) }
    }

    /// Runs callers until the window closes.
    async fn watch<F: Future<Output = ()>>(self, mut call: impl FnMut() -> F) -> Vec<Duration> {
        let mut latencies = Vec::new();
        loop {
            let start = Instant::now();
            if start >= self.to {
                return latencies;
            }
            call().await;
            let end = Instant::now();
            if end >= self.from && end < self.to {
                latencies.push(end - start);
            }
        }
    }

    async fn sum(self, mut callers: JoinSet<Vec<Duration>>) -> Run {
        let mut latencies = Vec::new();
        while let Some(caller) = callers.join_next().await {
            latencies.extend(caller.expect("a caller"));
        }
        latencies.sort_unstable();
        Run { calls: latencies.len(), seconds: (self.to - self.from).as_secs_f64(), latencies }
    }
}

/// What is asked.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum What {
    /// `repo.remove`, each time of another repository.
    Change,
    /// That and `daemon.describe` of one method in turns.
    Mixed,
}

/// A connection to the daemon's socket.
struct Client {
    stream: BufReader<UnixStream>,
    line: String,
}

impl Client {
    async fn connect(socket: &Path) -> Self {
        let stream = UnixStream::connect(socket).await.expect("the socket");
        let mut client = Self { stream: BufReader::new(stream), line: String::new() };
        let hello = json!({"schema_version": 1, "request_id": "hello", "method": "daemon.hello",
            "params": {"client": {"supported_envelope": [1], "supported_framings": ["json"]}}});
        client.ask(&format!("{hello}\n")).await;
        client
    }

    async fn ask(&mut self, line: &str) {
        self.stream.get_mut().write_all(line.as_bytes()).await.expect("a request goes out");
        self.line.clear();
        self.stream.read_line(&mut self.line).await.expect("a reply");
        assert!(self.line.contains("\"ok\":true"), "{line} -> {}", self.line);
    }
}

fn line(method: &str, request_id: &str, params: &str, token: &str) -> String {
    format!(
        "{{\"schema_version\":1,\"request_id\":\"{request_id}\",\"method\":\"{method}\",\"params\":{params},\
         \"capability_token\":\"{token}\"}}\n"
    )
}

/// Callers, each over a connection of its own.
pub(crate) async fn socket(
    stage: &Arc<Stage>,
    socket: &Path,
    clients: usize,
    seconds: f64,
    what: What,
) -> Run {
    stage.plant(((seconds + 0.5) * MOST_A_SECOND as f64) as u64).await;
    let token = stage.token();
    let mut connections = Vec::new();
    for _ in 0..clients {
        connections.push(Client::connect(socket).await);
    }
    let window = Window::of(seconds);
    let mut callers = JoinSet::new();
    for client in connections {
        let (stage, token, client) = (stage.clone(), token.clone(), Arc::new(Mutex::new((client, 0u64))));
        callers.spawn(async move {
            window
                .watch(|| {
                    let (stage, token, client) = (stage.clone(), token.clone(), client.clone());
                    async move {
                        let mut client = client.lock().await;
                        client.1 += 1;
                        let reads = what == What::Mixed && client.1.is_multiple_of(2);
                        let line = if reads {
                            line("daemon.describe", "read", "{\"method\":\"repo.remove\"}", &token)
                        } else {
                            let id = stage.take();
                            line("repo.remove", &id, &format!("{{\"repository_id\":\"{id}\"}}"), &token)
                        };
                        client.0.ask(&line).await;
                    }
                })
                .await
        });
    }
    window.sum(callers).await
}

/// So many calls by so many callers; the durations of each thousand.
pub(crate) async fn thousands(
    stage: &Arc<Stage>,
    socket: &Path,
    clients: usize,
    calls: usize,
) -> Vec<Duration> {
    stage.plant(calls as u64).await;
    let token = stage.token();
    let mut connections = Vec::new();
    for _ in 0..clients {
        connections.push(Client::connect(socket).await);
    }
    let mut blocks = Vec::new();
    for _ in 0..calls / 1000 {
        let start = Instant::now();
        let mut callers = JoinSet::new();
        let left = Arc::new(std::sync::atomic::AtomicUsize::new(1000));
        for mut client in connections.drain(..) {
            let (stage, token, left) = (stage.clone(), token.clone(), left.clone());
            callers.spawn(async move {
                let order = std::sync::atomic::Ordering::Relaxed;
                while left.try_update(order, order, |left| left.checked_sub(1)).is_ok() {
                    let id = stage.take();
                    client
                        .ask(&line("repo.remove", &id, &format!("{{\"repository_id\":\"{id}\"}}"), &token))
                        .await;
                }
                client
            });
        }
        while let Some(client) = callers.join_next().await {
            connections.push(client.expect("a caller"));
        }
        blocks.push(start.elapsed());
    }
    blocks
}

/// Callers without the socket: the door in this process, in the shape that the environment says.
pub(crate) async fn inner(stage: &Arc<Stage>, clients: usize, seconds: f64) -> Run {
    stage.plant(((seconds + 0.5) * MOST_A_SECOND as f64) as u64).await;
    let Serving { door, lock, .. } = bootstrap::start(&stage.config()).await.expect("this process serves");
    let token = Token::parse(&stage.token()).expect("a token");
    let window = Window::of(seconds);
    let mut callers = JoinSet::new();
    for _ in 0..clients {
        let (stage, token, door) = (stage.clone(), token.clone(), door.clone());
        callers
            .spawn(async move { window.watch(|| remove(stage.clone(), door.clone(), token.clone())).await });
    }
    let run = window.sum(callers).await;
    drop(door);
    crate::stage::close(lock).await;
    run
}

async fn remove(stage: Arc<Stage>, door: Door, token: Token) {
    let id = stage.take();
    let ask = Ask {
        params: RawValue::from_string(format!("{{\"repository_id\":\"{id}\"}}")).expect("JSON"),
        request_id: Some(id),
        method: Some("repo.remove".to_owned()),
        phase: Phase::Decide,
        deadline: tokio::time::Instant::now() + Duration::from_secs(30),
        token: Some(token),
        transport: Transport::Rpc,
        observed: Map::new(),
        refusal: None,
        is_final: true,
        is_read: false,
    };
    let answer = door.call(&ask).await.expect("an answer");
    assert!(answer.ok, "{:?}", answer.error);
}

/// Rows that are inserted and committed one by one, over so many connections.
pub(crate) async fn inserts(stage: &Arc<Stage>, clients: usize, connections: usize, seconds: f64) -> Run {
    let mut pool = Vec::new();
    for _ in 0..connections.min(clients) {
        pool.push(stage.admin().await);
    }
    let (give, take) = tokio::sync::mpsc::channel::<PgConnection>(pool.len());
    for connection in pool {
        give.send(connection).await.expect("there is room");
    }
    let take = Arc::new(Mutex::new(take));
    let window = Window::of(seconds);
    let mut callers = JoinSet::new();
    for _ in 0..clients {
        let (give, take) = (give.clone(), take.clone());
        callers.spawn(async move { window.watch(|| insert(give.clone(), take.clone())).await });
    }
    window.sum(callers).await
}

async fn insert(
    give: tokio::sync::mpsc::Sender<PgConnection>,
    take: Arc<Mutex<tokio::sync::mpsc::Receiver<PgConnection>>>,
) {
    let mut connection = take.lock().await.recv().await.expect("a connection comes back");
    sqlx::query("insert into public.bench (word) values ($1)")
        .bind("a word of the length of a name")
        .execute(&mut connection)
        .await
        .expect("a row");
    give.send(connection).await.expect("there is room");
}
