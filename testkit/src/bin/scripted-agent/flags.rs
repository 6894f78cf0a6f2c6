//! What an agent is told on its command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::fault::{Fault, Kind, Point};

/// How it behaves.
#[derive(Debug, Clone)]
pub(crate) struct Flags {
    /// What it judges.
    pub(crate) verdict: String,
    /// Whether it wants the first attempt done again.
    pub(crate) revises_first: bool,
    /// How long it waits between two steps.
    pub(crate) pace: Duration,
    /// How long it waits for work before it asks whether it should leave.
    pub(crate) wait_ms: u64,
    /// Where it fails.
    pub(crate) fault: Option<Fault>,
    /// Whether it sends each call twice.
    pub(crate) repeats: bool,
    /// Whether it tries to go on under a lease that has ended.
    pub(crate) tries_old_lease: bool,
    /// MiB that it prints for each job.
    pub(crate) noise_mib: usize,
    /// Whether a process outside of its process group stays behind.
    pub(crate) leaves_child: bool,
}

impl Flags {
    /// Reads them; ends this process where they cannot be understood, or help is asked for.
    pub(crate) fn of(line: impl IntoIterator<Item = OsString>) -> Self {
        Self::from(&command().get_matches_from(line))
    }

    /// What it judges of this attempt.
    pub(crate) fn verdict_of(&self, attempt: u64) -> &str {
        if self.revises_first && attempt <= 1 { "needs_revision" } else { &self.verdict }
    }
}

fn command() -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name);
    let switch = |name| flag(name).action(ArgAction::SetTrue);
    let point = |name| flag(name).value_name("POINT").value_parser(Point::NAMES);
    Command::new("scripted-agent")
        .about("An agent without a model: does any job of any workflow, and fails where it is told to")
        // Of a flag that stands twice the last one holds: a test adds to what a workflow says.
        .args_override_self(true)
        .arg(
            flag("verdict")
                .value_parser(["accept", "accept_with_findings", "needs_revision", "reject"])
                .default_value("accept")
                .help("What it judges, where its job is a review"),
        )
        .arg(switch("revise-first").help("Judge needs_revision at attempt 1"))
        .arg(number("pace-ms", "0").help("Wait so long between two steps"))
        .arg(number("wait-ms", "60000").help("Wait so long for work; who got none may be told to leave"))
        .arg(point("die-at").conflicts_with("hang-at").help("Kill itself there"))
        .arg(point("hang-at").help("Do nothing any more from there on"))
        .arg(
            flag("once")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Fail only where this file is not there, and make it: one process of all fails, once"),
        )
        .arg(switch("repeat").help("Send each call twice, as one request"))
        .arg(
            switch("old-lease").help("Go on under each finished lease; end with 3 where that is let through"),
        )
        .arg(number("noise", "0").value_name("MIB").help("Print so much for each job"))
        .arg(switch("leave-child").help("Leave a process of a session of its own behind"))
}

fn number(name: &'static str, default: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64)).default_value(default)
}

impl From<&ArgMatches> for Flags {
    fn from(matches: &ArgMatches) -> Self {
        let number = |name| *matches.get_one::<u64>(name).expect("it has a default");
        let point = |name| {
            let name = matches.get_one::<String>(name)?;
            Some(Point::named(name).expect("clap lets these names alone pass"))
        };
        let kind = point("die-at")
            .map(|point| (point, Kind::Die))
            .or_else(|| point("hang-at").map(|point| (point, Kind::Hang)));
        Self {
            verdict: matches.get_one::<String>("verdict").expect("it has a default").clone(),
            revises_first: matches.get_flag("revise-first"),
            pace: Duration::from_millis(number("pace-ms")),
            wait_ms: number("wait-ms"),
            fault: kind.map(|(point, kind)| Fault {
                point,
                kind,
                once: matches.get_one::<PathBuf>("once").cloned(),
            }),
            repeats: matches.get_flag("repeat"),
            tries_old_lease: matches.get_flag("old-lease"),
            noise_mib: usize::try_from(number("noise")).unwrap_or(usize::MAX),
            leaves_child: matches.get_flag("leave-child"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Flags, command};
    use crate::fault::{Kind, Point};

    fn flags(line: &[&str]) -> Flags {
        let line = ["scripted-agent"].iter().chain(line);
        Flags::from(&command().try_get_matches_from(line).expect("a line that can be understood"))
    }

    #[test]
    fn the_first_attempt_alone_is_sent_back() {
        let flags = flags(&["--revise-first", "--verdict", "accept_with_findings"]);
        assert_eq!(
            [1, 2, 3].map(|attempt| flags.verdict_of(attempt)),
            ["needs_revision", "accept_with_findings", "accept_with_findings"]
        );
    }

    #[test]
    fn it_fails_at_one_point_in_one_way() {
        let fault = flags(&["--hang-at", "after-write", "--once", "/f"]).fault.expect("a fault");
        assert_eq!((fault.point, fault.kind), (Point::AfterWrite, Kind::Hang));
        assert!(flags(&[]).fault.is_none());
        for line in [["--die-at", "after-lunch"], ["--verdict", "maybe"]] {
            assert!(command().try_get_matches_from(["scripted-agent"].iter().chain(&line)).is_err());
        }
    }
}
