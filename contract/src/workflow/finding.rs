//! What is wrong with a workflow.

use serde::Serialize;

/// Findings that are kept; what is more is counted in the last of them.
const MOST_LISTED: usize = 100;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The stable name of the rule.
    pub code: &'static str,
    /// Where, as a JSON pointer into the file; where a key is missing, the object that should have it.
    pub pointer: String,
    /// What, as the end of a sentence about that place.
    pub message: String,
    /// What to do instead.
    pub hint: String,
}

/// Findings as they come.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    count: usize,
}

impl Findings {
    pub(super) fn add(
        &mut self,
        code: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.count += 1;
        if self.list.len() < MOST_LISTED {
            let (pointer, message, hint) = (pointer.into(), message.into(), hint.into());
            self.list.push(Finding { code, pointer, message, hint });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn into_list(mut self) -> Vec<Finding> {
        if self.count > MOST_LISTED {
            self.list.push(Finding {
                code: "problems_cut",
                pointer: String::new(),
                message: format!("has {} problems more", self.count - MOST_LISTED),
                hint: "mend these first".to_owned(),
            });
        }
        self.list
    }
}
