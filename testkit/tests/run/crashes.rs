//! Crashes in the course of a run: whatever is killed, and whenever, the run completes, or says by which command it
//! goes on; nothing that was told is lost, and no agent is started twice.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use sqlx::ConnectOptions as _;
use striatum_testkit::{Database, Provider, server, skipped_in_container, until};

use crate::stage::{Drive, Stage};
use crate::workflow::Workflow;

/// Numbers of a seed (xorshift), so that a red seed can be had again.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).expect("below a usize")
    }
}

#[derive(Debug, Clone, Copy)]
enum Crash {
    /// kill -9 of the daemon, which is started again.
    Daemon,
    /// kill -9 of a helper: its agent's terminal goes with it.
    Helper,
    /// kill -9 of an agent.
    Agent,
    /// kill -9 of one of the daemon's backends: the server recovers.
    Backend,
    /// kill -9 of the postmaster, which is started again.
    Server,
}

/// The seeds of `STRIATUM_TORTURE_SEEDS` (`1 2 3`, or `1..40`), else two.
fn seeds() -> Vec<u64> {
    let wanted = env::var("STRIATUM_TORTURE_SEEDS").unwrap_or_default();
    let wanted = if wanted.trim().is_empty() { "1 2".to_owned() } else { wanted };
    let number = |text: &str| text.parse::<u64>().expect("a seed is a number");
    let parts = wanted.split_whitespace().map(|part| part.split_once("..").unwrap_or((part, part)));
    parts.flat_map(|(first, last)| number(first)..=number(last)).collect()
}

/// STR-SUPERVISE-37, STR-SESSION-07: an agent that vanished is found out about, whoever else crashed.
/// STR-STORE-05: folding the events gives the tables, whatever was killed.
#[tokio::test(flavor = "multi_thread")]
async fn whatever_crashes_the_run_goes_on() {
    if skipped_in_container("no process can be killed from outside there") {
        return;
    }
    for seed in seeds() {
        torture(seed).await;
    }
}

/// One run, with each crash once.
async fn torture(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let server = server(&["fsync = on"]).expect("a server");
    let database = Database::on(&server).await.expect("a database");
    let workflow = Workflow::quick().with_all(&["--pace-ms", "250"]);
    let mut stage = Stage::on(database, &workflow);
    let mut crashes = [Crash::Agent, Crash::Backend, Crash::Daemon, Crash::Helper, Crash::Server];
    for end in (1..crashes.len()).rev() {
        crashes.swap(end, random.below(end + 1));
    }

    let mut seen = Agents::default();
    let mut told = Vec::new();
    let mut drive = Some(stage.drive_with("--json"));
    for crash in crashes {
        let Some(running) = &mut drive else { break };
        let (before, some) = (running.told().len(), random.below(7));
        until("something happens", || {
            seen.look(&stage);
            running.told().len() > before + some || running.has_ended()
        });
        println!("seed {seed}: {crash:?} after {} lines", running.told().len());
        if running.has_ended() {
            drive = go_on(&stage, drive, &mut told);
        }
        crash.happen(&mut stage, &server, &mut random).await;
    }
    for round in 0.. {
        let Some(running) = &mut drive else { break };
        assert!(round < 8, "seed {seed}: it does not end");
        until("run drive ends", || {
            seen.look(&stage);
            running.has_ended()
        });
        drive = go_on(&stage, drive, &mut told);
    }
    stage.daemon.until_serving().expect("it serves");
    holds(&stage, seed, &told, &seen).await;
}

/// Keeps what a drive told, does what it says, and drives on; nothing where the run is completed.
fn go_on(stage: &Stage, drive: Option<Drive>, told: &mut Vec<Value>) -> Option<Drive> {
    let driven = drive?.ended();
    let lines = driven.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    told.extend(lines.filter(|line| line["event_id"].is_string()));
    stage.decide(&driven).map(|command| {
        println!("  {command}");
        stage.drive_with("--json")
    })
}

