//! Whatever happens to the test process, the server ends and its folder goes.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use striatum_testkit::server;

/// How long a server may take to end: longer than anything here needs.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_server_ends_with_the_value() {
    let server = server(&[]).expect("a server");
    let folder = server.socket().to_owned();
    assert!(folder.join(".s.PGSQL.5432").exists());
    drop(server);
    assert_gone(&folder);
}

#[test]
fn a_server_ends_with_a_killed_process() {
    assert_gone(&killed(&[]));
}

#[test]
fn a_server_that_was_killed_and_started_again_ends_with_a_killed_process() {
    assert_gone(&killed(&["kill", "start", "kill", "start"]));
}

#[test]
fn a_server_that_does_not_run_is_taken_away_with_a_killed_process() {
    assert_gone(&killed(&["kill"]));
}

/// Lets a process hold a server, kills it, and answers where the server was when its keeper has ended as well.
fn killed(orders: &[&str]) -> PathBuf {
    let mut process = Command::new(env!("CARGO_BIN_EXE_hold"))
        .args(orders)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process");
    let mut folder = String::new();
    BufReader::new(process.stdout.take().expect("piped")).read_line(&mut folder).expect("a line");
    let folder = PathBuf::from(folder.trim());
    assert!(folder.join("..").exists() && folder.is_absolute(), "{}", said(process));
    process.kill().expect("a kill");
    said(process);
    folder
}

/// What the process and its keeper wrote until both had ended: the keeper has the same standard error.
fn said(mut process: Child) -> String {
    let mut errors = process.stderr.take().expect("piped");
    drop(process.stdin.take());
    let (tell, hear) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).expect("text");
        tell.send(text)
    });
    let text = hear.recv_timeout(PATIENCE).expect("the keeper ends");
    process.wait().expect("a status");
    text
}

/// Nothing is left of the server whose socket was in this folder.
fn assert_gone(socket: &Path) {
    let is_made_for_it = |folder: &&Path| folder.to_string_lossy().contains("/striatum-test.");
    let folder = socket.ancestors().filter(is_made_for_it).last().expect("a folder made for it");
    assert!(!folder.exists(), "{} is still there", folder.display());
    assert_eq!(containers(folder), "", "containers of {}", folder.display());
    let processes = fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
    let left: Vec<PathBuf> = processes
        .filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder)))
        .map(|process| process.path())
        .collect();
    assert_eq!(left, Vec::<PathBuf>::new(), "processes of {}", folder.display());
}

/// Where servers come from containers: the ids of those that are named as the folder.
fn containers(folder: &Path) -> String {
    if !std::env::var("STRIATUM_TEST_PROVIDER").is_ok_and(|provider| provider == "container") {
        return String::new();
    }
    let name = format!("name={}", folder.file_name().expect("a name").display());
    let answer = Command::new("docker").args(["ps", "-aq", "--filter", &name]).output().expect("an engine");
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8(answer.stdout).expect("ids")
}
