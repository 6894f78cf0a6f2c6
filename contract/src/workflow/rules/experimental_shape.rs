//! `experimental_shape`: the shape of the workflow is experimental.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::EXPERIMENTAL_SHAPES;

pub(super) const RULE: Rule = Rule {
    code: "experimental_shape",
    severity: Severity::Warning,
    about: "The shape of the workflow is experimental",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let shape = text(subject.workflow.root, "shape");
    if let Some(shape) = shape.filter(|shape| EXPERIMENTAL_SHAPES.contains(shape)) {
        found.at(
            "/shape",
            format!("is {shape}, which no test of this version runs to its end"),
            "look at its first run closely",
        );
    }
}
