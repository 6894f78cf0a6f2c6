//! Launches that are refused, all problems at once and each by its name.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use rustix::process::Signal;
use serde_json::{Value, json};
use striatum_supervisor::process::Liveness;
use tokio::task::JoinSet;

use crate::stage::{HELPER, Stage, gone, signal};

/// Exit code, and code and field of each problem, of a line that no client would send.
fn answer(line: &str) -> (Option<i32>, Vec<(String, String)>) {
    let mut helper = Command::new(HELPER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the built program starts");
    helper.stdin.take().expect("a pipe").write_all(line.as_bytes()).expect("it reads");
    let output = helper.wait_with_output().expect("its end");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
    assert_eq!(answer["ok"], false, "{answer}");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let problems = answer["problems"].as_array().expect("a list");
    let problems = problems.iter().map(|problem| (text(&problem["code"]), text(&problem["field"])));
    (output.status.code(), problems.collect())
}

fn problems(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(code, field)| ((*code).to_owned(), (*field).to_owned())).collect()
}

#[test]
fn a_line_says_all_that_is_wrong_with_it_at_once() {
    for line in ["", "nonsense\n", "[]\n"] {
        assert_eq!(answer(line), (Some(64), problems(&[("launch_malformed", "")])));
    }
    let line = json!({"schema": "another", "supervisor_id": "a/b", "argv": ["sh", "a\0b"], "cwd": "here",
        "env": {"A": "\0", "B=": ""}, "socket": format!("/{}", "x".repeat(107)), "pidfile": 7, "log": "pty.log",
        "log_cap_octets": 1, "rows": 0, "colour": "red"});
    let expected = [
        ("field_invalid", "schema"),
        ("field_invalid", "supervisor_id"),
        ("path_relative", "argv"),
        ("text_has_nul", "argv"),
        ("path_relative", "cwd"),
        ("field_invalid", "env"),
        ("text_has_nul", "env"),
        ("socket_path_too_long", "socket"),
        ("field_invalid", "pidfile"),
        ("path_relative", "log"),
        ("field_invalid", "log_cap_octets"),
        ("field_invalid", "rows"),
        ("field_missing", "cols"),
        ("field_unknown", "colour"),
    ];
    assert_eq!(answer(&line.to_string()), (Some(64), problems(&expected)));
}

#[tokio::test]
async fn what_is_in_the_way_is_named_all_at_once_and_stays() {
    let mut stage = Stage::sh("exec sleep 1000");
    stage.launch.cwd = stage.path("missing");
    std::os::unix::fs::symlink(stage.path("elsewhere"), stage.path("pty.log")).expect("a link");
    for path in [&stage.launch.socket, &stage.launch.pidfile] {
        fs::write(path, "mine").expect("a file");
    }
    let expected = [
        ("cwd_missing", "cwd"),
        ("pidfile_foreign", "pidfile"),
        ("socket_foreign", "socket"),
        ("log_exists", "log"),
    ];
    assert_eq!(stage.refused().await, problems(&expected));
    for path in [&stage.launch.socket, &stage.launch.pidfile] {
        assert_eq!(fs::read_to_string(path).expect("a file"), "mine");
    }
    assert!(!stage.path("elsewhere").exists());
}

#[tokio::test]
async fn a_launch_that_fails_half_way_leaves_nothing() {
    let mut stage = Stage::sh("exec sleep 1000");
    stage.launch.log = Some(stage.path("missing/pty.log"));
    assert_eq!(stage.refused().await, problems(&[("system_failed", "log")]));
    assert_eq!(fs::read_dir(stage.folder.path()).expect("a folder").count(), 0);
}

#[tokio::test]
async fn a_second_launch_of_a_supervisor_is_refused_and_the_first_runs_on() {
    let mut stage = Stage::sh("exec sleep 1000");
    let launched = stage.start().await;
    stage.launch.log = None;
    let expected = problems(&[("helper_running", "pidfile"), ("socket_in_use", "socket")]);
    assert_eq!(stage.refused().await, expected);
    let hello = stage.connect().await.hello().await.expect("an answer");
    assert_eq!((hello.helper, hello.agent, hello.pts), (launched.helper, launched.agent, launched.pts));
}

/// Of many launches at one moment one agent runs, also where a helper that was killed left its socket.
#[tokio::test]
async fn of_launches_at_one_moment_one_is_taken() {
    // A race is lost now and then only.
    for _ in 0..4 {
        let mut stage = Stage::sh("exec sleep 1000");
        stage.launch.log = None;
        drop(std::os::unix::net::UnixListener::bind(&stage.launch.socket).expect("a socket"));
        let stage = Arc::new(stage);
        let mut launches = JoinSet::new();
        for _ in 0..16 {
            let stage = Arc::clone(&stage);
            launches.spawn(async move { stage.try_start().await.is_ok() });
        }
        let taken = launches.join_all().await.into_iter().filter(|is_taken| *is_taken).count();
        assert_eq!(taken, 1);
    }
}

/// The same without luck: a launch takes its place under a lock on the folder, and does not wait for it for ever.
#[tokio::test]
async fn a_launch_looks_and_takes_its_place_under_a_lock() {
    let stage = Stage::sh("exec sleep 1000");
    let folder = fs::File::open(stage.folder.path()).expect("a folder");
    rustix::fs::flock(&folder, rustix::fs::FlockOperation::LockExclusive).expect("a lock");
    assert_eq!(stage.refused().await, problems(&[("system_failed", "pidfile")]));
    drop(folder);
    stage.start().await;
}

#[tokio::test]
async fn an_agent_that_outlived_its_helper_is_in_the_way_of_a_second_one() {
    let mut stage = Stage::sh("trap '' HUP; echo ready; exec sleep 1000");
    let launched = stage.start().await;
    stage.shows("ready").await;
    signal(launched.helper.pid, Signal::KILL);
    gone(&launched.helper).await;
    stage.launch.log = None;
    assert_eq!(stage.refused().await, problems(&[("agent_running", "pidfile")]));
    let agent = launched.agent.expect("it ran");
    assert_eq!(agent.liveness(), Liveness::Alive);
    signal(agent.pid, Signal::KILL);
    gone(&agent).await;
    stage.start().await;
}

/// STR-SUPERVISE-39: the log is for its owner's eyes, as are socket and pidfile; without a log nothing is kept.
#[tokio::test]
async fn what_a_helper_makes_is_its_owners_alone() {
    let stage = Stage::sh("umask; exec sleep 1000");
    stage.start().await;
    stage.shows("\r\n").await;
    let mode = |path| fs::metadata(path).expect("it was made").permissions().mode() & 0o777;
    let log = stage.launch.log.clone().expect("a log");
    assert_eq!([&log, &stage.launch.socket, &stage.launch.pidfile].map(mode), [0o600; 3]);
    let mask = rustix::process::umask(rustix::fs::Mode::empty());
    rustix::process::umask(mask);
    assert_eq!(stage.shown(), format!("{:04o}\r\n", mask.bits()));

    let mut silent = Stage::sh("echo word; exit 0");
    let log = silent.launch.log.take().expect("a log");
    silent.start().await;
    crate::stage::all(&mut silent.connect().await).await;
    assert!(!log.exists());
}
