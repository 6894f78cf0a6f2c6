//! Artifacts: what a file of each kind has to be, and all that is wrong with one at once.
//!
//! The contracts are data (`contract/artifacts/`, one JSON Schema a kind); what a schema cannot say is a rule, one file
//! each (`rules/`). Nothing here changes a file: a corrected block is an offer.

mod block;
mod codes;
mod contract;
mod correct;
mod moment;
mod node;
mod placeholder;
mod problem;
mod reader;
mod rules;
mod shape;
mod teach;
mod typed;
mod write;

use serde::Serialize;
use serde_json::Value;

pub use block::{BEGINNING, MOST_OCTETS};
pub use codes::{Code, codes};
pub use contract::{
    Contract, FrontMatter, KINDS, Kind, Placement, Retention, STANDARD_METADATA, contract, kind, nearest_kind,
};
pub use problem::Problem;
pub use teach::{block_of, kinds_page, page, shown_kinds};

use problem::Problems;

/// What a look at a file's front matter says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// As what it was looked at.
    pub kind: String,
    /// The front matter, typed as the contract says; null where there is none, or it cannot be read.
    pub front_matter: Value,
    /// All that is wrong, in the order of the file; the first hundred.
    pub problems: Vec<Problem>,
    /// How many problems more there are.
    pub more: usize,
    /// A block that keeps what is valid, with `<choose: a|b>` and `<fill in: ...>` where the author has to decide; null
    /// where nothing is wrong.
    pub corrected: Option<String>,
}

impl Checked {
    /// Whether nothing is wrong.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Looks at the front matter of a file that is to be an artifact of a kind. Of a long file [`BEGINNING`] octets do.
///
/// A kind that nobody knows is a problem of its own; one without a contract has none.
pub fn check(kind_name: &str, file: &[u8]) -> Checked {
    let mut problems = Problems::default();
    let checked = |front_matter, corrected, mut problems: Problems| {
        problems.list.sort_by_key(|problem| (problem.line, problem.column));
        let more = problems.count - problems.list.len();
        Checked { kind: kind_name.to_owned(), front_matter, problems: problems.list, more, corrected }
    };
    let Some(known) = kind(kind_name) else {
        problems.add(unknown_kind(kind_name));
        return checked(Value::Null, None, problems);
    };
    let Some(contract) = contract(kind_name) else { return checked(Value::Null, None, problems) };
    let block = match block::find(file) {
        Ok(Some(block)) => block,
        Ok(None) if known.front_matter == FrontMatter::Required => {
            let message = format!("the file has no front matter, which {kind_name} requires");
            let hint = "the first line is three dashes, nothing before and nothing but blanks behind them";
            problems.add(Problem::of_file("front_matter_missing", message, hint));
            return checked(Value::Null, Some(correct::blank_block(contract)), problems);
        }
        Ok(None) => return checked(Value::Null, None, problems),
        Err(problem) => {
            problems.add(*problem);
            return checked(Value::Null, Some(correct::blank_block(contract)), problems);
        }
    };
    let node = match reader::read(block) {
        Ok(node) => node,
        Err(problem) => {
            problems.add(*problem);
            return checked(Value::Null, Some(correct::blank_block(contract)), problems);
        }
    };
    let values = typed::typed(&node, Some(&contract.schema));
    let repeated = node.repeated();
    for (pointer, entry) in &repeated {
        let shown = problem::field(pointer);
        for place in &entry.repeated {
            let message = format!("{shown} stands on line {} and on line {}", entry.place.0, place.0);
            problems.add(Problem::at("key_repeated", pointer.clone(), *place, message, "keep one of them"));
        }
    }
    shape::check(contract, &values, &node, &mut problems);
    for rule in rules::RULES.iter().filter(|rule| rule.kind == kind_name) {
        for hit in (rule.check)(&values) {
            let place = node.place_of(&hit.pointer);
            let given = values.pointer(&hit.pointer).and_then(Value::as_str).map(problem::told);
            let mut problem = Problem::at(rule.code, hit.pointer, place, hit.message, hit.hint);
            (problem.allowed, problem.given) = (hit.allowed, given);
            problems.add(problem);
        }
    }
    let corrected = if problems.count > 0 {
        let undecided = repeated.iter().map(|(pointer, _)| pointer.as_str());
        correct::corrected(contract, &values, undecided)
    } else {
        None
    };
    checked(values, corrected, problems)
}

/// What an unknown kind is told.
fn unknown_kind(name: &str) -> Problem {
    let shown = problem::told(name);
    let hint = match nearest_kind(name) {
        Some(near) => format!("perhaps {near} was meant; striatum artifact kinds lists all"),
        None => "striatum artifact kinds lists all".to_owned(),
    };
    let mut problem = Problem::of_file("kind_unknown", format!("there is no kind {shown:?}"), hint);
    problem.given = Some(shown);
    problem.allowed = KINDS.iter().map(|kind| kind.kind.clone()).collect();
    problem
}
