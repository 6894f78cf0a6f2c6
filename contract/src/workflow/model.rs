//! A workflow as programs read it. Made of any JSON: what is missing or of another type is absent here, and said
//! elsewhere. Whoever checks, draws or makes workflows goes by these types.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::vocabulary::{DEFAULT_JOB_TYPE, NEUTRAL, PROCESS, REVIEW, V1_1, VERDICT_TYPES, model_family};
use crate::problem::step;

/// A whole workflow.
#[derive(Debug)]
pub struct Workflow<'v> {
    /// As it stands there.
    pub root: &'v Value,
    /// In the order of their ids.
    pub lanes: Vec<Lane<'v>>,
    /// The ids of the roles.
    pub roles: Vec<&'v str>,
    /// In the order of the file.
    pub jobs: Vec<Job<'v>>,
    /// In the order of the file.
    pub edges: Vec<Way<'v>>,
    /// In the order of the file.
    pub cycles: Vec<Way<'v>>,
    /// In the order of the file, which is that of the phases.
    pub phases: Vec<Phase<'v>>,
    places: HashMap<&'v str, usize>,
    phase_places: HashMap<&'v str, usize>,
}

/// A lane.
#[derive(Debug)]
pub struct Lane<'v> {
    /// Its id.
    pub id: &'v str,
    /// As it stands there.
    pub raw: &'v Value,
}

/// A job.
#[derive(Debug)]
pub struct Job<'v> {
    /// Its place in the file's list.
    pub at: usize,
    /// Its id; none where it has none.
    pub id: Option<&'v str>,
    /// Its type.
    pub kind: &'v str,
    /// As it stands there.
    pub raw: &'v Value,
}

/// An edge or a cycle.
#[derive(Debug)]
pub struct Way<'v> {
    /// Its place in the file's list.
    pub at: usize,
    /// The place of the job where it begins; none where there is no such job.
    pub from: Option<usize>,
    /// The place of the job to which it leads.
    pub to: Option<usize>,
    /// As it stands there.
    pub raw: &'v Value,
}

/// A phase.
#[derive(Debug)]
pub struct Phase<'v> {
    /// Its place in the file's list.
    pub at: usize,
    /// Its id.
    pub id: &'v str,
    /// As it stands there.
    pub raw: &'v Value,
}

/// A document that agents are pointed to.
#[derive(Debug)]
pub struct Document<'v> {
    /// Where the file names it.
    pub pointer: String,
    /// Where it stands, as seen from the file's folder.
    pub path: &'v str,
    /// Whether a run needs it.
    pub is_required: bool,
    /// Whether it may be a folder of documents.
    pub may_be_folder: bool,
}

impl<'v> Workflow<'v> {
    /// Of a file's JSON.
    pub fn of(root: &'v Value) -> Self {
        let jobs: Vec<Job<'v>> = listed(root, "jobs").map(|(at, raw)| Job::of(at, raw)).collect();
        let mut places = HashMap::new();
        for (place, job) in jobs.iter().enumerate() {
            if let Some(id) = job.id {
                places.entry(id).or_insert(place);
            }
        }
        let ways = |key: &str| {
            let end = |raw, key| text(raw, key).and_then(|id| places.get(id).copied());
            let way = |(at, raw)| Way { at, from: end(raw, "from"), to: end(raw, "to"), raw };
            listed(root, key).map(way).collect()
        };
        let phases: Vec<Phase<'v>> = listed(root, "phases")
            .filter_map(|(at, raw)| Some(Phase { at, id: text(raw, "id")?, raw }))
            .collect();
        let mut phase_places = HashMap::new();
        for (place, phase) in phases.iter().enumerate() {
            phase_places.entry(phase.id).or_insert(place);
        }
        Self {
            lanes: members(root, "lanes").map(|(id, raw)| Lane { id, raw }).collect(),
            roles: members(root, "roles").map(|(id, _)| id).collect(),
            edges: ways("edges"),
            cycles: ways("cycles"),
            phases,
            phase_places,
            jobs,
            places,
            root,
        }
    }

    /// The place of the job of an id.
    pub fn job(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// The lane of an id.
    pub fn lane(&self, id: &str) -> Option<&Lane<'v>> {
        self.lanes.binary_search_by_key(&id, |lane| lane.id).ok().map(|at| &self.lanes[at])
    }

