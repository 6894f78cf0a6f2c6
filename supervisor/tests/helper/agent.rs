//! What an agent is started into.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;
use striatum_supervisor::client::AgentState;
use striatum_supervisor::event::What;
use striatum_supervisor::pidfile::Pidfile;

use crate::stage::{HELPER, Stage, all, gone, open_files, status, until};

/// Fields 5 to 8 of /proc/PID/stat: process group, session, terminal, foreground group.
fn job_control(pid: i32) -> Vec<i64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
    let (_, rest) = stat.rsplit_once(')').expect("a name");
    rest.split_whitespace().skip(2).take(4).map(|field| field.parse().expect("a number")).collect()
}

#[tokio::test]
async fn the_agent_leads_a_session_in_a_terminal_of_its_own() {
    let mut stage = Stage::sh("tty; stty size; exec sleep 1000");
    (stage.launch.rows, stage.launch.cols) = (50, 132);
    let launched = stage.start().await;
    let (agent, pts) = (launched.agent.expect("it runs"), launched.pts.expect("a terminal"));
    stage.shows("\r\n50 132\r\n").await;
    assert!(pts.starts_with("/dev/pts/"), "{pts}");
    assert_eq!(stage.shown(), format!("{pts}\r\n50 132\r\n"));
    let [group, session, terminal, foreground] = job_control(agent.pid)[..] else { panic!("four") };
    assert_eq!([group, session, foreground], [i64::from(agent.pid); 3]);
    assert_ne!(terminal, 0);
    let helper = job_control(launched.helper.pid);
    assert_eq!(helper[..3], [i64::from(launched.helper.pid), i64::from(launched.helper.pid), 0]);
}

#[tokio::test]
async fn the_agent_has_the_environment_it_was_given_and_the_helper_has_none() {
    let mut stage = Stage::of(&["/bin/sleep", "1000"]);
    stage.launch.env = [("A", "one"), ("TOKEN", "secret=\n")].map(|(k, v)| (k.into(), v.into())).into();
    let launched = stage.start().await;
    let agent = launched.agent.expect("it runs").pid;
    assert_eq!(fs::read(format!("/proc/{agent}/environ")).expect("it"), b"A=one\0TOKEN=secret=\n\0");
    assert_eq!(fs::read_link(format!("/proc/{agent}/cwd")).expect("it"), stage.folder.path());
    assert_eq!(fs::read(format!("/proc/{}/environ", launched.helper.pid)).expect("it"), b"");
    let line = fs::read(format!("/proc/{}/cmdline", launched.helper.pid)).expect("it");
    assert_eq!(line, [HELPER.as_bytes(), b"\0"].concat());
}

/// Whoever starts a helper may ignore signals, hold files and have an environment: nothing of that comes through.
#[tokio::test]
async fn nothing_of_who_starts_a_helper_reaches_the_agent() {
    let stage = Stage::of(&["/bin/sleep", "1000"]);
    fs::write(stage.path("held"), "").expect("a file");
    let held = stage.path("held").display().to_string();
    let script = format!("trap '' HUP INT TERM USR1 PIPE TSTP; exec 7<{held}; exec \"$0\"");
    let mut helper = stage.start_by_hand(&script);
    let read = || Pidfile::read(&stage.launch.pidfile)?.agent;
    until("an agent", || read().is_some()).await;
    let agent = read().expect("it runs").pid;
    let pts = fs::read_link(format!("/proc/{agent}/fd/0")).expect("a terminal");
    assert_eq!(open_files(agent), ["0", "1", "2"].map(|number| (number.to_owned(), pts.clone())));
    assert_eq!(fs::read(format!("/proc/{agent}/environ")).expect("it"), b"PATH=/usr/bin:/bin\0");
    // But for the two that the C library keeps to itself: nobody can take those, nor give them back.
    let signals = |field| u64::from_str_radix(&status(agent, field), 16).expect("a mask") & !(0b11 << 31);
    assert_eq!(["SigIgn", "SigBlk"].map(signals), [0, 0]);
    let helper_files = open_files(helper.id().cast_signed());
    assert!(helper_files.iter().all(|(_, file)| *file != stage.path("held")), "{helper_files:?}");
    let mut connection = stage.connect().await;
    connection.stop(std::time::Duration::ZERO).await.expect("a stop");
    let last = all(&mut connection).await.last().expect("an end").seq;
    connection.ack(last).await.expect("taken over");
    assert_eq!(helper.wait().expect("its end").code(), Some(0));
}

/// What could not be executed never ran: no start, no end, one error, and the helper waits until it is taken over.
#[tokio::test]
async fn a_program_that_cannot_be_executed_is_an_error_with_its_number() {
    let stage = Stage::sh("");
    fs::write(stage.path("plain"), "text").expect("a file");
    fs::set_permissions(stage.path("plain"), fs::Permissions::from_mode(0o644)).expect("a mode");
    for (program, errno) in [("missing", 2), ("plain", 13)] {
        let path = stage.path(program).display().to_string();
        let failing = Stage::of(&[&path]);
        let launched = failing.start().await;
        assert_eq!((launched.agent, launched.pts, launched.exec_errno), (None, None, Some(errno)));
        let mut connection = failing.connect().await;
        let hello = connection.hello().await.expect("an answer");
        assert_eq!((hello.agent, hello.state, hello.last_seq), (None, AgentState::Exited, 1));
        let events = all(&mut connection).await;
        let message = format!("{path} cannot be executed");
        let expected = What::HelperError { code: "agent_exec_failed".into(), errno: Some(errno), message };
        assert_eq!(events.into_iter().map(|event| event.what).collect::<Vec<_>>(), [expected]);
        assert_eq!(Pidfile::read(&failing.launch.pidfile).map(|file| json!(file.agent)), Some(json!(null)));
        connection.ack(1).await.expect("taken over");
        gone(&launched.helper).await;
    }
}

/// As long as the agent lives somebody reads its terminal, also when it let go of it for a while.
#[tokio::test]
async fn an_agent_may_close_its_terminal_and_come_back_to_it() {
    let stage = Stage::sh("exec </dev/null >/dev/null 2>&1; sleep 0.3; echo back >/dev/tty; exec sleep 1000");
    stage.start().await;
    stage.shows("back").await;
}
