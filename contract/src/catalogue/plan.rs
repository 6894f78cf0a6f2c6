//! A plan: jobs, cycles and phases of somebody's own, in the form that shapes have.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::data::ROLE_PACKS;
use super::options::problem;
use super::shape::{Cycle, Job, Phase, Shape};
use crate::problem::Problem;

/// The version of plans.
pub const PLAN: &str = "striatum.workflow_plan.v1";

/// A plan.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    schema_version: String,
    jobs: Vec<Job>,
    #[serde(default)]
    cycles: Vec<Cycle>,
    #[serde(default)]
    phases: Vec<Phase>,
    /// Which lane takes which job.
    #[serde(default)]
    job_lane_bindings: BTreeMap<String, String>,
    #[serde(default)]
    role_packs: Vec<String>,
}

impl Plan {
    /// Of what somebody wrote; what is wrong with it goes to the problems.
    pub(super) fn of(value: &Value, problems: &mut Vec<Problem>) -> Option<Self> {
        let hint = format!("see docs/catalogue.md, \"Plans\"; its schema_version is {PLAN}");
        match serde_json::from_value::<Self>(value.clone()) {
            Ok(plan) => {
                if plan.schema_version != PLAN {
                    problems.push(problem("--option plan", "has another schema_version", &*hint));
                }
                for pack in
                    plan.role_packs.iter().filter(|name| !ROLE_PACKS.iter().any(|pack| pack.name == **name))
                {
                    problems.push(problem(
                        "--option plan",
                        format!("names the role pack {pack}"),
                        "there is none",
                    ));
                }
                Some(plan)
            }
            Err(error) => {
                problems.push(problem("--option plan", format!("is no plan: {error}"), hint));
                None
            }
        }
    }

    /// The lanes of its jobs.
    pub(super) fn bindings(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.job_lane_bindings.iter().map(|(job, lane)| (job.clone(), lane.clone()))
    }

    /// As a shape.
    pub(super) fn into_shape(self, of: &Shape) -> Shape {
        Shape {
            name: of.name,
            title: of.title.clone(),
            about: of.about.clone(),
            tier: of.tier,
            phased: !self.phases.is_empty(),
            declares: of.declares.clone(),
            role_packs: self.role_packs,
            options: of.options.clone(),
            phases: self.phases,
            jobs: self.jobs,
            cycles: self.cycles,
            tasks: of.tasks.clone(),
        }
    }
}