/// What holds after all that.
async fn holds(stage: &Stage, seed: u64, told: &[Value], seen: &Agents) {
    let events: BTreeMap<String, Value> =
        stage.events().into_iter().map(|event| (event["event_id"].to_string(), event)).collect();
    assert!(!told.is_empty(), "seed {seed}: nothing was told");
    for line in told {
        let now = &events[&line["event_id"].to_string()];
        assert_eq!(
            (&now["type"], &now["at"], &now["changes"]),
            (&line["type"], &line["at"], &line["changes"])
        );
    }
    for (supervisor_id, pids) in &seen.0 {
        assert_eq!(pids.len(), 1, "seed {seed}: {supervisor_id} had {pids:?}");
    }
    for (what, query) in [
        ("a lease whose session had another number of agents than one",
         "select count(*) from striatumd.leases l where 1 <> (select count(*) from striatumd.process_supervisors p
            where p.session_id = l.session_id and p.agent_pid is not null)"),
        ("an attempt that was completed twice",
         "select count(*) from (select job_id, attempt from striatumd.leases where state = 'released'
            group by job_id, attempt having count(*) > 1) t"),
        ("a job that is not completed", "select count(*) from striatumd.jobs where state <> 'completed'"),
        ("a lease of a run that has ended", "select count(*) from striatumd.leases where state = 'active'"),
        ("an agent of a run that has ended and is gone",
         "select count(*) from striatumd.process_supervisors where state = 'starting'"),
        ("an artifact twice", "select count(*) from (select job_id, attempt, logical_name from striatumd.artifacts
            group by 1, 2, 3 having count(*) > 1) t"),
    ] {
        assert_eq!(stage.number(query).await, 0, "seed {seed}: {what}");
    }
    stage.assert_proven();
}

/// The processes that were seen of each supervisor.
#[derive(Default)]
struct Agents(BTreeMap<String, BTreeSet<i64>>);

impl Agents {
    fn look(&mut self, stage: &Stage) {
        for file in stage.pidfiles() {
            if let Some(pid) = file["agent"]["pid"].as_i64() {
                self.0.entry(file["supervisor_id"].to_string()).or_default().insert(pid);
            }
        }
    }
}

impl Crash {
    /// Lets it happen, and starts again what does not by itself.
    async fn happen(self, stage: &mut Stage, server: &Provider, random: &mut Random) {
        match self {
            Self::Daemon => {
                stage.daemon.kill().expect("a crash");
                stage.daemon.restart().expect("a start");
            }
            Self::Helper | Self::Agent => {
                let who = if matches!(self, Self::Helper) { "helper" } else { "agent" };
                let files = stage.pidfiles();
                let pids: Vec<i64> = files.iter().filter_map(|file| file[who]["pid"].as_i64()).collect();
                // There may be none just now.
                if let Some(pid) = pids.get(random.below(pids.len().max(1))) {
                    kill(i32::try_from(*pid).expect("a number of a process"));
                }
            }
            Self::Backend => {
                let choice = random.below(8);
                let options = server.admin().database("postgres");
                let mut admin = options.connect().await.expect("a connection");
                let ours =
                    "select pid from pg_stat_activity where application_name = 'striatumd' order by pid";
                let pids: Vec<i32> = sqlx::query_scalar(ours).fetch_all(&mut admin).await.expect("numbers");
                if let Some(pid) = pids.get(choice % pids.len().max(1)) {
                    kill(*pid);
                }
                striatum_testkit::until_asked("the server takes connections", async || {
                    options.connect().await.is_ok()
                })
                .await;
            }
            Self::Server => {
                server.kill_postmaster().expect("a crash");
                server.start_again().expect("a start");
            }
        }
    }
}

fn kill(pid: i32) {
    // It may have ended meanwhile; its number is nobody else's so soon.
    let _ = kill_process(Pid::from_raw(pid).expect("a number of a process"), Signal::KILL);
}
