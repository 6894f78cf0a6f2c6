//! A shape: the graph of a workflow with what may be chosen in it. A plan of somebody's own has the same parts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::options::Spec;

/// How far a shape is to be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// A test runs it to its end with agents.
    Supported,
    /// No test does.
    Experimental,
}

impl Tier {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Experimental => "experimental",
        }
    }
}

/// A shape.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Its name.
    #[serde(skip)]
    pub name: &'static str,
    /// What it is, in a line.
    pub title: String,
    /// What it does, and when to take it.
    pub about: String,
    /// How far it is to be relied on.
    pub tier: Tier,
    /// Whether its workflows have phases.
    #[serde(default)]
    pub phased: bool,
    /// The codes that the checker says of it, beside those that follow from its tier and from where it writes.
    #[serde(default)]
    pub declares: Vec<String>,
    /// Role packs that its roles come from, before the general one.
    #[serde(default)]
    pub role_packs: Vec<String>,
    /// What may be chosen.
    #[serde(default)]
    pub options: BTreeMap<String, Spec>,
    #[serde(default)]
    pub(super) phases: Vec<Phase>,
    pub(super) jobs: Vec<Job>,
    #[serde(default)]
    pub(super) cycles: Vec<Cycle>,
    /// What to do in each of its jobs, by the key.
    #[serde(skip)]
    pub(super) tasks: Vec<(&'static str, &'static str)>,
}

impl Shape {
    /// Whether a job of it changes code.
    pub fn writes_code(&self) -> bool {
        self.jobs.iter().any(|job| job.writes_code)
    }

    /// Its jobs in a line: what comes after what, by their keys.
    pub fn outline(&self) -> String {
        let mut text = String::new();
        for (at, job) in self.jobs.iter().enumerate() {
            let beside = at > 0 && self.jobs[at - 1].after == job.after;
            let mark = match (at, beside) {
                (0, _) => "",
                (_, true) => " + ",
                (_, false) => " -> ",
            };
            text.push_str(&format!("{mark}{}{}", job.key, if job.each.is_some() { " (each)" } else { "" }));
        }
        text
    }
}

/// A phase, or as many as its list has entries.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phase {
    pub(super) id: String,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) each: Option<String>,
    /// The key of the job that closes it.
    pub(super) closed_by: String,
    #[serde(default)]
    pub(super) gate: Option<Gate>,
}

/// What waits for a verdict.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gate {
    /// Job types.
    pub(super) withhold: Vec<String>,
    /// The key of the job whose verdict it is.
    pub(super) until: String,
}

/// A job, or as many as its list has entries.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    /// How other parts of the shape name it.
    pub(super) key: String,
    /// Its id; the key with dashes where left out.
    #[serde(default)]
    pub(super) id: Option<String>,
    /// The list of which each entry makes one.
    #[serde(default)]
    pub(super) each: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) role: String,
    /// The option that names a role pack to take the role from, in turn.
    #[serde(default)]
    pub(super) roles: Option<String>,
    /// Whose work it is: author, editor, reviewer, judge, or any.
    #[serde(default)]
    pub(super) seat: Option<String>,
    /// The same, in turn.
    #[serde(default)]
    pub(super) seats: Vec<String>,
    pub(super) title: String,
    pub(super) objective: String,
    /// What to do, where no section of the shape says it.
    #[serde(default)]
    pub(super) task: Option<String>,
    /// The keys before it: `key` is the one of the same entry, or all; `key<` that of the entry before; `key*` all.
    #[serde(default)]
    pub(super) after: Vec<String>,
    /// The keys whose sessions it may ask.
    #[serde(default)]
    pub(super) asks: Vec<String>,
    #[serde(default)]
    pub(super) interrogable: bool,
    #[serde(default)]
    pub(super) fresh: bool,
    #[serde(default)]
    pub(super) writes_code: bool,
    /// The parallel group.
    #[serde(default)]
    pub(super) group: Option<String>,
    #[serde(default)]
    pub(super) posture: Option<String>,
    /// The option that lists postures to take, in turn.
    #[serde(default)]
    pub(super) postures: Option<String>,
    /// The option that names adversary packs whose postures come after these.
    #[serde(default)]
    pub(super) more_postures: Option<String>,
    /// What a reviewer may look at.
    #[serde(default)]
    pub(super) access: Option<String>,
    #[serde(default)]
    pub(super) phase: Option<String>,
    #[serde(default)]
    pub(super) leaves: Vec<Leaf>,
}

/// An artifact, or as many as its list has entries.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Leaf {
    /// The name of its file, without the ending.
    pub(super) name: String,
    pub(super) kind: String,
    #[serde(default)]
    pub(super) each: Option<String>,
}

/// A way back.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cycle {
    pub(super) from: String,
    pub(super) to: String,
}