    /// The lane of a job; none where any may take it.
    pub fn lane_of(&self, job: &Job<'v>) -> Option<&Lane<'v>> {
        self.lane(job.text("lane_id")?)
    }

    /// A job that may write to the repository from a lane.
    pub fn writer(&self, lane: &Lane<'v>) -> Option<&Job<'v>> {
        self.jobs.iter().filter(|job| job.is_repo_write()).find(|job| job.may_be_of(lane))
    }

    /// Whether any job may run in a lane.
    pub fn may_run_in(&self, lane: &Lane<'v>) -> bool {
        self.jobs.iter().any(|job| job.may_be_of(lane))
    }

    /// The groups of jobs that may run at the same time, in the order of their first jobs, each with their places.
    pub fn groups(&self) -> Vec<(&'v str, Vec<usize>)> {
        let mut groups: Vec<(&'v str, Vec<usize>)> = Vec::new();
        let mut known: HashMap<&'v str, usize> = HashMap::new();
        for (place, job) in self.jobs.iter().enumerate() {
            let Some(group) = job.text("parallel_group") else { continue };
            let at = *known.entry(group).or_insert(groups.len());
            if at == groups.len() {
                groups.push((group, Vec::new()));
            }
            groups[at].1.push(place);
        }
        groups
    }

    /// The documents that agents are pointed to.
    pub fn documents(&self) -> impl Iterator<Item = Document<'v>> {
        let docs = self.root.get("context_docs").and_then(Value::as_array).into_iter().flatten().enumerate();
        let docs = docs.filter_map(|(at, doc)| {
            let (path, below) = match doc.as_str() {
                Some(path) => (path, ""),
                None => (text(doc, "path")?, "/path"),
            };
            let is_required = doc.get("required") != Some(&Value::Bool(false));
            let pointer = format!("/context_docs/{at}{below}");
            Some(Document { pointer, path, is_required, may_be_folder: true })
        });
        let roles = members(self.root, "roles").filter_map(|(id, role)| {
            let mut pointer = "/roles".to_owned();
            [id, "definition_path"].iter().for_each(|key| step(&mut pointer, key));
            let path = text(role, "definition_path")?;
            Some(Document { pointer, path, is_required: true, may_be_folder: false })
        });
        let prompts = self.jobs.iter().filter_map(|job| {
            let path = text(&job.raw["task_prompt"], "path")?;
            let pointer = job.pointer("task_prompt/path");
            Some(Document { pointer, path, is_required: true, may_be_folder: false })
        });
        let all: Vec<Document<'v>> = docs.chain(roles).chain(prompts).collect();
        all.into_iter()
    }

    /// Whether it is of the version with phases.
    pub fn is_phased(&self) -> bool {
        text(self.root, "schema_version") == Some(V1_1)
    }

    /// The place of a phase in their order.
    pub fn phase(&self, id: &str) -> Option<usize> {
        self.phase_places.get(id).copied()
    }

    /// The place of a job's phase.
    pub fn phase_of(&self, job: &Job<'v>) -> Option<usize> {
        self.phase(job.text("phase_id")?)
    }
}

impl<'v> Lane<'v> {
    /// Where it stands, or something in it.
    pub fn pointer(&self, below: &[&str]) -> String {
        let mut pointer = "/lanes".to_owned();
        [self.id].iter().chain(below).for_each(|key| step(&mut pointer, key));
        pointer
    }

    /// A text of it.
    pub fn text(&self, key: &str) -> Option<&'v str> {
        text(self.raw, key)
    }

    /// Whether something of it is true.
    pub fn is(&self, key: &str) -> bool {
        self.raw.get(key) == Some(&Value::Bool(true))
    }

    /// The folders in which its programs are looked for first.
    pub fn path_prefix(&self) -> Vec<&'v str> {
        texts(self.raw.get("path_prefix"))
    }

    /// The words of its command.
    pub fn command(&self) -> Vec<&'v str> {
        texts(self.raw.get("command"))
    }

    /// The program that it starts, without its folder.
    pub fn program(&self) -> &'v str {
        let first = self.command().first().copied().unwrap_or_default();
        first.rsplit('/').next().unwrap_or(first)
    }

    /// The word of its command that lets claude end after one answer.
    pub fn claude_print(&self) -> Option<usize> {
        let is_print = |word: &str| matches!(word, "-p" | "--print");
        (self.program() == "claude").then(|| self.command().into_iter().position(is_print))?
    }

    /// Whether striatum starts its agents.
    pub fn is_process(&self) -> bool {
        self.text("adapter") == Some(PROCESS)
    }

    /// Whether its program fetches work until none is left.
    pub fn has_agent_loop(&self) -> bool {
        self.is("agent_loop") || self.raw["adapter_capabilities"]["agent_loop"] == true
    }

    /// Whether its agents are meant to be kept in a terminal.
    pub fn is_supervised(&self) -> bool {
        self.has_agent_loop()
            || self.raw.get("supervision").is_some_and(|supervision| supervision["compatible"] != false)
    }

    /// Whether each job that writes has a worktree of its own.
    pub fn is_isolated(&self) -> bool {
        self.text("worktree_isolation") == Some("per_job")
    }

    /// Whether it may write to the repository's own checkout, and says why.
    pub fn may_share(&self) -> bool {
        self.is("allow_shared_checkout_repo_write")
            && self.text("shared_checkout_repo_write_rationale").is_some_and(|why| !why.trim().is_empty())
    }

    /// The family of its model: of the model, of its name, of the model that its command names, of its program.
    pub fn family(&self) -> Option<&'static str> {
        let command = self.command();
        let named = command.iter().position(|word| matches!(*word, "--model" | "-m"));
        let named = named.and_then(|at| command.get(at + 1)).copied();
        [self.text("model"), self.text("display_model"), named, Some(self.program())]
            .into_iter()
            .flatten()
            .find_map(model_family)
    }
}

