//! The edges of a workflow as a graph: circles, ways, what lies before what.

use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::model::Workflow;

/// Of the jobs of a workflow, by their places in its list. An edge that stands twice is one, and one to itself none.
#[derive(Debug)]
pub struct Graph {
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    /// Jobs that wait for each other, with what they lead to, themselves too; the last ones come first.
    knots: Vec<(Vec<usize>, FixedBitSet)>,
    /// Of each job its knot.
    knot: Vec<usize>,
}

impl Graph {
    /// Of the edges of a workflow.
    pub fn of(workflow: &Workflow<'_>) -> Self {
        let count = workflow.jobs.len();
        let mut edges: Vec<(usize, usize)> = workflow
            .edges
            .iter()
            .filter_map(|edge| Some((edge.from?, edge.to?)))
            .filter(|(from, to)| from != to)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(count, edges.len());
        for _ in 0..count {
            graph.add_node(());
        }
        let (mut before, mut after) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (from, to) in edges {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            before[to].push(from);
            after[from].push(to);
        }
        let mut knot = vec![0; count];
        let mut knots: Vec<(Vec<usize>, FixedBitSet)> = Vec::new();
        for members in kosaraju_scc(&graph) {
            let members: Vec<usize> = members.into_iter().map(NodeIndex::index).collect();
            let mut reach = FixedBitSet::with_capacity(count);
            for member in &members {
                reach.insert(*member);
                knot[*member] = knots.len();
            }
            for next in members.iter().flat_map(|member| &after[*member]) {
                // What comes after has its knot already; this one's is still to come.
                if knot[*next] != knots.len() {
                    reach.union_with(&knots[knot[*next]].1);
                }
            }
            knots.push((members, reach));
        }
        Self { before, after, knots, knot }
    }

    /// The jobs directly before one.
    pub fn before(&self, job: usize) -> &[usize] {
        &self.before[job]
    }

    /// The jobs directly after one.
    pub fn after(&self, job: usize) -> &[usize] {
        &self.after[job]
    }

    /// Whether edges lead from one job to another one; a job leads to itself.
    pub fn leads(&self, from: usize, to: usize) -> bool {
        self.knots[self.knot[from]].1.contains(to)
    }

    /// Jobs that wait for each other in a circle, so that none of them ever begins; in the order of the file.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        let circles = self.knots.iter().map(|(members, _)| members).filter(|members| members.len() > 1);
        let mut circles: Vec<Vec<usize>> = circles.cloned().collect();
        circles.iter_mut().for_each(|members| members.sort_unstable());
        circles.sort_unstable();
        circles
    }
}
