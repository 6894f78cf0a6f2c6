//! From a request to files that a run can be made of; nothing is written here.

use serde_json::Value;

use super::data::ROLE_PACKS;
use super::expand::expand;
use super::lanes::Lanes;
use super::options::{Chosen, problem, shown};
use super::plan::Plan;
use super::prompts;
use super::shape::Shape;
use super::write::Written;
use super::{LANE_SETS, SHAPES, lane_set, shape};
use crate::nearest::nearest;
use crate::problem::Problem;
use crate::workflow::{Around, Entry, Read, Tree, is_id, read};

/// What somebody asks for.
#[derive(Debug, Default)]
pub struct Request {
    /// The name of a shape.
    pub shape: String,
    /// The name of a lane set.
    pub lane_set: String,
    /// The workflow's id; made of the shape where left out.
    pub workflow_id: Option<String>,
    /// The folder of the workflow file, from the top of the repository.
    pub scaffold_root: Option<String>,
    /// The folder of the artifacts, likewise.
    pub artifact_root: Option<String>,
    /// Options, each as it was typed.
    pub options: Vec<(String, String)>,
    /// Whether a model may judge what a model of the same family wrote.
    pub accepts_same_model: bool,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// From the top of the repository.
    pub path: String,
    /// All that stands in it.
    pub text: String,
}

/// What was made of a request.
#[derive(Debug)]
pub struct Generated {
    /// The shape.
    pub shape: &'static Shape,
    /// The path of the workflow file.
    pub path: String,
    /// Its id.
    pub workflow_id: String,
    /// The workflow file, then what it points to.
    pub files: Vec<File>,
    /// What the checker says of it.
    pub read: Read,
    /// The codes of what the checker says that were to be expected.
    pub declares: Vec<String>,
}

