//! A drawing as an SVG document: without scripts, fonts or anything from elsewhere; for light and dark.

use std::fmt::Write as _;

use super::layout::{HEIGHT, Layout, WIDTH, layout};
use super::{Cycle, Drawing, Job};
use crate::terminal::harmless;

/// Around everything, and for what stands above.
const EDGE: f64 = 24.0;
const TITLE: f64 = 58.0;
/// Between two ways back.
const LANE: f64 = 18.0;
/// For the words at a way back.
const WORDS: f64 = 74.0;

/// How states are called below the drawing, in this order, and which they are.
const STATES: &[(&str, &[&str])] = &[
    ("waits", &["pending"]),
    ("next", &["queued"]),
    ("works", &["claimed", "running"]),
    ("done", &["completed"]),
    ("asks", &["blocked", "waiting_human", "stale_lease", "quarantined"]),
    ("broken", &["failed"]),
    ("out", &["canceled", "skipped"]),
];

const STYLE: &str = "
  .page { fill: #ffffff } .title { fill: #1b1f27; font-size: 17px; font-weight: 600 }
  .sub, .who { fill: #5b6472 } .sub { font-size: 12px } .band { fill: #f3f5f8; stroke: #d9dee6 }
  .phase { fill: #3c4553; font-size: 13px; font-weight: 600 }
  .job { fill: #ffffff; stroke: #8a94a3; stroke-width: 1.3 } .id { fill: #1b1f27; font-size: 13px; font-weight: 600 }
  .who { font-size: 11px } .state { font-size: 11px; font-weight: 600; fill: #3c4553 } .writes { fill: #3c4553 }
  .edge { fill: none; stroke: #76808f; stroke-width: 1.4 } .tip { fill: #76808f }
  .back { fill: none; stroke: #b4602a; stroke-width: 1.4; stroke-dasharray: 5 4 } .backtip, .budget { fill: #b4602a }
  .budget { font-size: 11px }
  .waits { fill: #f6f7f9 } .next { fill: #e2edff; stroke: #2f6fd0 } .works { fill: #fff2cf; stroke: #b98300 }
  .done { fill: #dff4e4; stroke: #2d8a4a } .asks { fill: #ece3ff; stroke: #7a4fd0; stroke-width: 2.4 }
  .broken { fill: #ffe0e0; stroke: #c43838; stroke-width: 2.4 } .out { fill: #fafafa; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #14171c } .title, .id { fill: #eef1f5 } .sub, .who { fill: #a3adbb }
    .band { fill: #1b2027; stroke: #313843 } .phase, .state { fill: #cfd6df } .job { fill: #20262e; stroke: #6d7888 }
    .writes { fill: #cfd6df } .edge { stroke: #8d98a8 } .tip { fill: #8d98a8 }
    .back { stroke: #e08a4f } .backtip, .budget { fill: #e08a4f }
    .waits { fill: #20262e } .next { fill: #17305a; stroke: #6aa5ff } .works { fill: #443306; stroke: #e0ac2b }
    .done { fill: #143a20; stroke: #5cc47c } .asks { fill: #33235c; stroke: #ab87f5 }
    .broken { fill: #501a1a; stroke: #f07070 } .out { fill: #1b2027 }
  }
";

/// The whole document.
pub(super) fn drawn(drawing: &Drawing) -> String {
    let layout = layout(drawing);
    let lanes = lanes(drawing, &layout);
    let outermost = lanes.iter().copied().fold(layout.width, f64::max);
    let words = if drawing.cycles.is_empty() { 0.0 } else { WORDS };
    let least = (drawing.title.chars().count().min(90) as f64 * 9.5).max(380.0);
    let inner = (outermost + words).max(least);
    let shift = (inner - outermost - words).max(0.0) / 2.0 + EDGE;
    let (width, height) = (inner + 2.0 * EDGE, layout.height + TITLE + legend_height(drawing) + 2.0 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        escaped(&drawing.title)
    );
    heading(drawing, &mut svg);
    let _ = writeln!(svg, "<g transform=\"translate({shift:.1} {:.1})\">", EDGE + TITLE);
    for (phase, reach) in drawing.phases.iter().zip(&layout.phases) {
        let Some((top, bottom)) = reach else { continue };
        let (x, wide) = (12.0 - shift, width - 24.0);
        let said = match phase.name.as_deref().filter(|name| *name != phase.id) {
            Some(name) => format!("{}  ·  {name}", phase.id),
            None => phase.id.clone(),
        };
        let _ = writeln!(
            svg,
            "<rect class=\"band\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" rx=\"10\"/>\
             <text class=\"phase\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            bottom - top,
            x + 12.0,
            top + 20.0,
            escaped(&cut(&said, (wide / 8.0) as usize)),
        );
    }
    edges(drawing, &layout, &mut svg);
    drawing.cycles.iter().zip(&lanes).for_each(|(cycle, lane)| back(cycle, *lane, &layout, &mut svg));
    drawing.jobs.iter().zip(&layout.jobs).for_each(|(job, at)| box_of(job, *at, &mut svg));
    svg.push_str("</g>\n");
    legend(drawing, height - EDGE, &mut svg);
    svg.push_str("</svg>\n");
    svg
}

fn heading(drawing: &Drawing, svg: &mut String) {
    let jobs = match drawing.jobs.len() {
        1 => "1 job".to_owned(),
        count => format!("{count} jobs"),
    };
    let done = drawing.jobs.iter().filter(|job| job.state.as_deref() == Some("completed")).count();
    let said = match &drawing.state {
        Some(state) => format!("{state}  ·  {done} of {jobs} completed"),
        None if drawing.phases.is_empty() => jobs,
        None => format!("{jobs}  ·  {} phases", drawing.phases.len()),
    };
    let _ = writeln!(
        svg,
        "<text class=\"title\" x=\"{EDGE}\" y=\"{:.1}\">{}</text>\
         <text class=\"sub\" x=\"{EDGE}\" y=\"{:.1}\">{}</text>",
        EDGE + 14.0,
        escaped(&cut(&drawing.title, 90)),
        EDGE + 34.0,
        escaped(&said)
    );
}

/// The lines of the edges; those of one job leave and reach it side by side.
fn edges(drawing: &Drawing, layout: &Layout, svg: &mut String) {
    let mut leaving: Vec<Vec<(f64, usize)>> = vec![Vec::new(); drawing.jobs.len()];
    let mut reaching = leaving.clone();
    for (at, ((from, to), points)) in drawing.edges.iter().zip(&layout.edges).enumerate() {
        leaving[*from].push((points[1].0, at));
        reaching[*to].push((points[points.len() - 2].0, at));
    }
    let mut ports = vec![(0.0, 0.0); drawing.edges.len()];
    for (is_leaving, lists) in [(true, &mut leaving), (false, &mut reaching)] {
        for list in lists.iter_mut() {
            list.sort_by(|one, other| one.0.total_cmp(&other.0));
            let count = list.len();
            let step = (WIDTH * 0.6 / count.max(2) as f64).min(20.0);
            for (place, (_, edge)) in list.iter().enumerate() {
                let off = (place as f64 - (count as f64 - 1.0) / 2.0) * step;
                let port = &mut ports[*edge];
                if is_leaving { port.0 = off } else { port.1 = off }
            }
        }
    }
    for (points, (leaves, reaches)) in layout.edges.iter().zip(ports) {
        let last = points.len() - 1;
        let mut points = points.clone();
        points[0] = (points[0].0 + leaves, points[0].1 + HEIGHT / 2.0);
        points[last] = (points[last].0 + reaches, points[last].1 - HEIGHT / 2.0 - 7.0);
        let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
        for at in 1..=last {
            let ((x, y), (to_x, to_y)) = (points[at - 1], points[at]);
            // Through the height of a layer that it passes a line goes straight down.
            let (y, to_y) = (
                if at > 1 { y + HEIGHT / 2.0 } else { y },
                if at < last { to_y - HEIGHT / 2.0 } else { to_y },
            );
            let bend = (to_y - y) / 2.0;
            let _ = write!(path, "C{x:.1} {:.1} {to_x:.1} {:.1} {to_x:.1} {to_y:.1}", y + bend, to_y - bend);
            if at < last {
                let _ = write!(path, "V{:.1}", to_y + HEIGHT);
            }
        }
        let (x, y) = points[last];
        let _ = writeln!(
            svg,
            "<path class=\"edge\" d=\"{path}\"/><path class=\"tip\" d=\"M{:.1} {y:.1}h8l-4 7z\"/>",
            x - 4.0
        );
    }
}

/// For each way back the column in which it climbs: right of all that it passes, and of other ways back there.
fn lanes(drawing: &Drawing, layout: &Layout) -> Vec<f64> {
    let span = |cycle: &Cycle| {
        let (one, other) = (layout.layers[cycle.from], layout.layers[cycle.to]);
        (one.min(other), one.max(other))
    };
    let mut order: Vec<usize> = (0..drawing.cycles.len()).collect();
    order.sort_by_key(|at| {
        let (top, bottom) = span(&drawing.cycles[*at]);
        (bottom - top, top)
    });
    let mut right: Vec<f64> = layout.right.clone();
    let mut lanes = vec![0.0; drawing.cycles.len()];
    for at in order {
        let (top, bottom) = span(&drawing.cycles[at]);
        let lane = right[top..=bottom].iter().copied().fold(0.0, f64::max) + LANE;
        right[top..=bottom].iter_mut().for_each(|right| *right = lane + 54.0);
        lanes[at] = lane;
    }
    lanes
}

/// A way back: out on the right, up, and in on the right; around what stands there in the way.
fn back(cycle: &Cycle, lane: f64, layout: &Layout, svg: &mut String) {
    let ((x, y), (to_x, to_y)) = (layout.jobs[cycle.from], layout.jobs[cycle.to]);
    // The last one of its layer has nothing to its right but lines.
    let is_last = |job: usize| {
        let same = layout.layers.iter().zip(&layout.jobs).filter(|(layer, _)| **layer == layout.layers[job]);
        same.map(|(_, (x, _))| *x).fold(0.0, f64::max) <= layout.jobs[job].0
    };
    let corner = WIDTH / 2.0 - 26.0;
    let (out, y) = match is_last(cycle.from) {
        true => (format!("M{:.1} {:.1}", x + WIDTH / 2.0, y - 9.0), y - 9.0),
        false => (
            format!("M{:.1} {:.1}V{:.1}", x + corner, y + HEIGHT / 2.0, y + HEIGHT / 2.0 + 9.0),
            y + HEIGHT / 2.0 + 9.0,
        ),
    };
    let (into, tip, to_y) = match is_last(cycle.to) {
        true => {
            let (end, at) = (to_x + WIDTH / 2.0 + 7.0, to_y + 9.0);
            (format!("H{end:.1}"), format!("M{end:.1} {:.1}v8l-7 -4z", at - 4.0), at)
        }
        false => {
            let (end, top) = (to_x + corner, to_y - HEIGHT / 2.0);
            let tip = format!("M{:.1} {:.1}h8l-4 7z", end - 4.0, top - 7.0);
            (format!("H{end:.1}V{:.1}", top - 7.0), tip, top - 13.0)
        }
    };
    let climbs = if to_y < y { -8.0 } else { 8.0 };
    let _ = writeln!(
        svg,
        "<path class=\"back\" d=\"{out}H{:.1}Q{lane:.1} {y:.1} {lane:.1} {:.1}V{:.1}Q{lane:.1} {to_y:.1} {:.1} \
         {to_y:.1}{into}\"/><path class=\"backtip\" d=\"{tip}\"/>",
        lane - 8.0,
        y + climbs,
        to_y - climbs,
        lane - 8.0,
    );
    let said = escaped(&Drawing::budget(cycle));
    let _ = writeln!(
        svg,
        "<text class=\"budget\" x=\"{:.1}\" y=\"{:.1}\"><title>needs_revision, {said}</title>{said}</text>",
        lane + 5.0,
        (y + to_y) / 2.0 + 4.0
    );
}

/// A job: its id, its type, who does it, how far it is.
fn box_of(job: &Job, (x, y): (f64, f64), svg: &mut String) {
    let (left, top) = (x - WIDTH / 2.0, y - HEIGHT / 2.0);
    let class = job.state.as_deref().and_then(class_of).unwrap_or_default();
    // What ends by a verdict is round; what changes the repository has a bar.
    let round = if job.is_verdict { HEIGHT / 2.0 } else { 7.0 };
    let attempt = job.attempt.filter(|attempt| *attempt > 1).map(|attempt| format!(" #{attempt}"));
    let state =
        job.state.as_ref().map(|state| format!("{}{}", state.replace('_', " "), attempt.unwrap_or_default()));
    let all = [Some(job.id.as_str()), Some(job.title.as_str()), state.as_deref()];
    let all: Vec<&str> = all.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let _ = write!(
        svg,
        "<g><title>{}</title><rect class=\"job {class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" rx=\"{round}\"/>",
        escaped(&all.join(" · "))
    );
    if job.is_repo_write {
        let _ = write!(
            svg,
            "<rect class=\"writes\" x=\"{:.1}\" y=\"{:.1}\" width=\"4\" height=\"{:.1}\" rx=\"2\"/>",
            left + 6.0,
            top + 9.0,
            HEIGHT - 18.0
        );
    }
    let lines: &[(&str, String, usize)] = &[
        ("id", job.id.clone(), 27),
        ("who", format!("{} · {}", job.kind, Drawing::who(job)), 36),
        ("state", state.unwrap_or_default(), 26),
    ];
    let lines: Vec<_> = lines.iter().filter(|(_, text, _)| !text.is_empty()).collect();
    let first = y - (lines.len() as f64 - 1.0) * 8.0 + 4.0;
    for (at, (class, text, most)) in lines.iter().enumerate() {
        let _ = write!(
            svg,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            first + at as f64 * 16.0,
            escaped(&cut(text, *most))
        );
    }
    svg.push_str("</g>\n");
}

fn class_of(state: &str) -> Option<&'static str> {
    STATES.iter().find(|(_, states)| states.contains(&state)).map(|(class, _)| *class)
}

fn legend_height(drawing: &Drawing) -> f64 {
    if drawing.jobs.is_empty() { 0.0 } else { 34.0 }
}

/// What the shapes and colours mean, of those that are there.
fn legend(drawing: &Drawing, y: f64, svg: &mut String) {
    if drawing.jobs.is_empty() {
        return;
    }
    let is_there = |states: &[&str]| {
        drawing.jobs.iter().any(|job| job.state.as_deref().is_some_and(|state| states.contains(&state)))
    };
    let states = STATES.iter().filter(|(_, states)| is_there(states)).map(|(class, states)| {
        let there: Vec<&str> = states.iter().copied().filter(|state| is_there(&[state])).collect();
        (*class, 4.0, there.join(", ").replace('_', " "))
    });
    let round =
        drawing.jobs.iter().any(|job| job.is_verdict).then(|| ("", 8.0, "gives a verdict".to_owned()));
    let bar =
        drawing.jobs.iter().any(|job| job.is_repo_write).then(|| ("writes", 2.0, "changes code".to_owned()));
    let mut x = EDGE;
    for (class, round, said) in states.chain(round).chain(bar) {
        let (wide, shape) = if class == "writes" { (4.0, "") } else { (22.0, "job ") };
        let _ = writeln!(
            svg,
            "<rect class=\"{shape}{class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{wide}\" height=\"16\" rx=\"{round}\"/>\
             <text class=\"sub\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            y - 12.0,
            x + wide + 6.0,
            escaped(&said)
        );
        x += wide + 24.0 + said.chars().count() as f64 * 6.8;
    }
}

/// A text of at most so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A text as XML has it: what means something there as an entity, what may not be there written out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in harmless(text, "").chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}