impl Lane<'_> {
    /// Whether its model is of the family of another lane's, as far as both say.
    pub fn shares_model(&self, other: &Lane<'_>) -> bool {
        let same = |one: Option<&str>, other: Option<&str>| one.is_some() && one == other;
        self.id == other.id
            || match (self.family(), other.family()) {
                (Some(one), Some(other)) => one == other,
                _ => same(self.text("model"), other.text("model")),
            }
    }

    /// How people are told of its model.
    pub fn model_name(&self) -> &str {
        self.family().or(self.text("model")).unwrap_or(self.id)
    }
}

impl<'v> Job<'v> {
    fn of(at: usize, raw: &'v Value) -> Self {
        Self { at, id: text(raw, "id"), kind: text(raw, "type").unwrap_or(DEFAULT_JOB_TYPE), raw }
    }

    /// Whether a lane may take it.
    pub fn may_be_of(&self, lane: &Lane<'_>) -> bool {
        self.text("lane_id").is_none_or(|id| id == lane.id)
    }

    /// Where something of it stands; with an empty text, where it does.
    pub fn pointer(&self, below: &str) -> String {
        match below {
            "" => format!("/jobs/{}", self.at),
            below => format!("/jobs/{}/{below}", self.at),
        }
    }

    /// How people are told of it.
    pub fn name(&self) -> &'v str {
        self.id.unwrap_or("a job without an id")
    }

    /// A text of it.
    pub fn text(&self, key: &str) -> Option<&'v str> {
        text(self.raw, key)
    }

    /// Whether something of it is true.
    pub fn is(&self, key: &str) -> bool {
        self.raw.get(key) == Some(&Value::Bool(true))
    }

    /// Entries of one of its lists, each with its place.
    pub fn list(&self, key: &str) -> impl Iterator<Item = (usize, &'v Value)> + use<'v> {
        self.raw.get(key).and_then(Value::as_array).into_iter().flatten().enumerate()
    }

    /// Whether it ends by a verdict.
    pub fn is_verdict(&self) -> bool {
        VERDICT_TYPES.contains(&self.kind)
    }

    /// Whether it is a review.
    pub fn is_review(&self) -> bool {
        self.kind == REVIEW
    }

    /// Whether it changes the repository.
    pub fn is_repo_write(&self) -> bool {
        self.raw["write_scope"]["repo_write"] == true
    }

    /// Paths of its write scope, each with its place: `allowed_paths` or `forbidden_paths`.
    pub fn scope(&self, key: &str) -> impl Iterator<Item = (usize, &'v str)> + use<'v> {
        let list = self.raw["write_scope"].get(key).and_then(Value::as_array);
        let text = |(at, path): (usize, &'v Value)| Some((at, path.as_str()?));
        list.into_iter().flatten().enumerate().filter_map(text)
    }

    /// The posture in which it judges.
    pub fn posture(&self) -> &'v str {
        self.text("review_posture").unwrap_or(NEUTRAL)
    }
}

impl Phase<'_> {
    /// Where something of it stands.
    pub fn pointer(&self, below: &str) -> String {
        match below {
            "" => format!("/phases/{}", self.at),
            below => format!("/phases/{}/{below}", self.at),
        }
    }
}

/// A text member.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// The texts of a list.
pub(super) fn texts(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The objects of a list, each with its place.
pub(super) fn listed<'v>(root: &'v Value, key: &str) -> impl Iterator<Item = (usize, &'v Value)> + use<'v> {
    let list = root.get(key).and_then(Value::as_array).into_iter().flatten().enumerate();
    list.filter(|(_, value)| value.is_object())
}

/// The members of an object that are objects.
pub(super) fn members<'v>(
    root: &'v Value,
    key: &str,
) -> impl Iterator<Item = (&'v str, &'v Value)> + use<'v> {
    let object: Option<&Map<String, Value>> = root.get(key).and_then(Value::as_object);
    let members = object.into_iter().flatten().map(|(key, value)| (key.as_str(), value));
    members.filter(|(_, value)| value.is_object())
}
