//! `scope_outside`: a path of a job leads out of the repository, or through a link.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::path::plain;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::tree::Entry;

pub(super) const RULE: Rule = Rule {
    code: "scope_outside",
    severity: Severity::Error,
    about: "A path of a job leads out of the repository, or through a link",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(tree) = subject.tree else { return };
    for job in &subject.workflow.jobs {
        let scope =
            job.scope("allowed_paths").map(|(at, path)| (format!("write_scope/allowed_paths/{at}"), path));
        let artifacts = job.list("expected_artifacts").filter_map(|(at, artifact)| {
            Some((format!("expected_artifacts/{at}/path"), text(artifact, "path")?))
        });
        for (place, path) in scope.chain(artifacts) {
            if !plain(path).is_empty() && (tree.look)(plain(path)) == Entry::Escapes {
                found.at(
                    job.pointer(&place),
                    "leads out of the repository, or through a symbolic link",
                    "name the folder itself",
                );
            }
        }
    }
}
