//! The lanes of a workflow that is made: those of a lane set, with what was said of each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::node::Node;
use super::options::{Chosen, json_texts, problem, shown};
use crate::nearest::nearest;
use crate::problem::Problem;
use crate::workflow::is_id;
use crate::workflow::vocabulary::PROCESS;

/// Lanes that go together.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneSet {
    /// Its name.
    #[serde(skip_deserializing)]
    pub name: &'static str,
    /// What it is for.
    pub about: String,
    /// Its lanes by id.
    pub lanes: BTreeMap<String, SetLane>,
    /// Which lanes take what, in turn.
    pub seats: BTreeMap<String, Vec<String>>,
    /// Whether it goes without saying that one model writes and judges.
    pub accepts_same_model: bool,
}

/// A lane of a set.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetLane {
    /// What it is for.
    pub about: String,
    /// What starts its agents; process where left out.
    #[serde(default = "process")]
    pub adapter: String,
    /// Whether its command has to be given.
    #[serde(default)]
    pub needs_command: bool,
    /// The lane that does its work where it has no command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

fn process() -> String {
    PROCESS.to_owned()
}

/// The lane of whoever looks after the run: it starts nothing.
pub(super) const OPERATOR: &str = "operator";

/// What agents of a lane can do, as far as the shapes want it.
const CAPABILITIES: [&str; 4] = ["write", "review", "synthesis", "interrogate"];

/// The lanes that a workflow has.
pub(super) struct Lanes {
    /// Id and fields.
    list: Vec<(String, Vec<(String, Value)>)>,
    /// Of each lane that is not there the one that does its work.
    instead: BTreeMap<String, String>,
    seats: BTreeMap<String, Vec<String>>,
    lane_of: Vec<(String, String)>,
}

impl Lanes {
    /// Of a lane set, with what was said of each; what is wrong with that goes to the problems.
    pub(super) fn of(set: &LaneSet, chosen: &Chosen, brief: &str, problems: &mut Vec<Problem>) -> Self {
        let mut said: Vec<(&str, Vec<(String, Value)>)> = Vec::new();
        for (id, field, text) in &chosen.lanes {
            let pointer = format!("--option lanes.{id}.{field}");
            if !is_id(id) || id == OPERATOR {
                problems.push(problem(
                    &pointer,
                    format!("names the lane {}", shown(id)),
                    "give the lane another id",
                ));
                continue;
            }
            if !set.lanes.is_empty() && !set.lanes.contains_key(id) {
                let known: Vec<&str> = set.lanes.keys().map(String::as_str).collect();
                let meant = nearest(id, known.iter().copied()).map(|meant| format!("did you mean {meant}? "));
                let hint = format!(
                    "{}the lanes of {} are {}; of custom any",
                    meant.unwrap_or_default(),
                    set.name,
                    known.join(", ")
                );
                problems.push(problem(&pointer, format!("names a lane that {} has not", set.name), hint));
                continue;
            }
            let Some(value) = field_value(field, text, brief, &pointer, problems) else { continue };
            match said.iter_mut().find(|(known, _)| known == id) {
                Some((_, fields)) => fields.push((field.clone(), value)),
                None => said.push((id, vec![(field.clone(), value)])),
            }
        }
        let mut lanes = Self {
            list: Vec::new(),
            instead: BTreeMap::new(),
            seats: set.seats.clone(),
            lane_of: Vec::new(),
        };
        for (id, lane) in &set.lanes {
            let fields = said.iter().find(|(known, _)| known == id).map(|(_, fields)| fields.clone());
            let fields = fields.unwrap_or_default();
            let has_command = fields.iter().any(|(field, _)| field == "command");
            if let Some(instead) = lane.instead.as_ref().filter(|_| !has_command) {
                lanes.instead.insert(id.clone(), instead.clone());
                if let Some((field, _)) = fields.first() {
                    let pointer = format!("--option lanes.{id}.{field}");
                    let hint = format!("give lanes.{id}.command, too");
                    problems.push(problem(&pointer, "is said of a lane without a command", hint));
                }
            } else {
                if lane.needs_command && !has_command {
                    let hint = format!(
                        "give the program that is its agent (lanes.{id}.command=claude), or a JSON list of words"
                    );
                    problems.push(problem(&format!("--option lanes.{id}.command"), "is missing", hint));
                }
                let adapter = ("adapter".to_owned(), json!(lane.adapter));
                lanes.list.push((id.clone(), [vec![adapter], fields].concat()));
            }
        }
        if set.lanes.is_empty() {
            for (id, fields) in said {
                let is_manual = fields.iter().any(|(field, value)| field == "adapter" && value == "manual");
                if !is_manual && !fields.iter().any(|(field, _)| field == "command") {
                    let pointer = format!("--option lanes.{id}.command");
                    problems.push(problem(&pointer, "is missing", "give it, or the adapter manual"));
                }
                lanes
                    .list
                    .push((id.to_owned(), [vec![("adapter".to_owned(), json!(PROCESS))], fields].concat()));
            }
            if lanes.list.is_empty() && !problems.iter().any(|known| known.pointer.contains(" lanes.")) {
                let hint = "name one: --option lanes.agent.command=claude";
                problems.push(problem("--lane-set custom", "has no lanes of its own", hint));
            }
        }
        for (what, lane) in &chosen.lane_of {
            if lanes.list.iter().any(|(id, _)| id == lane) || lanes.instead.contains_key(lane) {
                lanes.lane_of.push((what.clone(), lane.clone()));
            } else {
                let ids: Vec<&str> = lanes.list.iter().map(|(id, _)| id.as_str()).collect();
                let said = format!("is {}, which is no lane", shown(lane));
                let hint = format!("one of {}", ids.join(", "));
                problems.push(problem(&format!("--option lane_of.{what}"), said, hint));
            }
        }
        lanes
    }

