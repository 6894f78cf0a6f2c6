//! Where everything stands: jobs in layers from above to below, few lines crossing, each line through gaps
//! between jobs.

use super::Drawing;

/// Columns and rows of a job.
pub(super) const WIDTH: f64 = 236.0;
pub(super) const HEIGHT: f64 = 58.0;
/// Between two jobs of a layer, and around a line that passes between them.
const GAP: f64 = 26.0;
const LINE: f64 = 16.0;
/// Between two layers.
const BETWEEN: f64 = 46.0;
/// Above and below the jobs of a phase.
const HEAD: f64 = 34.0;
const FOOT: f64 = 18.0;
const APART: f64 = 22.0;
/// Lines that pass through more layers than this in all are drawn straight: nobody follows them by eye.
const MOST_TURNS: usize = 20_000;
const SWEEPS: usize = 12;

/// Where a drawing's parts stand.
pub(super) struct Layout {
    /// The middle of each job.
    pub(super) jobs: Vec<(f64, f64)>,
    /// The points of each edge, in the order of the drawing's.
    pub(super) edges: Vec<Vec<(f64, f64)>>,
    /// From where to where each phase reaches.
    pub(super) phases: Vec<Reach>,
    /// The columns that jobs and edges take.
    pub(super) width: f64,
    /// The rows.
    pub(super) height: f64,
    /// The layer of each job, and the right end of each layer.
    pub(super) layers: Vec<usize>,
    pub(super) right: Vec<f64>,
}

/// From where to where a phase reaches.
type Reach = Option<(f64, f64)>;

/// What stands in a layer: a job, or a line that passes.
struct Slot {
    half: f64,
    x: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// Lays a drawing out.
pub(super) fn layout(drawing: &Drawing) -> Layout {
    let layers = drawing.layers();
    let depth = layers.iter().max().map_or(0, |deepest| deepest + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth];
    let mut slots: Vec<Slot> = Vec::new();
    let slot = |layer: usize, half: f64, rows: &mut Vec<Vec<usize>>, slots: &mut Vec<Slot>| {
        rows[layer].push(slots.len());
        slots.push(Slot { half, x: 0.0, above: Vec::new(), below: Vec::new() });
        slots.len() - 1
    };
    for layer in &layers {
        slot(*layer, WIDTH / 2.0 + GAP / 2.0, &mut rows, &mut slots);
    }
    let turns: usize =
        drawing.edges.iter().map(|(from, to)| layers[*to].saturating_sub(layers[*from] + 1)).sum();
    let mut ways: Vec<Vec<usize>> = Vec::new();
    for (from, to) in &drawing.edges {
        let mut way = vec![*from];
        if turns <= MOST_TURNS {
            for layer in layers[*from] + 1..layers[*to] {
                way.push(slot(layer, LINE / 2.0, &mut rows, &mut slots));
            }
        }
        way.push(*to);
        for pair in way.windows(2) {
            slots[pair[0]].below.push(pair[1]);
            slots[pair[1]].above.push(pair[0]);
        }
        ways.push(way);
    }
    sort(&mut rows, &mut slots);
    settle(&rows, &mut slots);
    let left = slots.iter().map(|slot| slot.x - slot.half).fold(f64::INFINITY, f64::min);
    let left = if left.is_finite() { left } else { 0.0 };
    slots.iter_mut().for_each(|slot| slot.x -= left);
    let (tops, phases, height) = heights(drawing, &layers, depth);
    let middle = |slot: usize, layer: usize| (slots[slot].x, tops[layer] + HEIGHT / 2.0);
    let edges = ways.iter().map(|way| {
        let first = layers[way[0]];
        way.iter()
            .enumerate()
            .map(|(at, slot)| middle(*slot, if at + 1 == way.len() { layers[way[at]] } else { first + at }))
            .collect()
    });
    let right: Vec<f64> = rows
        .iter()
        .map(|row| row.iter().map(|at| slots[*at].x + slots[*at].half).fold(0.0, f64::max))
        .collect();
    Layout {
        jobs: layers.iter().enumerate().map(|(at, layer)| middle(at, *layer)).collect(),
        edges: edges.collect(),
        phases,
        width: right.iter().copied().fold(0.0, f64::max),
        height,
        right,
        layers,
    }
}

/// The upper end of each layer, from where to where each phase reaches, and the height of all.
fn heights(drawing: &Drawing, layers: &[usize], depth: usize) -> (Vec<f64>, Vec<Reach>, f64) {
    let mut reach: Vec<Option<(usize, usize)>> = vec![None; drawing.phases.len()];
    for (job, layer) in drawing.jobs.iter().zip(layers) {
        if let Some(reach) = job.phase.and_then(|at| reach.get_mut(at)) {
            let (first, last) = reach.unwrap_or((*layer, *layer));
            *reach = Some((first.min(*layer), last.max(*layer)));
        }
    }
    let begins = |layer: usize| reach.iter().flatten().any(|(first, _)| *first == layer);
    let ends = |layer: usize| reach.iter().flatten().any(|(_, last)| *last == layer);
    let mut tops = Vec::with_capacity(depth);
    let mut y = 0.0;
    for layer in 0..depth {
        if begins(layer) {
            y += HEAD;
        }
        tops.push(y);
        y += HEIGHT + if ends(layer) { FOOT + APART } else { BETWEEN };
    }
    let has_end = depth > 0 && ends(depth - 1);
    let height = (y - if has_end { APART } else { BETWEEN }).max(0.0);
    let band = |reach: &Option<(usize, usize)>| {
        reach.map(|(first, last)| (tops[first] - HEAD, tops[last] + HEIGHT + FOOT))
    };
    let phases = reach.iter().map(band).collect();
    (tops, phases, height)
}

/// Puts each layer into an order in which few lines cross: by the middle of the neighbours, from above and from below.
fn sort(rows: &mut [Vec<usize>], slots: &mut [Slot]) {
    let place = |rows: &[Vec<usize>], slots: &mut [Slot]| {
        for row in rows {
            for (at, slot) in row.iter().enumerate() {
                // A layer of few stands in the middle of one of many.
                slots[*slot].x = at as f64 - (row.len() as f64 - 1.0) / 2.0;
            }
        }
    };
    place(rows, slots);
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        let count = rows.len();
        for at in 0..count {
            let row = if is_down { at } else { count - 1 - at };
            let middle = |slot: &usize| {
                let near = if is_down { &slots[*slot].above } else { &slots[*slot].below };
                mean(near, slots).unwrap_or(slots[*slot].x)
            };
            let mut keyed: Vec<(f64, usize)> = rows[row].iter().map(|slot| (middle(slot), *slot)).collect();
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
            rows[row] = keyed.into_iter().map(|(_, slot)| slot).collect();
            place(std::slice::from_ref(&rows[row]), slots);
        }
    }
}

