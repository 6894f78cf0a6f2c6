//! Tests of the catalogue.

mod data;
mod requests;
mod shapes;

use super::{Generated, Request, generate};
use crate::problem::Problem;
use crate::workflow::Entry;

/// The topics, phases and plans that shapes cannot be made without.
const NEEDED: &[(&str, &str, &str)] = &[
    ("multi_phase", "phases", "discover,build,ship"),
    ("falsification_gate", "topic", "The cache can go"),
    ("cross_examination", "topic", "The cache"),
    ("adjudicated_constraint_extraction", "topic", "The cache"),
    ("fog_of_war_review", "topic", "docs/cache.md"),
    ("synaptic_prune", "topic", "The cache"),
    ("conversation", "topic", "The cache"),
    ("custom", "plan", PLAN),
];

const PLAN: &str = r#"{
  "schema_version": "striatum.workflow_plan.v1",
  "jobs": [
    {"key": "part", "id": "part-{n}", "each": "3", "type": "draft", "role": "author", "title": "Part {n} of {count}",
     "objective": "Write part {n}", "group": "parts", "leaves": [{"name": "part", "kind": "handoff"}]},
    {"key": "check", "id": "check-{n}", "each": "3", "type": "review", "role": "own", "seat": "reviewer",
     "title": "Check {n}",
     "objective": "Check part {n}", "after": ["part"], "task": "Check it.",
     "leaves": [{"name": "finding", "kind": "finding"}]},
    {"key": "whole", "type": "synthesis", "role": "editor", "seat": "editor", "title": "Whole",
     "objective": "Put it together",
     "after": ["check"], "leaves": [{"name": "synthesis", "kind": "synthesis"}]}
  ],
  "cycles": [{"from": "check", "to": "part"}]
}"#;

/// What a lane set cannot be without.
fn of_lanes(set: &str) -> Vec<(String, String)> {
    let commands: &[(&str, &str)] = match set {
        "single_agent" => &[("agent", "claude")],
        "author_reviewer" => &[("author", "claude"), ("reviewer", "codex"), ("judge", "agy")],
        "multi_review" => &[
            ("author", "claude"),
            ("reviewer-a", "codex"),
            ("reviewer-b", "agy"),
            ("reviewer-c", "grok"),
            ("judge", "qwen"),
        ],
        "custom" => &[("one", "claude"), ("two", "codex")],
        _ => &[],
    };
    commands.iter().map(|(lane, program)| (format!("lanes.{lane}.command"), (*program).to_owned())).collect()
}

/// A request that can be met.
fn request(shape: &str, set: &str, more: &[(&str, &str)]) -> Request {
    let needed = NEEDED.iter().filter(|(of, ..)| *of == shape).map(|(_, key, value)| (*key, *value));
    let own = needed.chain(more.iter().copied()).map(|(key, value)| (key.to_owned(), value.to_owned()));
    Request {
        shape: shape.to_owned(),
        lane_set: set.to_owned(),
        options: of_lanes(set).into_iter().chain(own).collect(),
        // Two lanes cannot hold three sides apart.
        accepts_same_model: matches!(set, "custom"),
        ..Request::default()
    }
}

/// In a repository in which nothing is there.
fn made(request: &Request) -> Result<Generated, Vec<Problem>> {
    generate(request, &|_| Entry::Missing)
}

/// What is wrong with a request, as `<place> <what>`.
fn refused(request: &Request) -> Vec<String> {
    let problems = made(request).err().unwrap_or_default();
    problems.iter().map(|problem| format!("{} {}", problem.pointer, problem.problem)).collect()
}
