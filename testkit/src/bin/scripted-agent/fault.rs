//! Where an agent fails, and how.

use std::fs::OpenOptions;
use std::path::PathBuf;

use rustix::process::{Signal, getpid, kill_process};

use crate::say;

/// A moment of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    /// The packet is there, and was not accepted.
    BeforeAck,
    /// It was accepted, and nothing is written.
    AfterAck,
    /// Its files are written, and none is published.
    AfterWrite,
    /// They are published, all but the one that is handed in with a verdict.
    AfterPublish,
    /// All is done but the call that ends the job.
    BeforeComplete,
}

impl Point {
    /// Their names, in their order.
    pub(crate) const NAMES: [&'static str; 5] =
        ["before-ack", "after-ack", "after-write", "after-publish", "before-complete"];

    /// The one of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let all =
            [Self::BeforeAck, Self::AfterAck, Self::AfterWrite, Self::AfterPublish, Self::BeforeComplete];
        Self::NAMES.iter().position(|known| *known == name).map(|at| all[at])
    }
}

/// How it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is killed, without a chance to tidy up.
    Die,
    /// It lives, and does nothing.
    Hang,
}

/// What was ordered.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) point: Point,
    pub(crate) kind: Kind,
    /// Whoever can make this file fails; whoever finds it does not.
    pub(crate) once: Option<PathBuf>,
}

impl Fault {
    /// Fails, where this is the point and its turn.
    pub(crate) fn at(&self, point: Point) {
        if self.point != point || !self.has_its_turn() {
            return;
        }
        match self.kind {
            Kind::Die => {
                say(&format!("-- dies, {point:?}"));
                let _ = kill_process(getpid(), Signal::KILL);
            }
            Kind::Hang => say(&format!("-- hangs, {point:?}")),
        }
        loop {
            std::thread::park();
        }
    }

    fn has_its_turn(&self) -> bool {
        let makes = |file| OpenOptions::new().write(true).create_new(true).open(file).is_ok();
        self.once.as_ref().is_none_or(makes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Kind, Point};

    #[test]
    fn each_name_is_a_point_of_its_own() {
        let points = Point::NAMES.map(|name| Point::named(name).expect("it is listed"));
        for (at, point) in points.iter().enumerate() {
            assert!(!points[at + 1..].contains(point), "{point:?}");
        }
        assert_eq!(Point::named("later"), None);
    }

    #[test]
    fn one_of_all_has_its_turn() {
        let folder = tempfile::tempdir().expect("a folder");
        let once = Some(folder.path().join("failed"));
        let fault = Fault { point: Point::AfterAck, kind: Kind::Die, once };
        assert!(fault.has_its_turn());
        assert!(!fault.has_its_turn());
        assert!(Fault { once: None, ..fault }.has_its_turn());
    }
}