/// Gives each slot its column: as near to its neighbours as the order and the widths allow.
fn settle(rows: &[Vec<usize>], slots: &mut [Slot]) {
    for row in rows {
        let mut x = 0.0;
        for slot in row {
            x += slots[*slot].half;
            slots[*slot].x = x;
            x += slots[*slot].half;
        }
        row.iter().for_each(|slot| slots[*slot].x -= x / 2.0);
    }
    for sweep in 0..SWEEPS * 2 {
        let is_down = sweep % 2 == 0;
        let count = rows.len();
        for at in 0..count {
            let row = &rows[if is_down { at } else { count - 1 - at }];
            let wanted: Vec<(f64, f64)> = row
                .iter()
                .map(|slot| {
                    let near = match (is_down, sweep + 2 < SWEEPS * 2) {
                        (true, true) => slots[*slot].above.clone(),
                        (false, true) => slots[*slot].below.clone(),
                        _ => [slots[*slot].above.clone(), slots[*slot].below.clone()].concat(),
                    };
                    // A line wants to be straight more than a job wants to be in the middle.
                    let weight = if slots[*slot].half < WIDTH / 2.0 { 4.0 } else { 1.0 };
                    (mean(&near, slots).unwrap_or(slots[*slot].x), weight)
                })
                .collect();
            let halves: Vec<f64> = row.iter().map(|slot| slots[*slot].half).collect();
            for (slot, x) in row.iter().zip(spread(&wanted, &halves)) {
                slots[*slot].x = x;
            }
        }
    }
}

fn mean(near: &[usize], slots: &[Slot]) -> Option<f64> {
    let sum: f64 = near.iter().map(|slot| slots[*slot].x).sum();
    (!near.is_empty()).then(|| sum / near.len() as f64)
}

/// The columns nearest to the wanted ones, by squares, at which nothing overlaps: neighbours that would are moved
/// together.
fn spread(wanted: &[(f64, f64)], halves: &[f64]) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(halves.len());
    let mut offset = 0.0;
    for (at, half) in halves.iter().enumerate() {
        if at > 0 {
            offset += halves[at - 1] + half;
        }
        offsets.push(offset);
    }
    // Of each block the sum of weighted places, the weight, and how many it has.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for ((want, weight), offset) in wanted.iter().zip(&offsets) {
        let mut block = ((want - offset) * weight, *weight, 1);
        while let Some(last) = blocks.last().filter(|last| last.0 / last.1 >= block.0 / block.1) {
            block = (last.0 + block.0, last.1 + block.1, last.2 + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let places = blocks.iter().flat_map(|(sum, weight, count)| std::iter::repeat_n(sum / weight, *count));
    places.zip(&offsets).map(|(place, offset)| place + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn what_would_overlap_is_moved_together_and_the_rest_stays() {
        assert_eq!(spread(&[(0.0, 1.0), (100.0, 1.0)], &[10.0, 10.0]), [0.0, 100.0]);
        assert_eq!(spread(&[(0.0, 1.0), (0.0, 1.0)], &[10.0, 10.0]), [-10.0, 10.0]);
        assert_eq!(spread(&[(0.0, 1.0), (0.0, 3.0), (90.0, 1.0)], &[10.0, 10.0, 10.0]), [-15.0, 5.0, 90.0]);
        assert_eq!(spread(&[], &[]), [0.0; 0]);
    }
}
