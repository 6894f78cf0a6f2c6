//! From a shape to its jobs: each template once, or once for each entry of its list.

use std::collections::HashMap;

use super::data::adversary_packs;
use super::frames;
use super::options::{Chosen, problem, shown};
use super::pack::section;
use super::shape::{Job, Shape};
use super::text::{filled, letter};
use crate::problem::Problem;
use crate::workflow::vocabulary::CUSTOM_POSTURE;

/// The most entries of a list.
const MOST: usize = 1000;

/// A job that was made.
pub(super) struct Made<'s> {
    pub(super) of: &'s Job,
    pub(super) id: String,
    /// Its place in its list, from 0.
    pub(super) at: usize,
    pub(super) role: String,
    pub(super) phase: Option<String>,
    pub(super) posture: Option<String>,
    /// Ids before it.
    pub(super) after: Vec<String>,
    pub(super) asks: Vec<String>,
    /// Name and kind of what it leaves.
    pub(super) leaves: Vec<(String, String)>,
    /// What its texts are filled in with.
    pub(super) words: Vec<(&'s str, String)>,
}

/// A phase that was made: id, name, the job that closes it, what it withholds until which job's verdict.
pub(super) struct MadePhase {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) closed_by: String,
    pub(super) gate: Option<(Vec<String>, String)>,
}

/// A shape, expanded.
pub(super) struct Expanded<'s> {
    pub(super) jobs: Vec<Made<'s>>,
    pub(super) phases: Vec<MadePhase>,
    /// From and to.
    pub(super) cycles: Vec<(String, String)>,
}

/// Makes the jobs of a shape with what was chosen; what cannot be made goes to the problems.
pub(super) fn expand<'s>(
    shape: &'s Shape,
    chosen: &'s Chosen,
    roles: impl Fn(&str) -> Vec<&'static str>,
    problems: &mut Vec<Problem>,
) -> Expanded<'s> {
    let mut by_key: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut jobs: Vec<Made<'s>> = Vec::new();
    for of in &shape.jobs {
        let items = items(chosen, of.each.as_deref(), &of.key, problems);
        let count = items.len();
        for (at, item) in items.into_iter().enumerate() {
            let words = words(shape, chosen, at, count, item.as_deref());
            let plain = of.key.replace('_', "-");
            let id = filled(of.id.as_deref().unwrap_or(&plain), &words);
            let pack = of.roles.as_deref().and_then(|option| chosen.text(option)).map(&roles);
            let role = pack.filter(|pack| !pack.is_empty()).map(|pack| pack[at % pack.len()].to_owned());
            by_key.entry(&of.key).or_default().push(jobs.len());
            jobs.push(Made {
                role: role.unwrap_or_else(|| filled(&of.role, &words)),
                phase: of.phase.as_deref().map(|phase| filled(phase, &words)),
                posture: posture(of, chosen, at).map(|posture| filled(&posture, &words)),
                after: Vec::new(),
                asks: Vec::new(),
                leaves: leaves(of, shape, chosen, &words, problems),
                of,
                id,
                at,
                words,
            });
        }
    }
    let named = |who: &Made<'_>, reference: &str, problems: &mut Vec<Problem>| -> Vec<String> {
        let (key, mark) = match reference.strip_suffix(['<', '*']) {
            Some(key) => (key, reference.chars().last()),
            None => (reference, None),
        };
        let Some(all) = by_key.get(key) else {
            let said = format!("has the job {}, which names {}", who.of.key, shown(reference));
            problems.push(problem(
                "the shape",
                said,
                "name the key of a job, with < or * behind it or without",
            ));
            return Vec::new();
        };
        let is_same_list = who.of.each.is_some() && jobs[all[0]].of.each == who.of.each;
        let one = |at: Option<usize>| at.and_then(|at| all.get(at)).into_iter().copied().collect();
        let chosen: Vec<usize> = match mark {
            Some('<') => one(who.at.checked_sub(1)),
            None if is_same_list => one(Some(who.at)),
            _ => all.clone(),
        };
        chosen.into_iter().map(|job| jobs[job].id.clone()).collect()
    };
    let mut links: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    let mut cycles = Vec::new();
    for made in &jobs {
        let mut all = |list: &[String]| -> Vec<String> {
            list.iter().flat_map(|reference| named(made, reference, problems)).collect()
        };
        links.push((all(&made.of.after), all(&made.of.asks)));
        for cycle in shape.cycles.iter().filter(|cycle| cycle.from == made.of.key) {
            cycles
                .extend(named(made, &cycle.to, problems).into_iter().next().map(|to| (made.id.clone(), to)));
        }
    }
    for cycle in shape.cycles.iter().filter(|cycle| !by_key.contains_key(cycle.from.as_str())) {
        problems.push(problem(
            "the shape",
            format!("has a cycle from {}", shown(&cycle.from)),
            "name a job's key",
        ));
    }
    let phases = phases(shape, chosen, &by_key, &jobs, problems);
    for (made, (after, asks)) in jobs.iter_mut().zip(links) {
        (made.after, made.asks) = (after, asks);
    }
    let place =
        |made: &Made<'_>| phases.iter().position(|phase| made.phase.as_deref() == Some(phase.id.as_str()));
    jobs.sort_by_key(place);
    Expanded { jobs, phases, cycles }
}