    /// The lane of the `n`th job of a key, from 0; what was said of the job counts first, then of its key, its seat.
    pub(super) fn of_job(&self, id: &str, key: &str, seat: &str, n: usize) -> String {
        let said =
            [id, key, seat].into_iter().find_map(|what| self.lane_of.iter().find(|(known, _)| known == what));
        let mut lane = match (said, self.seats.get(seat)) {
            (Some((_, lane)), _) => lane.clone(),
            (None, Some(ring)) if !ring.is_empty() => ring[n % ring.len()].clone(),
            _ if seat == "any" && !self.list.is_empty() => {
                let ring = self.ring();
                ring[n % ring.len()].to_owned()
            }
            _ => self.list.first().map(|(id, _)| id.clone()).unwrap_or_default(),
        };
        while let Some(instead) = self.instead.get(&lane) {
            lane.clone_from(instead);
        }
        lane
    }

    /// The lanes that may do anything: all but those that judge alone, where there are others.
    fn ring(&self) -> Vec<&str> {
        let judges = self.seats.get("judge").map_or(&[][..], Vec::as_slice);
        let ids = self.list.iter().map(|(id, _)| id.as_str());
        let others: Vec<&str> = ids.clone().filter(|id| !judges.iter().any(|judge| judge == id)).collect();
        if others.is_empty() { ids.collect() } else { others }
    }

    /// What was given to lanes and is neither a seat nor a job.
    pub(super) fn strays(&self, is_known: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
        let strays = self.lane_of.iter().map(|(what, _)| what.as_str());
        strays.filter(move |what| *what != "any" && !self.seats.contains_key(*what) && !is_known(what))
    }

    /// As they stand in the file; `writers` are those that change code, `shares` says why they may in the
    /// checkout.
    pub(super) fn node(&self, writers: &[&str], shares: Option<&str>) -> Node {
        let lane = |(id, fields): &(String, Vec<(String, Value)>)| {
            let mut node = Node::Object(Vec::new());
            for (field, value) in
                fields.iter().filter(|(field, _)| matches!(field.as_str(), "adapter" | "command"))
            {
                node.set(field, value.clone().into());
            }
            node.set("capabilities", json!(CAPABILITIES).into());
            if fields.iter().any(|(field, _)| field == "command") {
                node.set("adapter_capabilities", json!({"agent_loop": true}).into());
                node.set("supervision", json!({"transport": "pty_helper"}).into());
            }
            if writers.contains(&id.as_str()) {
                match shares {
                    Some(why) => {
                        node.set("allow_shared_checkout_repo_write", true.into());
                        node.set("shared_checkout_repo_write_rationale", why.into());
                    }
                    None => node.set("worktree_isolation", "per_job".into()),
                }
            }
            for (field, value) in fields {
                node.set(field, value.clone().into());
            }
            (id.clone(), node)
        };
        let desk = (OPERATOR.to_owned(), Node::from(json!({"adapter": "manual", "model": "a person"})));
        Node::Object(self.list.iter().map(lane).chain([desk]).collect())
    }
}

/// How the words of a command are written.
const WORDS: &str = "a JSON list of its words: [\"claude\", \"{brief}\"]";

/// A field's value: JSON, else the text itself. A command that is one word is an agent that takes its first prompt
/// as an argument.
fn field_value(
    field: &str,
    text: &str,
    brief: &str,
    pointer: &str,
    problems: &mut Vec<Problem>,
) -> Option<Value> {
    if field == "command"
        && let Some(words) = json_texts(text)
    {
        return match words {
            Ok(words) => Some(words.into_iter().map(|word| word.replace("{brief}", brief)).collect()),
            Err(said) => {
                problems.push(problem(pointer, said, format!("write one program, or {WORDS}")));
                None
            }
        };
    }
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    match (field, value) {
        ("command", Value::String(program)) => {
            if program.is_empty() || program.contains(char::is_whitespace) {
                let said = format!("is {}", shown(&program));
                problems.push(problem(pointer, said, format!("write one program, or {WORDS}")));
                return None;
            }
            Some(json!([program, brief]))
        }
        (_, value) => Some(value),
    }
}
