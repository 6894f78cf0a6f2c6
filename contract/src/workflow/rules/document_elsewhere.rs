//! `document_elsewhere`: a document that a run can do without is there from the top of the repository, and not from the
//! file's folder.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::tree::Entry;

pub(super) const RULE: Rule = Rule {
    code: "document_elsewhere",
    severity: Severity::Warning,
    about: "A document that need not be there is at the top of the repository, and not in the file's folder",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(tree) = subject.tree else { return };
    // Of those that are required `document_missing` says it.
    for document in subject.workflow.documents().filter(|document| !document.is_required) {
        let beside = tree.beside(document.path);
        if beside != document.path
            && (tree.look)(&beside) == Entry::Missing
            && (tree.look)(document.path).is_readable()
        {
            let message = format!("stands at the top of the repository, and this version looks for {beside}");
            found.at(
                document.pointer,
                message,
                "put the workflow file at the top, or the document beside it",
            );
        }
    }
}
