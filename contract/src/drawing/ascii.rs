//! A drawing as text: a line a job, in the order in which they may begin.

use super::Drawing;
use crate::terminal::harmless;

/// The whole text.
pub(super) fn drawn(drawing: &Drawing) -> String {
    let layers = drawing.layers();
    let mut places: Vec<usize> = (0..drawing.jobs.len()).collect();
    places.sort_by_key(|at| (layers[*at], *at));
    let mut before = vec![Vec::new(); drawing.jobs.len()];
    drawing.edges.iter().for_each(|(from, to)| before[*to].push(drawing.jobs[*from].id.as_str()));
    let rows: Vec<(usize, [String; 6])> =
        places.iter().map(|at| (*at, row(drawing, *at, layers[*at], &before))).collect();
    let mut widths = [0; 6];
    for (_, row) in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = format!("{}\n", harmless(&drawing.title, ""));
    if let Some(state) = &drawing.state {
        text.push_str(&format!("{state}\n"));
    }
    let mut phase = None;
    for (at, row) in rows {
        let own = drawing.jobs[at].phase;
        if own != phase || text.lines().count() <= 2 && own.is_none() {
            let named = own.and_then(|own| drawing.phases.get(own));
            let name = |phase: &super::Phase| match phase.name.as_deref().filter(|name| *name != phase.id) {
                Some(name) => format!("\n[{}] {name}\n", phase.id),
                None => format!("\n[{}]\n", phase.id),
            };
            text.push_str(&harmless(&named.map_or("\n".to_owned(), name), "\n"));
            phase = own;
        }
        let cells = row.iter().zip(widths).filter(|(_, width)| *width > 0);
        let line: String = cells.map(|(cell, width)| format!("{cell:width$}  ")).collect();
        text.push_str(&format!("  {}\n", harmless(line.trim_end(), "")));
    }
    text
}

/// Layer, state, id, type, who, and what it is tied to.
fn row(drawing: &Drawing, at: usize, layer: usize, before: &[Vec<&str>]) -> [String; 6] {
    const MOST: usize = 8;
    let job = &drawing.jobs[at];
    let mut tied = String::new();
    let before = &before[at];
    if !before.is_empty() {
        let more = before.len().saturating_sub(MOST);
        let shown = &before[..before.len() - more];
        tied = format!("<- {}", shown.join(", "));
        if more > 0 {
            tied.push_str(&format!(" and {more} more"));
        }
    }
    for cycle in drawing.cycles.iter().filter(|cycle| cycle.from == at) {
        let gap = if tied.is_empty() { "" } else { "  " };
        tied.push_str(&format!("{gap}(back to {}, {})", drawing.jobs[cycle.to].id, Drawing::budget(cycle)));
    }
    let attempt = job.attempt.filter(|attempt| *attempt > 1).map(|attempt| format!(" #{attempt}"));
    let state = job.state.as_ref().map(|state| format!("{state}{}", attempt.unwrap_or_default()));
    [
        (layer + 1).to_string(),
        state.unwrap_or_default(),
        job.id.clone(),
        job.kind.clone(),
        Drawing::who(job),
        tied,
    ]
}
