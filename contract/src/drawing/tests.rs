//! Tests of drawings.

use serde_json::{Value, json};

use super::layout::{HEIGHT, WIDTH, layout};
use super::{Cycle, Drawing, Job, Phase};
use crate::workflow::model::Workflow;

fn job(id: &str, phase: Option<usize>) -> Job {
    Job { id: id.to_owned(), kind: "draft".to_owned(), role: "author".to_owned(), phase, ..Job::default() }
}

/// Twenty jobs in eight phases, with ways back.
fn twenty() -> Drawing {
    let mut drawing = Drawing { title: "twenty".to_owned(), ..Drawing::default() };
    let counts = [3, 1, 2, 4, 1, 2, 1, 6];
    for (phase, count) in counts.into_iter().enumerate() {
        drawing.phases.push(Phase { id: format!("p{phase}"), name: None });
        let first = drawing.jobs.len();
        for at in 0..count {
            drawing.jobs.push(job(&format!("j{phase}-{at}"), Some(phase)));
            if phase > 0 {
                // Each job of a phase waits for one of the phase before.
                drawing.edges.push((first - 1 - at % counts[phase - 1], first + at));
            }
        }
    }
    drawing.edges.push((0, 19));
    drawing.cycles.push(Cycle { from: 19, to: 3, most: Some(2), used: None });
    drawing
}

#[test]
fn no_two_jobs_overlap_and_each_stands_in_its_phase_below_what_it_waits_for() {
    let drawing = twenty();
    assert_eq!((drawing.jobs.len(), drawing.phases.len()), (20, 8));
    let layout = layout(&drawing);
    for (at, (x, y)) in layout.jobs.iter().enumerate() {
        for (other_x, other_y) in &layout.jobs[at + 1..] {
            assert!((x - other_x).abs() >= WIDTH || (y - other_y).abs() >= HEIGHT, "{at}");
        }
        let (top, bottom) = layout.phases[drawing.jobs[at].phase.expect("a phase")].expect("it has jobs");
        assert!(y - HEIGHT / 2.0 > top && y + HEIGHT / 2.0 < bottom, "{at} stands out of its phase");
        assert!(x - WIDTH / 2.0 >= 0.0 && x + WIDTH / 2.0 <= layout.width, "{at} stands out of the drawing");
    }
    for (from, to) in &drawing.edges {
        assert!(layout.jobs[*from].1 + HEIGHT < layout.jobs[*to].1, "{from} does not stand above {to}");
    }
    for (one, other) in layout.phases.iter().zip(&layout.phases[1..]) {
        assert!(one.expect("jobs").1 < other.expect("jobs").0, "phases stand one below the other");
    }
    // A line that passes layers stays clear of what stands in them.
    let long = layout.edges.last().expect("an edge");
    assert_eq!(long.len(), layout.layers[19] - layout.layers[0] + 1);
    for (x, y) in &long[1..long.len() - 1] {
        for (job_x, job_y) in layout.jobs.iter().filter(|(_, job_y)| (job_y - y).abs() < 1.0) {
            assert!((job_x - x).abs() > WIDTH / 2.0, "{x} {y} runs through the job at {job_x} {job_y}");
        }
    }
}

/// Whatever a file holds, its drawing is well formed, runs nothing, and calls nobody.
#[test]
fn what_a_file_says_is_text_and_nothing_else() {
    let evil = "</text><script>alert(1)</script>&\"'`\u{1b}[2J\u{202e}\u{0}\n#]]>--> ";
    let mut drawing = twenty();
    drawing.title = evil.to_owned();
    drawing.state = Some(evil.to_owned());
    drawing.phases[0] = Phase { id: evil.to_owned(), name: Some(evil.to_owned()) };
    drawing.jobs[0] = Job {
        id: evil.to_owned(),
        kind: evil.to_owned(),
        title: evil.to_owned(),
        role: evil.to_owned(),
        lane: Some(evil.to_owned()),
        state: Some(evil.to_owned()),
        phase: Some(0),
        attempt: Some(2),
        is_verdict: true,
        is_repo_write: true,
    };
    let svg = drawing.svg();
    assert!(!svg.contains("<script") && svg.matches("w3.org").count() == 1, "{svg}");
    assert!(!svg.contains("href") && !svg.contains("onload"), "{svg}");
    assert!(svg.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{svg}");
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    let mermaid = drawing.mermaid();
    assert!(!mermaid.contains("<script") && !mermaid.contains('\u{1b}'), "{mermaid}");
    assert_eq!(
        mermaid.lines().filter(|line| line.contains("alert")).count(),
        3,
        "title, phase and job: {mermaid}"
    );
    assert!(drawing.ascii().contains("j0-1"));
}

#[test]
fn a_run_is_drawn_as_far_as_it_is() {
    let data = json!({
        "run": {"run_id": "run_1", "name": "a run", "state": "running"},
        "phases": [{"id": "one", "name": "First", "synthesis_job_id": "review"}],
        "jobs": [
            {"job": "draft", "job_type": "draft", "title": "T", "role_id": "author", "lane_id": "a", "phase_id": "one",
             "is_verdict": false, "is_repo_write": true, "state": "completed", "attempt": 2},
            {"job": "review", "job_type": "review", "title": "T", "role_id": "reviewer", "lane_id": null,
             "phase_id": "one", "is_verdict": true, "is_repo_write": false, "state": "waiting_human", "attempt": 1}],
        "edges": [{"from": "draft", "to": "review"}, {"from": "draft", "to": "nobody"}],
        "cycles": [{"from": "review", "to": "draft", "max_iterations": 2, "iterations": 1}],
    });
    let drawing = Drawing::of_run(&data);
    assert_eq!(
        drawing.ascii(),
        "run_1: a run\nrunning\n\n[one] First\n  1  completed #2   draft   draft   author @ a\n  \
         2  waiting_human  review  review  reviewer    <- draft  (back to draft, 1 of 2)\n"
    );
    let svg = drawing.svg();
    for part in [
        "class=\"job done\"",
        "class=\"job asks\"",
        ">completed #2<",
        ">1 of 2<",
        "running  ·  1 of 2 jobs completed",
    ] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    assert!(drawing.mermaid().contains("classDef done ") && drawing.mermaid().contains("  class j0 done\n"));
    assert_eq!(
        drawing.json()["cycles"],
        json!([{"from": "review", "to": "draft", "max_iterations": 2, "iterations": 1}])
    );
    assert_eq!(drawing.json()["jobs"][0]["layer"], 0);
}

/// Also where no edge says it yet.
#[test]
fn a_later_phase_stands_below() {
    let mut drawing = Drawing { jobs: vec![job("b", Some(1)), job("a", Some(0))], ..Drawing::default() };
    drawing.phases = ["one", "two"].map(|id| Phase { id: id.to_owned(), name: None }).into();
    assert_eq!(drawing.layers(), [1, 0]);
}

/// Also what is refused can be looked at: jobs that wait for each other, edges to nowhere.
#[test]
fn a_circle_is_drawn_too() {
    let workflow = json!({"workflow_id": "w", "name": "n", "jobs": [{"id": "a"}, {"id": "b"}, {"id": "b"}],
        "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}, {"from": "a", "to": "a"},
                  {"from": "x", "to": "a"}]});
    let drawing = Drawing::of(&Workflow::of(&workflow));
    assert!(drawing.svg().ends_with("</svg>\n"));
    assert_eq!(drawing.layers(), [0, 1, 0]);
    let empty = Drawing::of(&Workflow::of(&Value::Null));
    assert!(empty.svg().ends_with("</svg>\n") && empty.ascii().starts_with(": \n"));
}
