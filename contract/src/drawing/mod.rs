//! Drawings of workflows and of runs: what waits for what, and how far it is.

mod ascii;
mod layout;
mod mermaid;
mod order;
mod svg;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::workflow::model::Workflow;

/// A graph as it is drawn.
#[derive(Debug, Default)]
pub struct Drawing {
    /// What stands above it.
    pub title: String,
    /// The state of a run; none of a workflow.
    pub state: Option<String>,
    /// In their order.
    pub phases: Vec<Phase>,
    /// In the order of the file.
    pub jobs: Vec<Job>,
    /// From and to, as places in the list of jobs.
    pub edges: Vec<(usize, usize)>,
    /// The ways back.
    pub cycles: Vec<Cycle>,
}

/// A phase.
#[derive(Debug)]
pub struct Phase {
    /// Its id.
    pub id: String,
    /// What it is for.
    pub name: Option<String>,
}

/// A job.
#[derive(Debug, Default)]
pub struct Job {
    /// Its id.
    pub id: String,
    /// Its type.
    pub kind: String,
    /// What it is, in a line.
    pub title: String,
    /// Who does it.
    pub role: String,
    /// Where; none where any lane may.
    pub lane: Option<String>,
    /// The place of its phase.
    pub phase: Option<usize>,
    /// Whether it ends by a verdict.
    pub is_verdict: bool,
    /// Whether it changes the repository.
    pub is_repo_write: bool,
    /// How far it is; none of a workflow.
    pub state: Option<String>,
    /// Which try it is; none of a workflow.
    pub attempt: Option<u64>,
}

/// A way back.
#[derive(Debug)]
pub struct Cycle {
    /// The place of the job that sends back.
    pub from: usize,
    /// The place of the job that is done again.
    pub to: usize,
    /// How often at most.
    pub most: Option<u64>,
    /// How often it was; none of a workflow.
    pub used: Option<u64>,
}

