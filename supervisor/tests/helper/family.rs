//! What can be proven to be an agent's, once nobody is left to ask.

use std::process::Command;
use std::time::Duration;

use rustix::process::Signal;
use striatum_supervisor::family::Family;
use striatum_supervisor::process::{Liveness, Process, StartToken};

use crate::stage::{Stage, gone, signal};

/// Four that mind no hangup: the agent, its child, one in another session, and one that an ancestor left behind there.
const TREE: &str = "trap '' HUP
    sh -c 'echo $$ >child; exec sleep 1000' &
    setsid sh -c 'echo $$ >apart; exec sleep 1000' &
    (setsid sh -c 'sh -c \"echo \\$\\$ >orphan; exec sleep 1000\" & echo' &)
    echo $$ >agent; exec sleep 1000";

/// The tree of a helper that was killed: its agent and all that the agent started.
async fn left(stage: &mut Stage) -> (Process, Process, Vec<Process>) {
    stage.launch.env.insert("MARK".to_owned(), stage.path("mark").display().to_string());
    let launched = stage.start().await;
    let mut left = Vec::new();
    for name in ["agent", "child", "apart", "orphan"] {
        left.push(Process::now(stage.number(name).await));
    }
    signal(launched.helper.pid, Signal::KILL);
    gone(&launched.helper).await;
    (launched.agent.expect("it ran"), launched.helper, left)
}

fn mark(stage: &Stage) -> String {
    format!("MARK={}", stage.path("mark").display())
}

/// STR-SUPERVISE-23: what an agent left is ended although its helper was killed, in whatever session it is; also
/// where the agent itself has ended before.
#[tokio::test]
async fn a_family_is_ended_without_its_helper() {
    for agent_ended in [false, true] {
        let mut stage = Stage::sh(TREE);
        let (agent, helper, left) = left(&mut stage).await;
        if agent_ended {
            signal(agent.pid, Signal::KILL);
            gone(&agent).await;
        }
        let mut family = Family::new(Some(&agent), Some(&helper), &mark(&stage));
        let ended = family.end(Duration::from_secs(60)).await;
        assert_eq!((ended.signalled.len(), ended.left.len()), (left.len() - usize::from(agent_ended), 0));
        for process in &left {
            gone(process).await;
        }
        assert_eq!(family.living().expect("/proc"), []);
    }
}

/// Whoever has a number that is on record, and not the start that is; whoever was there before; whoever has another
/// mark: nobody of the family.
#[tokio::test]
async fn what_is_not_proven_is_not_signalled() {
    let mut stage = Stage::sh(TREE);
    let mut before = bystander(&mark(&stage));
    // Starts are told apart by hundredths of a second.
    tokio::time::sleep(Duration::from_millis(30)).await;
    let (agent, helper, left) = left(&mut stage).await;
    let mut later = bystander(&format!("{}2", mark(&stage)));

    let token = |process: &Process| process.start_token.as_ref().expect("/proc").as_str().to_owned();
    let another = |token: String| Some(StartToken::new(token));
    for start_token in
        [another(format!("{}0", token(&agent))), another(format!("boot:{}", token(&agent))), None]
    {
        let other = Process { start_token, ..agent.clone() };
        let ended = Family::new(Some(&other), None, "MARK=").end(Duration::ZERO).await;
        assert_eq!((ended.signalled.len(), ended.killed.len()), (0, 0), "{other:?}");
    }
    assert!(left.iter().all(|process| process.liveness() == Liveness::Alive));

    Family::new(Some(&agent), Some(&helper), &mark(&stage)).end(Duration::from_secs(60)).await;
    for bystander in [&mut before, &mut later] {
        assert_eq!(bystander.try_wait().expect("a child"), None, "it lives on");
        bystander.kill().expect("a child");
        bystander.wait().expect("its end");
    }
}

fn bystander(mark: &str) -> std::process::Child {
    let (name, value) = mark.split_once('=').expect("an entry");
    Command::new("/bin/sleep").arg("1000").env(name, value).spawn().expect("a process")
}
