//! Workers, each of whom claims, acks and completes, one run after the other.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use striatum_contract::token::Token;
use striatumd::door::{Answer, Ask, CallError, Door, Phase, Transport};
use striatumd::observe::OBSERVERS;
use tokio::task::{JoinSet, spawn_blocking};

/// What the workers saw.
#[derive(Default)]
pub(crate) struct Run {
    seconds: f64,
    /// Of claims, of completions, and of whole cycles; ascending.
    claims: Vec<Duration>,
    completions: Vec<Duration>,
    cycles: Vec<Duration>,
    stale: usize,
}

impl Run {
    /// Cycles a second.
    pub(crate) fn rate(&self) -> f64 {
        self.cycles.len() as f64 / self.seconds
    }

    fn add(&mut self, other: Self) {
        self.claims.extend(other.claims);
        self.completions.extend(other.completions);
        self.cycles.extend(other.cycles);
        self.stale += other.stale;
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cycles, {:.1}/s", self.cycles.len(), self.rate())?;
        for (name, took) in
            [("cycle", &self.cycles), ("claim", &self.claims), ("complete", &self.completions)]
        {
            let at =
                |share: usize| took.get(took.len() * share / 100).map_or(0.0, |it| it.as_secs_f64() * 1e3);
            write!(f, "; {name} p50 {:.1} p99 {:.1} ms", at(50), at(99))?;
        }
        write!(f, "; {} looks were stale", self.stale)
    }
}

/// This process as an agent's: its boot and start.
pub(crate) fn start_token() -> String {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("this process");
    let start =
        stat.rsplit_once(')').and_then(|(_, rest)| rest.split_ascii_whitespace().nth(19)).expect("its start");
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("the boot");
    format!("{}:{start}", boot.trim())
}

/// Has each worker work in turns in all the runs in which it has a session, until nothing is left or time is over.
pub(crate) async fn work(door: &Door, seats: Vec<Vec<Token>>, window: Duration) -> Run {
    let start = Instant::now();
    let mut workers = JoinSet::new();
    for tokens in seats {
        workers.spawn(worker(door.clone(), tokens, start + window));
    }
    let mut run = Run::default();
    while let Some(one) = workers.join_next().await {
        run.add(one.expect("a worker"));
    }
    run.seconds = start.elapsed().as_secs_f64();
    for took in [&mut run.claims, &mut run.completions, &mut run.cycles] {
        took.sort_unstable();
    }
    run
}

async fn worker(door: Door, mut tokens: Vec<Token>, until: Instant) -> Run {
    let mut run = Run::default();
    let mut turn = 0;
    while !tokens.is_empty() && Instant::now() < until {
        turn = (turn + 1) % tokens.len();
        let token = &tokens[turn];
        let start = Instant::now();
        let Some(lease) = claim(&door, token, &mut run).await else {
            tokens.swap_remove(turn);
            turn = 0;
            continue;
        };
        run.claims.push(start.elapsed());
        let params = json!({"lease_id": lease});
        ask(&door, token, "work.ack", &params, &[]).await.expect("an ack");
        let last = Instant::now();
        ask(&door, token, "work.complete", &params, &["lane_attestation"]).await.expect("a completion");
        run.completions.push(last.elapsed());
        run.cycles.push(start.elapsed());
    }
    run
}

/// The lease of the next work; none where its run has no more. Asks again where another took what was looked at.
async fn claim(door: &Door, token: &Token, run: &mut Run) -> Option<String> {
    loop {
        let observers = ["lane_attestation", "scope_baseline"];
        match ask(door, token, "work.claim_next", &json!({}), &observers).await {
            Ok(said) => return said["lease_id"].as_str().map(ToOwned::to_owned),
            Err(CallError::Unsettled(_)) => run.stale += 1,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Preflight, observers, decision, as the daemon does it.
async fn ask(
    door: &Door,
    token: &Token,
    method: &str,
    params: &Value,
    observers: &[&str],
) -> Result<Value, CallError> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let mut ask = Ask {
        params: RawValue::from_string(params.to_string()).expect("JSON"),
        request_id: Some(format!("bench-{}", NUMBER.fetch_add(1, Ordering::Relaxed))),
        method: Some(method.to_owned()),
        phase: Phase::Preflight,
        deadline: tokio::time::Instant::now() + Duration::from_secs(30),
        token: Some(token.clone()),
        transport: Transport::Rpc,
        observed: Map::new(),
        refusal: None,
        is_final: false,
        is_read: false,
    };
    if !observers.is_empty() {
        let looks = match door.call(&ask).await? {
            Answer { observe: Some(looks), .. } => looks,
            answer => panic!("{method}: {:?}", answer.error),
        };
        for (name, what) in looks {
            let observer = OBSERVERS.iter().find(|observer| observer.name == name).expect("an observer");
            let look = observer.look;
            ask.observed.insert(name, spawn_blocking(move || look(&what)).await.expect("a look"));
        }
    }
    ask.phase = Phase::Decide;
    let answer = door.call(&ask).await?;
    assert!(answer.ok, "{method}: {:?}", answer.error);
    Ok(serde_json::from_str(answer.data.expect("data").get()).expect("JSON"))
}
