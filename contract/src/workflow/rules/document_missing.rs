//! `document_missing`: a document that agents are pointed to is not there.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::tree::Entry;

pub(super) const RULE: Rule = Rule {
    code: "document_missing",
    severity: Severity::Error,
    about: "A document that agents are pointed to is not there",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(tree) = subject.tree else { return };
    for document in subject.workflow.documents().filter(|document| document.is_required) {
        let beside = tree.beside(document.path);
        let is_missing = (tree.look)(&beside) == Entry::Missing;
        if is_missing && (tree.look)(document.path) != Entry::Present {
            found.at(
                document.pointer,
                format!("is not there: {beside}"),
                "write the document, or mend its path, which begins at the folder of the workflow file",
            );
        }
    }
}
