//! Which frames a divergent ideation gets.

use std::collections::HashMap;

use super::data::{FRAMES, Frame, Structure};

/// So many frames, as texts: no axis twice before each was there once, at least a third of them with a structure that
/// forces something; those of the wanted axis first, then those for this shape of problem.
pub(super) fn chosen(count: usize, problem_shape: &str, axis: &str) -> Vec<String> {
    let mut library: Vec<&Frame> = FRAMES.iter().collect();
    let serves = |frame: &Frame| frame.serves.iter().any(|shape| shape == problem_shape);
    library.sort_by_key(|frame| (frame.axis != axis, !serves(frame)));
    let mut used: HashMap<&str, usize> = HashMap::new();
    let mut chosen = Vec::new();
    while chosen.len() < count && !library.is_empty() {
        let is_forcing =
            |frame: &Frame| matches!(frame.structure, Structure::Constraint | Structure::Transformation);
        let wants_force = chosen.len() < count.div_ceil(3) && library.iter().any(|frame| is_forcing(frame));
        let fitting = library.iter().enumerate().filter(|(_, frame)| !wants_force || is_forcing(frame));
        let uses = |frame: &Frame| used.get(frame.axis.as_str()).copied().unwrap_or_default();
        let Some((at, _)) = fitting.min_by_key(|(at, frame)| (uses(frame), *at)) else { break };
        let frame = library.remove(at);
        *used.entry(frame.axis.as_str()).or_default() += 1;
        chosen.push(frame.text.clone());
    }
    chosen
}
