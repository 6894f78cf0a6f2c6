//! As many jobs that do nothing, through procrastinate on the same server.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::stage::{self, Stage};

/// Prints how it fared beside `rate` cycles a second.
pub(crate) async fn run(stage: &Stage, jobs: usize, window: Duration, rate: f64) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/queue/rival");
    let place = tempfile::tempdir().expect("a folder");
    let python = place.path().join("bin/python");
    let made = Command::new("python3").args(["-m", "venv"]).arg(place.path()).output();
    if !made.is_ok_and(|made| made.status.success()) {
        return println!("procrastinate: skipped: there is no python3 that makes environments");
    }
    let installed = Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(here.join("requirements.txt"))
        .output();
    if !installed.is_ok_and(|installed| installed.status.success()) {
        return println!("procrastinate: skipped: it could not be installed");
    }
    let mut admin = stage.admin().await;
    stage::run(&mut admin, "create database rival").await;
    stage::close(admin).await;
    let dsn = format!("host={} port=5432 user=postgres dbname=rival", stage.folder().display());
    let words = [dsn, jobs.to_string(), window.as_secs().to_string()];
    let said = Command::new(&python).arg(here.join("noop.py")).args(words).output();
    let said = said.expect("python");
    let text = String::from_utf8_lossy(&said.stdout);
    match text.trim().parse::<f64>() {
        Ok(jobs_a_second) => println!(
            "procrastinate, {jobs} jobs queued, 16 at once: {jobs_a_second:.1}/s; cycles beside it {:.2}",
            rate / jobs_a_second
        ),
        Err(_) => panic!("procrastinate: {}", String::from_utf8_lossy(&said.stderr)),
    }
}
