//! The catalogue: shapes of workflows, lanes to run them in, roles and adversaries, and workflows made of them.
//!
//! All of it is data below `contract/catalogue/`, compiled in: nothing is fetched, and nothing of a repository
//! extends it. What is made goes through the checker before anybody sees it.

mod data;
mod expand;
mod frames;
mod generate;
mod lanes;
mod node;
mod options;
mod pack;
mod plan;
mod prompts;
mod shape;
mod text;
mod write;

#[cfg(test)]
mod tests;

pub use data::{LANE_SETS, ROLE_PACKS, SHAPES, adversary_packs};
pub use generate::{File, Generated, Request, generate};
pub use lanes::{LaneSet, SetLane};
pub use options::{COMMON, Kind, Spec};
pub use pack::Pack;
pub use plan::PLAN;
pub use shape::{Shape, Tier};

/// The shape of a name.
pub fn shape(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.name == name)
}

/// The lane set of a name.
pub fn lane_set(name: &str) -> Option<&'static LaneSet> {
    LANE_SETS.iter().find(|set| set.name == name)
}
