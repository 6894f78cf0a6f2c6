//! Effects: each makes one state of the host true that a decision ordered. `perform` can be repeated; `probe` says
//! whether it is so already.

mod agent_running;
mod agent_stopped;
mod branch_present;
pub mod scratch_present;

use serde_json::Value;

use crate::lanes::Lanes;

/// What was ordered: the arguments, and whose request ordered it.
pub struct Order<'a> {
    /// Of the kind.
    pub args: &'a Value,
    /// Whose request.
    pub client_id: &'a str,
    /// Which one.
    pub request_id: &'a str,
}

/// One kind of effect.
pub struct Effect {
    /// As the row and the registry name it.
    pub kind: &'static str,
    /// Makes it so. May block on the file system and on processes.
    pub perform: fn(&Lanes, &Order<'_>) -> Result<(), Problem>,
    /// What is seen of it where it is so; none where it is not.
    pub probe: fn(&Lanes, &Order<'_>) -> Result<Option<Value>, Problem>,
}

/// Why an effect could not be brought about.
#[derive(Debug)]
pub struct Problem {
    /// One sentence, for a person.
    pub says: String,
    /// Whether trying again without a change by somebody is of no use.
    pub is_hopeless: bool,
}

/// Every kind.
pub const EFFECTS: &[Effect] =
    &[agent_running::EFFECT, agent_stopped::EFFECT, branch_present::EFFECT, scratch_present::EFFECT];

/// Makes it so, unless it is so, and says what is seen of it: what a crash left half done is looked at before it is
/// done again.
///
/// # Errors
/// Why it is not so now.
pub fn bring_about(kind: &str, lanes: &Lanes, order: &Order<'_>) -> Result<Value, Problem> {
    let Some(effect) = EFFECTS.iter().find(|effect| effect.kind == kind) else {
        return Err(Problem { says: format!("this program knows no effect {kind}"), is_hopeless: true });
    };
    if let Some(seen) = (effect.probe)(lanes, order)? {
        return Ok(seen);
    }
    (effect.perform)(lanes, order)?;
    crate::fault::point("performed");
    (effect.probe)(lanes, order)?.ok_or_else(|| Problem {
        says: format!("{kind} does not hold after it was brought about"),
        is_hopeless: false,
    })
}
