//! `document_outside`: a document leads out of the repository, or through a link.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::tree::Entry;

pub(super) const RULE: Rule = Rule {
    code: "document_outside",
    severity: Severity::Error,
    about: "A document leads out of the repository, or through a link",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(tree) = subject.tree else { return };
    for document in subject.workflow.documents() {
        if (tree.look)(&tree.beside(document.path)) == Entry::Escapes {
            found.at(
                document.pointer,
                "leads out of the repository, or through a symbolic link",
                "put the document itself into the repository",
            );
        }
    }
}
