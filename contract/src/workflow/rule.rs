//! A rule: what has to hold of a workflow, beyond its schema.

use super::finding::{Findings, Severity};
use super::graph::Graph;
use super::model::Workflow;
use super::tree::Tree;

/// What a code stands for, as the reference tells it.
#[derive(Debug, Clone, Copy)]
pub struct Told {
    /// The code.
    pub code: &'static str,
    /// What follows from it.
    pub severity: Severity,
    /// What is wrong then, as a sentence without its full stop.
    pub about: &'static str,
}

impl Told {
    pub(super) const fn error(code: &'static str, about: &'static str) -> Self {
        Self { code, severity: Severity::Error, about }
    }
}

/// One rule; it has one code and is one file.
pub(super) struct Rule {
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    pub(super) about: &'static str,
    pub(super) check: fn(&Subject<'_>, &mut Found<'_>),
}

/// What rules look at.
pub(super) struct Subject<'s> {
    pub(super) workflow: &'s Workflow<'s>,
    pub(super) graph: &'s Graph,
    /// None where nobody can look into the repository.
    pub(super) tree: Option<&'s Tree<'s>>,
}

/// Where a rule puts what it finds.
pub(super) struct Found<'f> {
    pub(super) rule: &'static Rule,
    pub(super) findings: &'f mut Findings,
}

impl Found<'_> {
    /// What is wrong at a place, and how to mend it.
    pub(super) fn at(
        &mut self,
        pointer: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.findings.add(self.rule.code, self.rule.severity, pointer, message, hint);
    }
}
