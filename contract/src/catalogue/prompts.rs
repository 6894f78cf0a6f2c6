//! The documents beside a workflow: what agents read.

use super::data::{AGENT, FORMS, ROLE_PACKS};
use super::expand::{Made, side};
use super::pack::section;
use super::shape::Shape;
use super::text::filled;
use crate::workflow::vocabulary::VERDICT_TYPES;

/// Where a job's artifact stands.
pub(super) fn artifact_path(artifact_root: &str, job: &str, name: &str) -> String {
    format!("{artifact_root}/{job}/{name}.md")
}

/// What every agent reads first.
pub(super) fn agent() -> String {
    AGENT.to_owned()
}

/// The sentence with which an agent is started.
pub(super) fn first_prompt(scaffold_root: &str) -> String {
    format!("Read {scaffold_root}/agent.md and work exactly as it says, until you are told to leave.")
}

/// What the run is about, for a person to complete.
pub(super) fn brief(topic: Option<&str>) -> String {
    let topic = topic.unwrap_or("(Say in a sentence or two what this is about.)");
    format!(
        "# Brief\n\n{topic}\n\n## What is wanted\n\n(What has to be there in the end, and for whom. What would make \
         you say that it\nfailed.)\n\n## What is given\n\n(Where to look: folders, documents, issues, decisions that \
         stand. What must not\nchange.)\n"
    )
}

/// The text of a role; the packs of the shape come before the general one.
pub(super) fn role_text(shape: &Shape, more: Option<&str>, role: &str) -> Option<&'static str> {
    let packs = more.into_iter().chain(shape.role_packs.iter().map(String::as_str)).chain(["general"]);
    let mut found = packs.filter_map(|name| ROLE_PACKS.iter().find(|pack| pack.name == name));
    found.find_map(|pack| section(&pack.members, role))
}

/// A role's document.
pub(super) fn role(shape: &Shape, more: Option<&str>, role: &str) -> String {
    let title = capital(&role.replace('_', " "));
    match role_text(shape, more, role) {
        Some(text) => format!("# {title}\n\n{text}\n"),
        None => format!(
            "# {title}\n\n(Say what this role is for: what it reads, what it hands in, what it must not do.)\n\n- You \
             read: your task, the context documents, and the inputs that the task names.\n- You hand in: what your \
             packet expects, in the form of its kind.\n- You must not: do the work of another role.\n"
        ),
    }
}

/// The first sentence of a role, for the workflow file.
pub(super) fn role_in_short(shape: &Shape, more: Option<&str>, role: &str) -> Option<String> {
    let text = role_text(shape, more, role)?;
    let paragraph = text.split("\n\n").next().unwrap_or(text).replace('\n', " ");
    Some(paragraph)
}

/// A job's task.
pub(super) fn task(
    shape: &Shape,
    made: &Made<'_>,
    all: &[Made<'_>],
    artifact_root: &str,
    code_paths: &[String],
) -> String {
    let of = made.of;
    let what = of
        .task
        .as_deref()
        .or_else(|| section(&shape.tasks, &of.key))
        .or_else(|| section(&shape.tasks, "any"));
    let mut text = format!(
        "# {}\n\n{}\n\n## What to do\n\n{}\n",
        filled(&of.title, &made.words),
        filled(&of.objective, &made.words),
        filled(what.unwrap_or("Do what your objective says."), &made.words)
    );
    if let Some(side) = made.posture.as_deref().and_then(side) {
        text.push_str(&format!("\n## From which side\n\n{side}\n"));
    }
    let before: Vec<String> = made
        .after
        .iter()
        .filter_map(|id| all.iter().find(|other| other.id == *id))
        .flat_map(|other| {
            let path = |(name, _): &(String, String)| artifact_path(artifact_root, &other.id, name);
            other.leaves.iter().map(move |leaf| format!("- `{}`, by the job {}\n", path(leaf), other.id))
        })
        .collect();
    text.push_str("\n## What to read\n\n- The brief, among your packet's context documents.\n");
    before.iter().for_each(|line| text.push_str(line));
    if !before.is_empty() {
        text.push_str("\nYour packet lists them, and what jobs further back have left, with sha256.\n");
    }
    text.push_str("\n## What to hand in\n\n");
    for (name, kind) in &made.leaves {
        let form = section(&FORMS, kind).unwrap_or("Front matter: the `author` line of your packet.");
        let path = artifact_path(artifact_root, &made.id, name);
        text.push_str(&format!("`{path}`, a {kind}.\n\n{}\n\n", filled(form, &made.words)));
    }
    if of.writes_code {
        let paths: Vec<String> = code_paths.iter().map(|path| format!("`{path}`")).collect();
        text.push_str(&format!("And the files that you change, below {}.\n\n", paths.join(", ")));
    }
    text.push_str(&handing_in(made));
    text
}

/// How it is handed in: the calls of the packet, in words.
fn handing_in(made: &Made<'_>) -> String {
    let is_verdict = VERDICT_TYPES.contains(&made.of.kind.as_str());
    let more = made.leaves.len() > 1;
    let calls = match (is_verdict, made.leaves.is_empty()) {
        (_, true) => "`striatum complete LEASE_ID` ends the job.",
        (true, _) if more => {
            "`striatum publish-artifact LEASE_ID PATH` for each file but the first; then `striatum submit-review \
             LEASE_ID PATH\nVERDICT --rationale TEXT` hands the first one in with your verdict, and ends the job."
        }
        (true, _) => {
            "`striatum submit-review LEASE_ID PATH VERDICT --rationale TEXT` hands it in with your verdict, and ends \
             the job.\nVerdicts: `accept`, `accept_with_findings`, `needs_revision`, `reject`."
        }
        (false, _) => {
            "`striatum publish-artifact LEASE_ID PATH` once the file is written, then `striatum complete LEASE_ID`."
        }
    };
    format!(
        "## How to hand it in\n\n{calls}\nThe exact lines stand in your packet under `commands`, after \
         `striatum ack`.\n"
    )
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
