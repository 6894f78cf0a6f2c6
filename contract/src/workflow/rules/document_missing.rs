//! `document_missing`: a document that agents are pointed to is not there, or no document.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::tree::Entry;

pub(super) const RULE: Rule = Rule {
    code: "document_missing",
    severity: Severity::Error,
    about: "A document that agents are pointed to is not there, or cannot be read as one",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(tree) = subject.tree else { return };
    for document in subject.workflow.documents().filter(|document| document.is_required) {
        let beside = tree.beside(document.path);
        let mut hint =
            "write the document, or mend its path, which begins at the folder of the workflow file"
                .to_owned();
        let says = match (tree.look)(&beside) {
            Entry::Missing => {
                let at_top = (tree.look)(document.path);
                if at_top.is_readable() && (at_top != Entry::Folder || document.may_be_folder) {
                    let path = document.path;
                    hint = format!(
                        "{path} stands at the top of the repository: move it to {beside}, or the workflow file to \
                         the top"
                    );
                }
                "is not there"
            }
            Entry::Folder if !document.may_be_folder => "is a folder",
            Entry::Unknown => "is no regular file, or cannot be looked at",
            // `document_outside` says it.
            Entry::Escapes | Entry::File | Entry::Inert | Entry::Folder => continue,
        };
        found.at(document.pointer, format!("{says}: {beside}"), hint);
    }
}
