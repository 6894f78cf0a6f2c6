//! A workflow file: what it has to be, so that a run of it is safe. Everything that is wrong is said at once.
//!
//! From octets to findings: `reader`, the schema, the walk over shapes (`shape`), the rules. What others build on are
//! the [`vocabulary`], the [`model`] and the [`graph`].

mod bounds;
mod finding;
pub mod graph;
pub mod model;
mod path;
mod position;
mod reader;
mod resources;
mod rule;
mod rules;
mod schema;
mod shape;
#[cfg(test)]
mod tests;
mod tree;
pub mod vocabulary;

use serde_json::Value;

pub use bounds::MOST_OCTETS;
pub use finding::{Finding, Severity};
pub use resources::resources;
pub use rule::Told;
pub use schema::SCHEMA;
pub(crate) use shape::is_id;
pub use tree::{Entry, LookForProgram, Program, Tree};

use finding::Findings;
use graph::Graph;
use model::Workflow;
use rule::{Found, Subject};

/// What a check goes by, beside the file.
#[derive(Default)]
pub struct Around<'a> {
    /// The repository, where somebody can look into it.
    pub tree: Option<Tree<'a>>,
    /// Whether keys that are not known are refused.
    pub is_strict: bool,
}

/// A workflow file that was read.
#[derive(Debug)]
pub struct Read {
    /// Its JSON as it stands there; null where it is none.
    pub workflow: Value,
    /// All that is to be said, in the order of the file.
    pub findings: Vec<Finding>,
    /// How many findings more there were.
    pub more: usize,
}

impl Read {
    /// What forbids a run; none may be made where this is not empty. Where advice that refuses was accepted, that is
    /// left out.
    pub fn problems(&self, accepts_advice: bool) -> impl Iterator<Item = &Finding> {
        let counts = move |severity: Severity| {
            severity.forbids_run() && !(accepts_advice && severity == Severity::Refusal)
        };
        self.findings.iter().filter(move |finding| counts(finding.severity))
    }
}

/// Reads the octets of a file and checks them.
pub fn read(octets: &[u8], around: &Around<'_>) -> Read {
    let mut findings = Findings::default();
    let workflow = if around.tree.as_ref().is_some_and(|tree| reader::is_yaml_name(tree.path)) {
        reader::yaml(&mut findings);
        None
    } else {
        reader::value(octets, &mut findings)
    };
    if let Some(workflow) = &workflow
        && shape::check(workflow, around.is_strict, &mut findings)
    {
        schema::check(workflow, &mut findings);
        let model = Workflow::of(workflow);
        let graph = Graph::of(&model);
        let subject = Subject { workflow: &model, graph: &graph, tree: around.tree.as_ref() };
        for rule in rules::RULES {
            (rule.check)(&subject, &mut Found { rule, findings: &mut findings });
        }
    }
    let (findings, more) = findings.in_file_order(octets);
    Read { workflow: workflow.unwrap_or(Value::Null), findings, more }
}

/// Every code that a finding can have, in the order of the checks.
pub fn codes() -> Vec<Told> {
    let rules =
        rules::RULES.iter().map(|rule| Told { code: rule.code, severity: rule.severity, about: rule.about });
    [reader::CODES, shape::CODES, schema::CODES].concat().into_iter().chain(rules).collect()
}
