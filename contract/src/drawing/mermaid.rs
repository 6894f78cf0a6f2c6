//! A drawing as a Mermaid flowchart.

use super::{Drawing, Job};
use crate::terminal::harmless;

/// How jobs in a state look.
const CLASSES: &[(&str, &[&str], &str)] = &[
    ("waits", &["pending"], "fill:#eceff3,stroke:#8a94a3,color:#20242b"),
    ("next", &["queued"], "fill:#dbe9ff,stroke:#2f6fd0,color:#12305c"),
    ("works", &["claimed", "running"], "fill:#fff0c9,stroke:#b98300,color:#4a3500"),
    ("done", &["completed"], "fill:#d9f2df,stroke:#2d8a4a,color:#123d20"),
    ("asks", &["blocked", "waiting_human", "stale_lease"], "fill:#eadfff,stroke:#7a4fd0,color:#2f1a63"),
    ("broken", &["failed"], "fill:#ffdcdc,stroke:#c43838,color:#5c1111"),
    ("out", &["canceled", "skipped"], "fill:#f4f4f4,stroke:#aaaaaa,color:#777777,stroke-dasharray:4"),
];

/// The whole text.
pub(super) fn drawn(drawing: &Drawing) -> String {
    let mut text = format!(
        "---\ntitle: {}\n---\nflowchart TD\n",
        serde_json::Value::from(harmless(&drawing.title.replace(['<', '>'], " "), ""))
    );
    for (at, phase) in drawing.phases.iter().enumerate() {
        let name = phase.name.as_deref().unwrap_or(&phase.id);
        text.push_str(&format!("  subgraph p{at}[\"{}\"]\n", escaped(name)));
        of_phase(drawing, Some(at))
            .for_each(|(place, job)| text.push_str(&format!("    {}", node(place, job))));
        text.push_str("  end\n");
    }
    of_phase(drawing, None).for_each(|(place, job)| text.push_str(&format!("  {}", node(place, job))));
    for (from, to) in &drawing.edges {
        text.push_str(&format!("  j{from} --> j{to}\n"));
    }
    for cycle in &drawing.cycles {
        let said = format!("needs_revision, {}", Drawing::budget(cycle));
        text.push_str(&format!("  j{} -. \"{}\" .-> j{}\n", cycle.from, escaped(&said), cycle.to));
    }
    for (class, states, style) in CLASSES {
        let is_in = |job: &Job| job.state.as_deref().is_some_and(|state| states.contains(&state));
        let jobs = drawing.jobs.iter().enumerate().filter(|(_, job)| is_in(job));
        let ids: Vec<String> = jobs.map(|(at, _)| format!("j{at}")).collect();
        if !ids.is_empty() {
            text.push_str(&format!("  classDef {class} {style}\n  class {} {class}\n", ids.join(",")));
        }
    }
    text
}

fn of_phase(drawing: &Drawing, phase: Option<usize>) -> impl Iterator<Item = (usize, &Job)> {
    drawing.jobs.iter().enumerate().filter(move |(_, job)| job.phase == phase)
}

fn node(at: usize, job: &Job) -> String {
    let state = job.state.as_ref().map(|state| format!("<br>{}", escaped(state))).unwrap_or_default();
    let label = format!(
        "<b>{}</b><br>{}<br>{}{state}",
        escaped(&job.id),
        escaped(&job.kind),
        escaped(&Drawing::who(job))
    );
    if job.is_verdict { format!("j{at}([\"{label}\"])\n") } else { format!("j{at}[\"{label}\"]\n") }
}

/// A text in a label: what means something there as an entity.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in harmless(text, "").chars() {
        match c {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '&' => out.push_str("#amp;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '`' => out.push_str("#96;"),
            c => out.push(c),
        }
    }
    out
}
