//! In which layer a job stands: below all that it waits for, and below all phases before its own.

use std::collections::VecDeque;

use super::Drawing;

/// The layer of each job, from 0. Where jobs wait for each other in a circle, the first of them comes first.
pub(super) fn layers(drawing: &Drawing) -> Vec<usize> {
    let count = drawing.jobs.len();
    let mut after = vec![Vec::new(); count];
    let mut waits = vec![0usize; count];
    for (from, to) in drawing.edges.iter().filter(|(from, to)| from != to) {
        after[*from].push(*to);
        waits[*to] += 1;
    }
    let order = order(&after, waits);
    let mut place = vec![0; count];
    order.iter().enumerate().for_each(|(at, job)| place[*job] = at);
    let mut base = vec![0; drawing.phases.len()];
    let mut layer = settle(drawing, &order, &place, &after, &base);
    for phase in 1..base.len() {
        let deepest =
            drawing.jobs.iter().zip(&layer).filter(|(job, _)| job.phase.is_some_and(|own| own < phase));
        let least = deepest.map(|(_, layer)| layer + 1).max().unwrap_or(0);
        let first = drawing.jobs.iter().zip(&layer).filter(|(job, _)| job.phase == Some(phase));
        let has_room = first.map(|(_, layer)| *layer).min().is_none_or(|first| first >= least);
        base[phase] = least;
        if !has_room {
            layer = settle(drawing, &order, &place, &after, &base);
        }
    }
    layer
}

fn settle(
    drawing: &Drawing,
    order: &[usize],
    place: &[usize],
    after: &[Vec<usize>],
    base: &[usize],
) -> Vec<usize> {
    let mut layer: Vec<usize> =
        drawing.jobs.iter().map(|job| job.phase.and_then(|at| base.get(at)).copied().unwrap_or(0)).collect();
    for job in order {
        for next in after[*job].iter().filter(|next| place[**next] > place[*job]) {
            layer[*next] = layer[*next].max(layer[*job] + 1);
        }
    }
    layer
}

/// All jobs, each after what it waits for.
fn order(after: &[Vec<usize>], mut waits: Vec<usize>) -> Vec<usize> {
    let count = waits.len();
    let mut free: VecDeque<usize> = (0..count).filter(|job| waits[*job] == 0).collect();
    let mut is_done = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut stuck = 0;
    while order.len() < count {
        let job = free.pop_front().unwrap_or_else(|| {
            while is_done[stuck] {
                stuck += 1;
            }
            stuck
        });
        if std::mem::replace(&mut is_done[job], true) {
            continue;
        }
        order.push(job);
        for next in &after[job] {
            waits[*next] = waits[*next].saturating_sub(1);
            if waits[*next] == 0 {
                free.push_back(*next);
            }
        }
    }
    order
}