fn phases(
    shape: &Shape,
    chosen: &Chosen,
    by_key: &HashMap<&str, Vec<usize>>,
    jobs: &[Made<'_>],
    problems: &mut Vec<Problem>,
) -> Vec<MadePhase> {
    let mut made = Vec::new();
    for phase in &shape.phases {
        let items = items(chosen, phase.each.as_deref(), &phase.id, problems);
        let count = items.len();
        for (at, item) in items.into_iter().enumerate() {
            let words = words(shape, chosen, at, count, item.as_deref());
            let mut closing = |key: &str| {
                let found = by_key.get(key).and_then(|all| all.get(at).or(all.first()));
                if found.is_none() {
                    let said = format!("has the phase {}, which names {}", phase.id, shown(key));
                    problems.push(problem("the shape", said, "name the key of a job"));
                }
                found.map(|job| jobs[*job].id.clone()).unwrap_or_default()
            };
            made.push(MadePhase {
                id: filled(&phase.id, &words),
                name: phase.name.as_deref().map(|name| filled(name, &words)),
                closed_by: closing(&phase.closed_by),
                gate: phase.gate.as_ref().map(|gate| (gate.withhold.clone(), closing(&gate.until))),
            });
        }
    }
    made
}

/// The entries of a list; one without a value where there is none.
fn items(chosen: &Chosen, list: Option<&str>, of: &str, problems: &mut Vec<Problem>) -> Vec<Option<String>> {
    let Some(list) = list else { return vec![None] };
    let count = chosen.count(list).map(|count| (1..=count.min(MOST)).map(|n| n.to_string()).collect());
    let frames = || {
        let count = chosen.count("branch_count").unwrap_or_default();
        let problem_shape = chosen.text("problem_shape").unwrap_or_default();
        frames::chosen(count, problem_shape, chosen.text("frame_pack").unwrap_or_default())
    };
    let items: Option<Vec<String>> = match list {
        "frames" => Some(frames()),
        list => {
            count.or_else(|| chosen.texts(list)).or_else(|| Some(vec![String::new(); list.parse().ok()?]))
        }
    };
    match items {
        Some(items) if items.len() <= MOST => items.into_iter().map(Some).collect(),
        _ => {
            // An option that was refused has been told of already.
            if problems.is_empty() {
                let said = format!("has {of} for each of {}, which is no list", shown(list));
                problems.push(problem(
                    "the shape",
                    said,
                    "name an option that is a count or a list, or a number",
                ));
            }
            Vec::new()
        }
    }
}

fn words<'s>(
    shape: &Shape,
    chosen: &'s Chosen,
    at: usize,
    count: usize,
    item: Option<&str>,
) -> Vec<(&'s str, String)> {
    let mut words = chosen.words();
    words.extend([
        ("n", (at + 1).to_string()),
        ("letter", letter(at)),
        ("count", count.to_string()),
        ("shape", shape.name.to_owned()),
    ]);
    if let Some(item) = item {
        words.extend([("item", item.to_owned()), ("slug", item.replace('_', "-"))]);
    }
    words
}

fn leaves(
    of: &Job,
    shape: &Shape,
    chosen: &Chosen,
    words: &[(&str, String)],
    problems: &mut Vec<Problem>,
) -> Vec<(String, String)> {
    let mut made = Vec::new();
    for leaf in &of.leaves {
        let Some(each) = &leaf.each else {
            made.push((filled(&leaf.name, words), leaf.kind.clone()));
            continue;
        };
        let items = items(chosen, Some(each), &leaf.name, problems);
        let count = items.len();
        for (at, item) in items.into_iter().enumerate() {
            let own = self::words(shape, chosen, at, count, item.as_deref());
            made.push((filled(&leaf.name, &own), leaf.kind.clone()));
        }
    }
    made
}

/// The posture of the `at`th job.
fn posture(of: &Job, chosen: &Chosen, at: usize) -> Option<String> {
    let own = of.postures.as_deref().and_then(|option| chosen.texts(option)).unwrap_or_default();
    let packs = of.more_postures.as_deref().and_then(|option| chosen.texts(option)).unwrap_or_default();
    let of_pack = |name: &String| adversary_packs().iter().find(|pack| pack.name == name);
    let more = packs.iter().filter_map(of_pack).flat_map(|pack| &pack.members);
    let all: Vec<String> =
        own.into_iter().chain(more.map(|(id, _)| format!("{CUSTOM_POSTURE}{id}"))).collect();
    of.posture.clone().or_else(|| all.get(at % all.len().max(1)).cloned())
}

/// What an adversary pack says to a posture: of the whole pack, or of one of its sides.
pub(super) fn side(posture: &str) -> Option<String> {
    let own = posture.strip_prefix(CUSTOM_POSTURE)?;
    adversary_packs().iter().find_map(|pack| {
        if pack.name == own {
            let points = pack.members.iter().map(|(id, text)| format!("- **{id}**: {text}"));
            return Some(format!("{}\n\n{}", pack.about, points.collect::<Vec<_>>().join("\n")));
        }
        section(&pack.members, own).map(str::to_owned)
    })
}
