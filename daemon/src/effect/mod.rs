//! Effects: each makes one state of the host true that a decision ordered. `perform` can be repeated; `probe` says
//! whether it is so already.

pub mod scratch_present;

use serde_json::Value;

/// One kind of effect.
pub struct Effect {
    /// As the row and the registry name it.
    pub kind: &'static str,
    /// Makes it so. May block on the file system.
    pub perform: fn(&Value) -> Result<(), Problem>,
    /// Whether it is so.
    pub probe: fn(&Value) -> Result<bool, Problem>,
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
pub const EFFECTS: &[Effect] = &[scratch_present::EFFECT];

/// Makes it so, unless it is so: what a crash left half done is looked at before it is done again.
///
/// # Errors
/// Why it is not so now.
pub fn bring_about(kind: &str, args: &Value) -> Result<(), Problem> {
    let Some(effect) = EFFECTS.iter().find(|effect| effect.kind == kind) else {
        return Err(Problem { says: format!("this program knows no effect {kind}"), is_hopeless: true });
    };
    if (effect.probe)(args)? {
        return Ok(());
    }
    (effect.perform)(args)?;
    crate::fault::point("performed");
    if (effect.probe)(args)? {
        Ok(())
    } else {
        Err(Problem { says: format!("{kind} does not hold after it was brought about"), is_hopeless: false })
    }
}
