//! The door under load: calls a second over the daemon's socket, against the same functions with a commit each, against
//! no durability, and against rows inserted one by one; on the disk as it is and on one that is a millisecond slower.
//! Beside it: the same under an old snapshot, and what an idle daemon costs. See docs/performance.md.
//!
//! `cargo bench --bench door --features bench` takes about a minute, with `-- --full` several.
#![expect(clippy::disallowed_methods, reason = "a bench starts programs, and looks at how they fare")]

mod idle;
mod load;
mod stage;

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use load::{Run, What};
use stage::Stage;

/// How thorough a run is.
#[derive(Clone)]
struct Plan {
    clients: Vec<usize>,
    seconds: f64,
    rounds: usize,
    idle: Duration,
}

impl Plan {
    fn quick() -> Self {
        Self { clients: vec![1, 16, 64], seconds: 0.8, rounds: 1, idle: Duration::from_secs(6) }
    }

    fn full() -> Self {
        Self { clients: vec![1, 4, 16, 64], seconds: 0.8, rounds: 3, idle: Duration::from_secs(20) }
    }
}

/// What is measured beside the door as it is: a name, and how the daemon is told to commit.
const OTHERS: &[(&str, &str)] = &[("a commit each", "each"), ("nothing durable", "never")];
const DOOR: &str = "door";
const MIXED: &str = "door, every second call a read";
const INNER: &str = "door, without the socket";
const INSERTS: &str = "inserts, 4 connections";
const INSERTS_EACH: &str = "inserts, a connection each";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let plan = if words.iter().any(|word| word == "--full") { Plan::full() } else { Plan::quick() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    if words.iter().any(|word| word == "--slow") {
        return runtime.block_on(disk("a flush takes a millisecond longer", &plan, false));
    }
    runtime.block_on(disk("the disk as it is", &plan, true));
    let programs = stage::slow_programs();
    let again = Command::new(std::env::current_exe().expect("this program"))
        .args(&words)
        .arg("--slow")
        .env(stage::PROGRAMS, programs.path())
        .status()
        .expect("this program once more");
    assert!(again.success(), "the run on the slow disk failed");
}

/// Everything on one disk.
async fn disk(name: &str, plan: &Plan, is_whole: bool) {
    let stage = Arc::new(Stage::set().await);
    println!("\n## {name}\n\n{}", conditions(&stage).await);
    if is_whole {
        idle::snapshot(&stage).await;
        idle::idle(&stage, plan.idle).await;
    }
    let mut runs: BTreeMap<(&str, usize), Vec<Run>> = BTreeMap::new();
    for _ in 0..plan.rounds {
        for (name, commits) in [(DOOR, ""), (MIXED, "")].iter().chain(OTHERS) {
            let daemon = stage.serve(commits);
            let what = if *name == MIXED { What::Mixed } else { What::Change };
            for &clients in &plan.clients {
                let run = load::socket(&stage, &daemon.socket, clients, plan.seconds, what).await;
                runs.entry((name, clients)).or_default().push(run);
            }
        }
        for &clients in &plan.clients {
            let run = load::inner(&stage, clients, plan.seconds).await;
            runs.entry((INNER, clients)).or_default().push(run);
        }
        for &clients in &plan.clients {
            for (name, connections) in [(INSERTS, 4), (INSERTS_EACH, 64)] {
                let run = load::inserts(&stage, clients, connections, plan.seconds).await;
                runs.entry((name, clients)).or_default().push(run);
            }
        }
    }
    report(&runs, plan);
}

fn cell(runs: &[Run], clients: usize) -> String {
    let of = |number: fn(&Run) -> f64| middle(runs.iter().map(number).collect());
    let (half, most) =
        (of(|run| run.percentile(50).as_secs_f64()), of(|run| run.percentile(99).as_secs_f64()));
    format!("| {clients}: {:.0}/s {:.1}/{:.1} ms", of(Run::rate), half * 1e3, most * 1e3)
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// What the numbers depend on.
async fn conditions(stage: &Stage) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let scheduling = std::fs::read_to_string("/proc/self/sched").unwrap_or_default();
    let is_rr = scheduling.lines().any(|line| line.starts_with("policy") && line.trim().ends_with('2'));
    format!(
        "{cores} cores, load {}, {}; raw fdatasync {:.3} ms, a flush through the server {:.3} ms (medians)",
        load.split_whitespace().next().unwrap_or("?"),
        if is_rr { "SCHED_RR" } else { "usual scheduling" },
        millis(raw_flush(stage)),
        millis(server_flush(stage).await),
    )
}

fn raw_flush(stage: &Stage) -> Duration {
    use std::io::{Seek as _, Write as _};
    let mut file = std::fs::File::create(stage.folder().join("flushed")).expect("a file beside the data");
    let page = [7; 8192];
    let mut took = Vec::new();
    for _ in 0..200 {
        file.rewind().and_then(|()| file.write_all(&page)).expect("a page");
        let start = Instant::now();
        file.sync_data().expect("a flush");
        took.push(start.elapsed());
    }
    took.sort_unstable();
    took[took.len() / 2]
}

async fn server_flush(stage: &Stage) -> Duration {
    let mut admin = stage.admin().await;
    let mut took = Vec::new();
    for _ in 0..200 {
        let start = Instant::now();
        sqlx::query("select pg_logical_emit_message(true, 'bench', '')")
            .execute(&mut admin)
            .await
            .expect("a flush");
        took.push(start.elapsed());
    }
    stage::close(admin).await;
    took.sort_unstable();
    took[took.len() / 2]
}

/// Prints medians over the rounds; a ratio is taken within each round.
fn report(runs: &BTreeMap<(&str, usize), Vec<Run>>, plan: &Plan) {
    let others = || OTHERS.iter().map(|(name, _)| *name).chain([INSERTS, INSERTS_EACH]);
    println!("\ncalls/s, p50 and p99 in ms, by callers; medians of {} rounds\n", plan.rounds);
    for name in [DOOR, MIXED, INNER].into_iter().chain(others()) {
        let cells: Vec<String> = plan.clients.iter().map(|n| cell(&runs[&(name, *n)], *n)).collect();
        println!("{name:32}{}", cells.join(" "));
    }
    println!();
    let ratio = |one: (&str, usize), other: (&str, usize)| {
        middle(runs[&one].iter().zip(&runs[&other]).map(|(one, other)| one.rate() / other.rate()).collect())
    };
    for &clients in &plan.clients {
        let ratios: Vec<String> =
            others().map(|name| format!("{:.2} x {name}", ratio((DOOR, clients), (name, clients)))).collect();
        println!("at {clients}: door = {}", ratios.join(", "));
    }
    println!("door at 64 / at 16: {:.2}", ratio((DOOR, 64), (DOOR, 16)));
    let most = |run: &Run| run.percentile(99).as_secs_f64() * run.rate() / 64.0;
    let most = middle(runs[&(DOOR, 64)].iter().map(most).collect());
    println!("door, p99 at 64 in units of 64 / throughput: {most:.2}");
}
