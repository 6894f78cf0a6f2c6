//! The workflow file of what was expanded.

use serde_json::{Value, json};

use super::expand::{Expanded, Made};
use super::lanes::{Lanes, OPERATOR};
use super::node::Node;
use super::options::Chosen;
use super::prompts::{artifact_path, role_in_short};
use super::shape::Shape;
use super::text::filled;
use crate::workflow::vocabulary::{REVIEW, V1, V1_1};

/// What a file is written from.
pub(super) struct Written<'w> {
    pub(super) shape: &'w Shape,
    pub(super) chosen: &'w Chosen,
    pub(super) expanded: &'w Expanded<'w>,
    pub(super) lanes: &'w Lanes,
    pub(super) workflow_id: &'w str,
    pub(super) artifact_root: &'w str,
    pub(super) code_paths: &'w [String],
    pub(super) accepts_same_model: bool,
    pub(super) role_pack: Option<&'w str>,
}

impl Written<'_> {
    /// The whole file.
    pub(super) fn node(&self) -> Node {
        let Self { shape, chosen, expanded, workflow_id, .. } = self;
        // An id may hold a colon, and a branch may not.
        let usual = || format!("striatum/{}", workflow_id.replace(':', "-"));
        let branch = chosen.text("branch").map_or_else(usual, str::to_owned);
        let documents =
            ["brief.md".to_owned()].into_iter().chain(chosen.texts("context_docs").unwrap_or_default());
        let documents: Vec<Value> = documents.map(|path| json!({"path": path, "required": true})).collect();
        let writers: Vec<String> = self.writers();
        let writers: Vec<&str> = writers.iter().map(String::as_str).collect();
        let has_root_review = expanded.jobs.iter().any(|job| job.of.kind == REVIEW && job.after.is_empty());
        let is_phased = shape.phased;
        Node::object([
            ("schema_version", Some(if is_phased { V1_1 } else { V1 }.into())),
            ("workflow_id", Some((*workflow_id).into())),
            ("workflow_version", Some("1".into())),
            ("name", Some(chosen.text("name").unwrap_or(&shape.title).into())),
            ("shape", Some(shape.name.into())),
            (
                "branch",
                Some(Node::object([("mode", Some("auto".into())), ("suggested_name", Some(branch.into()))])),
            ),
            ("context_docs", Some(documents.into())),
            (
                "coordinator",
                Some(Node::object([
                    ("role_id", Some("coordinator".into())),
                    ("lane_id", Some(OPERATOR.into())),
                ])),
            ),
            ("parallelism", Some(json!({"mode": "declared"}).into())),
            ("allow_same_model_review_pairing", self.accepts_same_model.then(|| true.into())),
            (
                "review_revision_policy",
                has_root_review.then(|| json!({"root_review_needs_revision": "human_checkpoint"}).into()),
            ),
            ("harness_profiles", chosen.get("harness_profiles").cloned().map(Node::from)),
            ("lanes", Some(self.lanes.node(&writers, chosen.text("shared_checkout")))),
            ("roles", Some(self.roles())),
            ("phases", is_phased.then(|| self.phases())),
            ("jobs", Some(Node::List(expanded.jobs.iter().map(|job| self.job(job)).collect()))),
            ("edges", Some(Node::List(self.edges()))),
            ("cycles", Some(Node::List(self.cycles()))),
        ])
    }

    /// The lanes of jobs that change code.
    fn writers(&self) -> Vec<String> {
        let jobs = self.expanded.jobs.iter().filter(|job| job.of.writes_code);
        jobs.map(|job| self.lane(job)).collect()
    }

    fn lane(&self, made: &Made<'_>) -> String {
        let of = made.of;
        let seat = match of.seats.len() {
            0 => of.seat.as_deref().unwrap_or("author"),
            count => &of.seats[made.at % count],
        };
        self.lanes.of_job(&made.id, &of.key, seat, made.at)
    }

    fn roles(&self) -> Node {
        let mut roles: Vec<(String, Node)> = Vec::new();
        for made in &self.expanded.jobs {
            if roles.iter().all(|(id, _)| *id != made.role) {
                let role = Node::object([
                    ("definition_path", Some(format!("roles/{}.md", made.role).into())),
                    ("description", role_in_short(self.shape, self.role_pack, &made.role).map(Node::from)),
                ]);
                roles.push((made.role.clone(), role));
            }
        }
        if roles.iter().all(|(id, _)| id != "coordinator") {
            let about = "Looks after the run: starts it, decides where it waits for somebody";
            roles.push(("coordinator".to_owned(), Node::object([("description", Some(about.into()))])));
        }
        Node::Object(roles)
    }

    fn job(&self, made: &Made<'_>) -> Node {
        let of = made.of;
        let is_review = of.kind == REVIEW;
        let folder = format!("{}/{}/", self.artifact_root, made.id);
        let code = self.code_paths.iter().filter(|_| of.writes_code).cloned();
        let allowed: Vec<String> = code.chain([folder]).collect();
        let mode = if of.writes_code { "repo_write" } else { "review_only_artifact" };
        let scope = Node::object([
            ("mode", Some(mode.into())),
            ("repo_write", Some(of.writes_code.into())),
            ("allowed_paths", Some(allowed.into())),
            ("forbidden_paths", Some(vec![".striatum/".to_owned()].into())),
        ]);
        let artifact = |(at, (name, kind)): (usize, &(String, String))| {
            let logical = if at == 0 { made.id.clone() } else { format!("{}-{name}", made.id) };
            Node::object([
                ("logical_name", Some(logical.into())),
                ("kind", Some(kind.as_str().into())),
                ("path", Some(artifact_path(self.artifact_root, &made.id, name).into())),
                ("required", Some(true.into())),
                ("placement", Some("git_publication".into())),
            ])
        };
        let targets = made.asks.iter().map(|id| json!({"workflow_job_id": id, "required": false}));
        let targets: Vec<Value> = targets.collect();
        Node::object([
            ("id", Some(made.id.as_str().into())),
            ("type", Some(of.kind.as_str().into())),
            ("title", Some(filled(&of.title, &made.words).into())),
            ("role_id", Some(made.role.as_str().into())),
            ("lane_id", Some(self.lane(made).into())),
            ("phase_id", made.phase.as_deref().map(Node::from)),
            ("objective", Some(filled(&of.objective, &made.words).into())),
            ("task_prompt", Some(json!({"path": format!("prompts/{}.md", made.id)}).into())),
            ("parallel_group", of.group.as_deref().map(Node::from)),
            ("review_posture", made.posture.as_deref().map(Node::from)),
            (
                "reviewer_access_scope",
                is_review.then(|| of.access.as_deref().unwrap_or("artifact_augmented").into()),
            ),
            ("reviewer_context_policy", is_review.then(|| "fresh".into())),
            ("fresh_session_required", (is_review || of.fresh).then(|| true.into())),
            ("interrogable", of.interrogable.then(|| true.into())),
            ("interrogation_targets", (!targets.is_empty()).then(|| targets.into())),
            ("write_scope", Some(scope)),
            ("expected_artifacts", Some(Node::List(made.leaves.iter().enumerate().map(artifact).collect()))),
        ])
    }

    fn phases(&self) -> Node {
        let phase = |phase: &super::expand::MadePhase| {
            Node::object([
                ("id", Some(phase.id.as_str().into())),
                ("name", phase.name.as_deref().map(Node::from)),
                ("synthesis_job_id", Some(phase.closed_by.as_str().into())),
                (
                    "gate",
                    phase.gate.as_ref().map(|(withheld, until)| {
                        json!({"withhold_packet_types": withheld, "until_verdict_clears": until}).into()
                    }),
                ),
            ])
        };
        Node::List(self.expanded.phases.iter().map(phase).collect())
    }

    fn edges(&self) -> Vec<Node> {
        let edge = |from: &String, to: &str| {
            Node::object([
                ("from", Some(from.as_str().into())),
                ("to", Some(to.into())),
                ("on", Some("completed".into())),
            ])
        };
        let jobs = self.expanded.jobs.iter();
        jobs.flat_map(|job| job.after.iter().map(move |from| edge(from, &job.id))).collect()
    }

    fn cycles(&self) -> Vec<Node> {
        let most = self.chosen.count("max_revision_cycles").unwrap_or(1);
        let cycle = |(from, to): &(String, String)| {
            Node::object([
                ("from", Some(from.as_str().into())),
                ("to", Some(to.as_str().into())),
                ("on_verdict", Some("needs_revision".into())),
                ("max_iterations", Some(most.into())),
            ])
        };
        self.expanded.cycles.iter().map(cycle).collect()
    }
}