impl Drawing {
    /// Of a workflow.
    pub fn of(workflow: &Workflow<'_>) -> Self {
        let text = |key: &str| workflow.root[key].as_str().unwrap_or_default().to_owned();
        let ways = |list: &[crate::workflow::model::Way<'_>]| -> Vec<(usize, usize)> {
            list.iter().filter_map(|way| Some((way.from?, way.to?))).collect()
        };
        let cycle = |cycle: &crate::workflow::model::Way<'_>| {
            let most = cycle.raw["max_iterations"].as_u64();
            Some(Cycle { from: cycle.from?, to: cycle.to?, most, used: None })
        };
        Self {
            title: format!("{}: {}", text("workflow_id"), text("name")),
            state: None,
            phases: workflow
                .phases
                .iter()
                .map(|phase| Phase {
                    id: phase.id.to_owned(),
                    name: phase.raw["name"].as_str().map(str::to_owned),
                })
                .collect(),
            jobs: workflow
                .jobs
                .iter()
                .map(|job| Job {
                    id: job.name().to_owned(),
                    kind: job.kind.to_owned(),
                    title: job.text("title").unwrap_or_default().to_owned(),
                    role: job.text("role_id").unwrap_or_default().to_owned(),
                    lane: job.text("lane_id").map(str::to_owned),
                    phase: workflow.phase_of(job),
                    is_verdict: job.is_verdict(),
                    is_repo_write: job.is_repo_write(),
                    state: None,
                    attempt: None,
                })
                .collect(),
            edges: ways(&workflow.edges),
            cycles: workflow.cycles.iter().filter_map(cycle).collect(),
        }
    }

    /// Of what `run.graph` answers.
    pub fn of_run(data: &Value) -> Self {
        let list = |key: &str| data[key].as_array().map_or(&[][..], Vec::as_slice);
        let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
        let phases: Vec<Phase> = list("phases")
            .iter()
            .map(|phase| Phase { id: text(phase, "id").unwrap_or_default(), name: text(phase, "name") })
            .collect();
        let places: std::collections::HashMap<&str, usize> = list("jobs")
            .iter()
            .enumerate()
            .filter_map(|(at, job)| Some((job["job"].as_str()?, at)))
            .collect();
        let place = |value: &Value, key: &str| places.get(value[key].as_str()?).copied();
        let job = |job: &Value| Job {
            id: text(job, "job").unwrap_or_default(),
            kind: text(job, "job_type").unwrap_or_default(),
            title: text(job, "title").unwrap_or_default(),
            role: text(job, "role_id").unwrap_or_default(),
            lane: text(job, "lane_id"),
            phase: job["phase_id"].as_str().and_then(|id| phases.iter().position(|phase| phase.id == id)),
            is_verdict: job["is_verdict"] == true,
            is_repo_write: job["is_repo_write"] == true,
            state: text(job, "state"),
            attempt: job["attempt"].as_u64(),
        };
        let cycle = |cycle: &Value| {
            Some(Cycle {
                from: place(cycle, "from")?,
                to: place(cycle, "to")?,
                most: cycle["max_iterations"].as_u64(),
                used: cycle["iterations"].as_u64(),
            })
        };
        let run = &data["run"];
        Self {
            title: format!(
                "{}: {}",
                run["run_id"].as_str().unwrap_or_default(),
                run["name"].as_str().or(run["workflow"].as_str()).unwrap_or_default()
            ),
            state: text(run, "state"),
            jobs: list("jobs").iter().map(job).collect(),
            edges: list("edges")
                .iter()
                .filter_map(|way| Some((place(way, "from")?, place(way, "to")?)))
                .collect(),
            cycles: list("cycles").iter().filter_map(cycle).collect(),
            phases,
        }
    }

    /// For a program.
    pub fn json(&self) -> Value {
        let name = |at: usize| self.jobs.get(at).map(|job| job.id.as_str());
        let phases: Vec<Value> =
            self.phases.iter().map(|phase| json!({"id": phase.id, "name": phase.name})).collect();
        let layers = self.layers();
        let job = |(job, layer): (&Job, usize)| {
            let mut shown = json!({
                "id": job.id, "type": job.kind, "title": job.title, "role": job.role, "lane": job.lane,
                "phase": job.phase.and_then(|at| self.phases.get(at)).map(|phase| phase.id.as_str()),
                "layer": layer, "is_verdict": job.is_verdict, "is_repo_write": job.is_repo_write,
            });
            if job.state.is_some() {
                (shown["state"], shown["attempt"]) = (json!(job.state), json!(job.attempt));
            }
            shown
        };
        let edge = |(from, to): &(usize, usize)| json!({"from": name(*from), "to": name(*to)});
        let cycle = |cycle: &Cycle| {
            let mut shown =
                json!({"from": name(cycle.from), "to": name(cycle.to), "max_iterations": cycle.most});
            if cycle.used.is_some() {
                shown["iterations"] = json!(cycle.used);
            }
            shown
        };
        json!({
            "title": self.title,
            "state": self.state,
            "phases": phases,
            "jobs": self.jobs.iter().zip(layers).map(job).collect::<Vec<_>>(),
            "edges": self.edges.iter().map(edge).collect::<Vec<_>>(),
            "cycles": self.cycles.iter().map(cycle).collect::<Vec<_>>(),
        })
    }

    /// As text, a line a job.
    pub fn ascii(&self) -> String {
        ascii::drawn(self)
    }

    /// As a Mermaid flowchart.
    pub fn mermaid(&self) -> String {
        mermaid::drawn(self)
    }

    /// As an SVG document.
    pub fn svg(&self) -> String {
        svg::drawn(self)
    }

    /// For each job the layer in which it stands.
    fn layers(&self) -> Vec<usize> {
        order::layers(self)
    }

    /// How often a way back may be taken, and was.
    fn budget(cycle: &Cycle) -> String {
        match (cycle.used, cycle.most) {
            (Some(used), Some(most)) => format!("{used} of {most}"),
            (None, Some(most)) => format!("at most {most}"),
            _ => String::new(),
        }
    }

    /// Who does a job, in a few words.
    fn who(job: &Job) -> String {
        match &job.lane {
            Some(lane) if *lane != job.role => format!("{} @ {lane}", job.role),
            _ => job.role.clone(),
        }
    }
}
