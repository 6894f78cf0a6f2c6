//! The helper's course: launch, agent, events until the last one is acknowledged.

mod agent;
mod clock;
mod control;
mod detach;
mod events;
mod log;
mod place;
mod signals;
mod terminal;
mod tree;

use std::io::{BufRead as _, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use striatum_supervisor::launch::{LAUNCH_OCTETS, Launch, Launched, Problem};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use agent::Agent;
use events::Events;
use place::Place;

/// The launch is refused; nothing was left.
const EXIT_REFUSED: u8 = 64;
/// A part of the helper itself ended that must not.
const EXIT_BROKEN: u8 = 70;
/// The helper was told to end, or has lost its place, and nobody took over its last events.
const EXIT_UNACKNOWLEDGED: u8 = 75;

/// What an agent is given between SIGTERM and SIGKILL when its helper is told to end.
const GRACE: Duration = Duration::from_secs(5);
/// How long a helper that was told to end waits for the last acknowledgement.
const ACKNOWLEDGEMENT: Duration = Duration::from_secs(10);
/// How long a reply that is being written may take when the helper ends.
const LAST_REPLIES: Duration = Duration::from_secs(2);

/// From the first line to the exit code.
pub(crate) fn main() -> ExitCode {
    detach::close_what_was_inherited();
    let launch = match read_launch() {
        Ok(launch) => launch,
        Err(problems) => return refused(&problems),
    };
    if let Err(problem) = detach::become_session_leader() {
        return refused(&[problem]);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime {
        Ok(runtime) => {
            let code = runtime.block_on(run(launch));
            // What still waits for a client that does not read is not waited for.
            runtime.shutdown_background();
            code
        }
        Err(error) => refused(&[place::failed("", "the helper has no runtime", &error)]),
    }
}

fn read_launch() -> Result<Launch, Vec<Problem>> {
    let mut line = Vec::new();
    let limit = LAUNCH_OCTETS as u64 + 1;
    let read = std::io::stdin().lock().take(limit).read_until(b'\n', &mut line);
    if let Err(error) = read {
        return Err(vec![place::failed("", "the launch cannot be read", &error)]);
    }
    if line.len() > LAUNCH_OCTETS {
        let message = format!("has more than {LAUNCH_OCTETS} octets");
        return Err(vec![Problem::new("launch_malformed", "", message)]);
    }
    Launch::read(&line)
}

fn refused(problems: &[Problem]) -> ExitCode {
    answer(&json!({"ok": false, "problems": problems}));
    ExitCode::from(EXIT_REFUSED)
}

/// Who started the helper may be gone by now: then nobody needs the answer.
fn answer(line: &Value) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

async fn run(launch: Launch) -> ExitCode {
    let (mut signals, mut child_ended) = match signals::take() {
        Ok(taken) => taken,
        Err(error) => return refused(&[place::failed("", "signals cannot be taken", &error)]),
    };
    let (place, socket, log) = match Place::take(&launch).await {
        Ok(taken) => taken,
        Err(problems) => return refused(&problems),
    };
    let events = Arc::new(Events::new());
    let mut parts = JoinSet::new();
    let started = match Agent::start(&launch, log, &events, &mut parts) {
        Ok(started) => started,
        Err(error) => {
            place.undo();
            return refused(&[place::failed("", "there is no terminal", &error)]);
        }
    };
    let agent = Arc::new(started);
    if let Err(error) = place.record(agent.process.as_ref(), agent.pts.as_deref()) {
        // An agent that nobody finds again must not run.
        agent.stop(GRACE).await;
        place.undo();
        return refused(&[place::failed("pidfile", "cannot be written", &error)]);
    }
    let helper = place.helper.clone();
    let launched = Launched {
        helper,
        agent: agent.process.clone(),
        pts: agent.pts.clone(),
        exec_errno: agent.exec_errno,
    };
    let (ending, is_ending) = watch::channel(false);
    let (sockets, newer) = mpsc::channel(1);
    let mut server = match control::serve(&place, socket, newer, &agent, &events, is_ending) {
        Ok(server) => server,
        Err(error) => {
            agent.stop(GRACE).await;
            place.undo();
            return refused(&[place::failed("socket", "cannot be served", &error)]);
        }
    };
    let mut line = json!(launched);
    line["ok"] = json!(true);
    answer(&line);
    detach::let_go_of_standard_streams();

    let code = tokio::select! {
        () = events.all_taken_over() => ExitCode::SUCCESS,
        () = signals.told_to_end() => end(&place, &agent, &events).await,
        // Nobody finds the helper any more, and the daemon sees that the process is gone.
        () = place.keep(&agent, &sockets) => end(&place, &agent, &events).await,
        () = tree::reap(&agent, &mut child_ended) => ExitCode::from(EXIT_BROKEN),
        () = broken(&mut parts, &mut server) => {
            agent.stop(GRACE).await;
            ExitCode::from(EXIT_BROKEN)
        }
    };
    // The acknowledgement that ended it all is answered, and connections that wait for nothing are closed.
    ending.send_replace(true);
    if !server.is_finished() {
        let _ = timeout(LAST_REPLIES, server).await;
    }
    place.leave();
    code
}

/// Waits for a part that panicked; that one comes to its end is in order, unless it is the server.
async fn broken(parts: &mut JoinSet<()>, server: &mut JoinHandle<()>) {
    loop {
        tokio::select! {
            _ = &mut *server => return,
            Some(ended) = parts.join_next() => if ended.is_err() { return },
        }
    }
}

async fn end(place: &Place, agent: &Agent, events: &Events) -> ExitCode {
    agent.stop(GRACE).await;
    // Where nobody can come nobody is waited for.
    let patience = if place.has_socket() { ACKNOWLEDGEMENT } else { Duration::ZERO };
    match timeout(patience, events.all_taken_over()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(EXIT_UNACKNOWLEDGED),
    }
}