/// Makes a workflow; `look` answers what stands at a path of the repository.
///
/// # Errors
/// All that is wrong with the request.
pub fn generate(request: &Request, look: &dyn Fn(&str) -> Entry) -> Result<Generated, Vec<Problem>> {
    let mut problems = Vec::new();
    let known = shape(&request.shape);
    if known.is_none() {
        problems.push(unknown("--shape", &request.shape, SHAPES.iter().map(|shape| shape.name)));
    }
    let set = lane_set(&request.lane_set);
    if set.is_none() {
        problems.push(unknown("--lane-set", &request.lane_set, LANE_SETS.iter().map(|set| set.name)));
    }
    let workflow_id = request.workflow_id.clone();
    let workflow_id = workflow_id.unwrap_or_else(|| format!("{}-starter", request.shape.replace('_', "-")));
    if !is_id(&workflow_id) {
        let hint = "1 to 128 of A-Z a-z 0-9 . _ : -, the first a letter or a digit";
        problems.push(problem("--workflow-id", format!("is {}", shown(&workflow_id)), hint));
    }
    let root = |flag: &str, given: &Option<String>, usual: &str, problems: &mut Vec<Problem>| {
        let root = given.clone().unwrap_or_else(|| format!("{usual}/{}", workflow_id.replace(':', "-")));
        let plain = root.trim_end_matches('/').to_owned();
        if !is_below(&plain) {
            let hint = "a folder below the top of the repository, without . or .., not in .git or .striatum";
            problems.push(problem(flag, format!("is {}", shown(&root)), hint));
        }
        plain
    };
    let scaffold_root = root("--scaffold-root", &request.scaffold_root, "workflows", &mut problems);
    let artifact_root = root("--artifact-root", &request.artifact_root, "docs", &mut problems);
    let (Some(known), Some(set)) = (known, set) else { return Err(problems) };

    let mut chosen = Chosen::of(known, &request.options, &mut problems);
    let mut own = None;
    if let Some(plan) = chosen.get("plan").cloned().and_then(|plan| Plan::of(&plan, &mut problems)) {
        chosen.lane_of.extend(plan.bindings());
        own = Some(plan.into_shape(known));
    }
    let shape = own.as_ref().unwrap_or(known);
    // Without its options a shape has not all of its jobs.
    let is_whole = problems.is_empty();
    let lanes = Lanes::of(set, &chosen, &prompts::first_prompt(&scaffold_root), &mut problems);
    let roles = |pack: &str| {
        let pack = ROLE_PACKS.iter().find(|known| known.name == pack);
        pack.into_iter().flat_map(|pack| &pack.members).map(|(id, _)| *id).collect()
    };
    let mut of_shape = Vec::new();
    let expanded = expand(shape, &chosen, roles, &mut of_shape);
    if is_whole {
        let is_job = |what: &str| expanded.jobs.iter().any(|job| job.id == what || job.of.key == what);
        of_shape.extend(lanes.strays(is_job).map(|what| {
            let hint = "name a seat (author, editor, reviewer, judge, any), or a job";
            problem(&format!("--option lane_of.{what}"), "names neither a seat nor a job", hint)
        }));
        problems.append(&mut of_shape);
    }
    if !problems.is_empty() {
        return Err(problems);
    }

    let role_pack = chosen.text("role_pack");
    let code_paths =
        chosen.texts("code_paths").unwrap_or_else(|| vec!["src/".to_owned(), "tests/".to_owned()]);
    let written = Written {
        shape,
        chosen: &chosen,
        expanded: &expanded,
        lanes: &lanes,
        workflow_id: &workflow_id,
        artifact_root: &artifact_root,
        code_paths: &code_paths,
        accepts_same_model: set.accepts_same_model || request.accepts_same_model,
        role_pack,
    };
    let path = format!("{scaffold_root}/workflow.json");
    let workflow = written.node().print();
    let at = |name: String, text: String| File { path: format!("{scaffold_root}/{name}"), text };
    let mut files = vec![
        File { path: path.clone(), text: workflow },
        at("agent.md".to_owned(), prompts::agent()),
        at("brief.md".to_owned(), prompts::brief(chosen.text("topic"))),
    ];
    let mut roles: Vec<&str> = expanded.jobs.iter().map(|job| job.role.as_str()).collect();
    roles.sort_unstable();
    roles.dedup();
    files.extend(
        roles.into_iter().map(|role| at(format!("roles/{role}.md"), prompts::role(shape, role_pack, role))),
    );
    let mut is_said = std::collections::HashSet::new();
    for job in expanded.jobs.iter().filter(|job| is_said.insert(job.id.as_str())) {
        let text = prompts::task(shape, job, &expanded.jobs, &artifact_root, &code_paths);
        files.push(at(format!("prompts/{}.md", job.id), text));
    }
    let look = |asked: &str| match files.iter().any(|file| file.path == asked) {
        true => Entry::File,
        false => look(asked),
    };
    let around = Around { tree: Some(Tree { path: &path, look: &look, program: None }), is_strict: false };
    let read = read(files[0].text.as_bytes(), &around);
    let declares = declared(shape, &chosen);
    Ok(Generated { shape: known, path, workflow_id, files, read, declares })
}

impl Generated {
    /// Its JSON.
    pub fn workflow(&self) -> &Value {
        &self.read.workflow
    }
}

/// The codes that the checker says of a shape.
fn declared(shape: &Shape, chosen: &Chosen) -> Vec<String> {
    let mut codes = shape.declares.clone();
    if shape.tier == super::Tier::Experimental {
        codes.push("experimental_shape".to_owned());
    }
    if shape.writes_code() {
        codes.push(match chosen.text("shared_checkout") {
            Some(_) => "shared_checkout_repo_write_override".to_owned(),
            None => "worktree_isolation_unsupported".to_owned(),
        });
    }
    codes
}

fn unknown<'k>(flag: &str, given: &str, known: impl Iterator<Item = &'k str> + Clone) -> Problem {
    let listed = known.clone().collect::<Vec<_>>().join(", ");
    let hint = match nearest(given, known) {
        Some(meant) => format!("did you mean {meant}? there are {listed}"),
        None => format!("there are {listed}"),
    };
    problem(flag, format!("is {}, which the catalogue has not", shown(given)), hint)
}

/// Whether a folder lies below the repository, and not where striatum and git keep their own.
fn is_below(path: &str) -> bool {
    let mut parts = path.split('/').peekable();
    let first = parts.peek().copied().unwrap_or_default();
    path.len() <= 512
        && !matches!(first, ".git" | ".striatum")
        && parts.all(|part| {
            !matches!(part, "" | "." | "..")
                && !part.contains(|c: char| c.is_control() || "*?[{\\".contains(c))
        })
}
