//! The files of the catalogue, compiled in and read once.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::lanes::LaneSet;
use super::pack::{Pack, sections};
use super::shape::Shape;

/// The file of a name, with its ending, below `contract/catalogue/`.
macro_rules! texts {
    ($folder:literal, $end:literal: $($name:literal)*) => {
        [$(($name, include_str!(concat!("../../catalogue/", $folder, "/", $name, ".", $end)))),*]
    };
}

/// Every shape, the plainest ones first.
pub static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let data = texts!("shapes", "json": "minimal" "review" "code_change" "multi_review_synthesis" "evidence_backed"
        "multi_phase" "implementation_panel" "divergent_ideation" "falsification_gate" "cross_examination"
        "verification_gate" "conversation" "human_checkpoint" "adjudicated_constraint_extraction"
        "fog_of_war_review" "synaptic_prune" "custom");
    let tasks = texts!("shapes", "md": "minimal" "review" "code_change" "multi_review_synthesis" "evidence_backed"
        "multi_phase" "implementation_panel" "divergent_ideation" "falsification_gate" "cross_examination"
        "verification_gate" "conversation" "human_checkpoint" "adjudicated_constraint_extraction"
        "fog_of_war_review" "synaptic_prune" "custom");
    let shape = |((name, data), (_, tasks)): ((&'static str, &str), (&str, &'static str))| Shape {
        name,
        tasks: sections(tasks),
        ..read(data)
    };
    data.into_iter().zip(tasks).map(shape).collect()
});

/// Every lane set.
pub static LANE_SETS: LazyLock<Vec<LaneSet>> = LazyLock::new(|| {
    let data = texts!("lane_sets", "json": "local" "single_agent" "author_reviewer" "multi_review" "custom");
    data.into_iter().map(|(name, data)| LaneSet { name, ..read(data) }).collect()
});

/// Every role pack, the general one first.
pub static ROLE_PACKS: LazyLock<Vec<Pack>> = LazyLock::new(|| {
    let packs = texts!("roles", "md": "general" "dialogue" "ideation" "implementation_panel_roles"
        "incident_response" "release_readiness");
    packs.into_iter().map(|(name, text)| Pack::of_sections(name, text)).collect()
});

static ADVERSARY_PACKS: LazyLock<Vec<Pack>> = LazyLock::new(|| {
    let packs = texts!("adversaries", "md": "maintainer_cost" "operator_ergonomics");
    packs.into_iter().map(|(name, text)| Pack::of_points(name, text)).collect()
});

/// Every adversary pack.
pub fn adversary_packs() -> &'static [Pack] {
    &ADVERSARY_PACKS
}

/// What every agent reads first.
pub(super) const AGENT: &str = include_str!("../../catalogue/agent.md");

/// How each kind of artifact is written.
pub(super) static FORMS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| sections(include_str!("../../catalogue/forms.md")));

/// A way to look at a problem.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Frame {
    /// What it distorts.
    pub(super) axis: String,
    pub(super) structure: Structure,
    /// The shapes of problems that it is for.
    #[serde(rename = "for")]
    pub(super) serves: Vec<String>,
    pub(super) text: String,
}

/// What a frame does to a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Structure {
    /// It forbids something.
    Constraint,
    /// It turns something round.
    Transformation,
    /// It says what the problem is like.
    Analogy,
    /// It says who looks.
    Perspective,
}

/// The library of frames.
pub(super) static FRAMES: LazyLock<Vec<Frame>> =
    LazyLock::new(|| read(include_str!("../../catalogue/frames.json")));

fn read<T: DeserializeOwned>(data: &str) -> T {
    serde_json::from_str(data).unwrap_or_else(|error| panic!("a test reads the catalogue: {error}"))
}
