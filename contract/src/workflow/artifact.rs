//! Artifacts: what a job has to leave behind, and where it may write.

use std::collections::BTreeMap;

use super::bounds::MOST_ITEMS;
use super::finding::Findings;
use super::job::Job;
use super::path::{contained, is_inside};
use super::place::Place;

/// What nobody may publish into, whatever a workflow says.
const CLOSED: &[&str] = &[".git", ".striatum"];

pub(super) fn check(jobs: &[Job<'_>], findings: &mut Findings) {
    let mut paths = BTreeMap::new();
    for job in jobs {
        let scope = job.place.optional("write_scope");
        let allowed = listed(scope.as_ref(), "allowed_paths", findings);
        let forbidden = listed(scope.as_ref(), "forbidden_paths", findings);
        for (path, place) in &allowed {
            if let Some((folder, _)) = forbidden.iter().find(|(folder, _)| is_inside(path, folder)) {
                let message = format!("is allowed, and lies in {folder}, which is forbidden");
                findings.add("path_forbidden", &place.pointer, message, "take one of both back");
            }
        }
        let mut names = BTreeMap::new();
        for artifact in items(&job.place, "expected_artifacts", findings) {
            if artifact.object(findings).is_none() {
                continue;
            }
            artifact
                .known(&["logical_name", "kind", "path", "required", "placement", "author_line"], findings);
            if let Some(name) = artifact.required("logical_name", findings) {
                once(&name, name.word(findings), &mut names, "name_repeated", findings);
            }
            if let Some(kind) = artifact.required("kind", findings) {
                let is_known = |name: &&str| crate::artifact::kind(name).is_some();
                if let Some(name) = kind.word(findings).filter(|name| !is_known(name)) {
                    let hint = match crate::artifact::nearest_kind(name) {
                        Some(near) => format!("perhaps {near} was meant; striatum artifact kinds lists all"),
                        None => "striatum artifact kinds lists all".to_owned(),
                    };
                    findings.add("kind_unknown", &kind.pointer, "is no kind of artifacts", hint);
                }
            }
            if let Some(required) = artifact.optional("required") {
                required.boolean(findings);
            }
            let Some(place) = artifact.required("path", findings) else { continue };
            let path = contained(&place, findings);
            once(&place, path, &mut paths, "path_repeated", findings);
            let Some(path) = path else { continue };
            if !allowed.is_empty() && !allowed.iter().any(|(folder, _)| is_inside(path, folder)) {
                let hint = "add its folder to allowed_paths, or move it";
                findings.add("path_not_allowed", &place.pointer, "lies outside of allowed_paths", hint);
            }
            let forbidden = forbidden.iter().map(|(folder, _)| *folder).chain(CLOSED.iter().copied());
            if let Some(folder) = forbidden.into_iter().find(|folder| is_inside(path, folder)) {
                let message = format!("lies in {folder}, which is forbidden");
                findings.add("path_forbidden", &place.pointer, message, "move it");
            }
        }
    }
}

fn items<'v>(place: &Place<'v>, key: &str, findings: &mut Findings) -> Vec<Place<'v>> {
    place.optional(key).map(|list| list.list(MOST_ITEMS, findings)).unwrap_or_default()
}

fn listed<'v>(scope: Option<&Place<'v>>, key: &str, findings: &mut Findings) -> Vec<(&'v str, Place<'v>)> {
    let Some(scope) = scope else { return Vec::new() };
    let paths = items(scope, key, findings).into_iter();
    paths.filter_map(|place| contained(&place, findings).map(|path| (path, place))).collect()
}

/// Finds what was there before.
fn once<'v>(
    place: &Place<'v>,
    text: Option<&'v str>,
    known: &mut BTreeMap<&'v str, String>,
    code: &'static str,
    findings: &mut Findings,
) {
    let Some(text) = text else { return };
    match known.get(text) {
        Some(other) => {
            findings.add(code, &place.pointer, format!("stands at {other} too"), "give each its own");
        }
        None => {
            known.insert(text, place.pointer.clone());
        }
    }
}
