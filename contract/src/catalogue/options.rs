//! Options: what may be chosen of a shape, and what somebody chose.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::data::{ROLE_PACKS, adversary_packs};
use super::shape::Shape;
use crate::nearest::nearest;
use crate::problem::{Problem, lower};
use crate::workflow::{is_id, vocabulary};

/// What an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number.
    Count,
    /// A text.
    Text,
    /// Names, with commas or as a JSON list; each becomes part of ids.
    Names,
    /// Texts, with commas or as a JSON list.
    Texts,
    /// Postures of reviews, likewise.
    Postures,
    /// Names of adversary packs, likewise.
    Adversaries,
    /// The name of a role pack.
    RolePack,
    /// A JSON object.
    Object,
    /// A plan.
    Plan,
}

/// An option.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// What it takes.
    pub kind: Kind,
    /// What it is for.
    pub about: String,
    /// The least number, or entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<u64>,
    /// The greatest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u64>,
    /// What holds where it is left out.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub default: Value,
    /// The texts that it takes; any where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Whether it has to be chosen.
    #[serde(default)]
    pub required: bool,
}

/// The options of every shape, with what they take and what they are for.
pub const COMMON: &[(&str, Kind, &str)] = &[
    ("branch", Kind::Text, "The branch of the run; striatum/WORKFLOW_ID where left out"),
    ("code_paths", Kind::Texts, "Where jobs that change code may write; src/ and tests/ where left out"),
    ("context_docs", Kind::Texts, "Documents for every agent, as seen from the scaffold root"),
    ("harness_profiles", Kind::Object, "Profiles of the agents' tools, for lanes.ID.harness_profile_id"),
    ("name", Kind::Text, "What the workflow is for, in a line"),
    (
        "shared_checkout",
        Kind::Text,
        "Why it is safe here that agents change code in the repository's own checkout; without it each gets a \
         worktree, which this version cannot run yet",
    ),
    ("topic", Kind::Text, "What the work is about; it begins the brief"),
];

/// The beginning of the options that say something of a lane.
pub(super) const LANES: &str = "lanes.";
/// The beginning of the options that give work to a lane.
pub(super) const LANE_OF: &str = "lane_of.";

/// What somebody chose, and the defaults of the rest.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    values: BTreeMap<String, Value>,
    /// Of `lanes.ID.FIELD`: id, field, value.
    pub(super) lanes: Vec<(String, String, String)>,
    /// Of `lane_of.WHAT`: what, lane.
    pub(super) lane_of: Vec<(String, String)>,
}

impl Chosen {
    /// Of what was given for a shape; what is wrong with it goes to the problems.
    pub(super) fn of(shape: &Shape, given: &[(String, String)], problems: &mut Vec<Problem>) -> Self {
        let mut chosen = Self::default();
        for (key, text) in given {
            let pointer = format!("--option {key}");
            if let Some(rest) = key.strip_prefix(LANES) {
                match rest.rsplit_once('.') {
                    Some((id, field)) if !id.is_empty() && !field.is_empty() => {
                        chosen.lanes.push((id.to_owned(), field.to_owned(), text.clone()));
                    }
                    _ => problems.push(problem(
                        &pointer,
                        "names no field of a lane",
                        "write lanes.ID.FIELD=VALUE",
                    )),
                }
                continue;
            }
            if let Some(what) = key.strip_prefix(LANE_OF) {
                chosen.lane_of.push((what.to_owned(), text.clone()));
                continue;
            }
            let common = COMMON
                .iter()
                .find(|(name, ..)| name == key)
                .map(|(_, kind, about)| Spec::plain(*kind, about));
            match shape.options.get(key).cloned().or(common) {
                Some(spec) => match spec.read(text) {
                    Ok(value) if chosen.values.contains_key(key) => {
                        problems.push(problem(
                            &pointer,
                            format!("is given twice, now as {value}"),
                            "give it once",
                        ));
                    }
                    Ok(value) => drop(chosen.values.insert(key.clone(), value)),
                    Err((said, hint)) => problems.push(problem(&pointer, said, hint)),
                },
                None => problems.push(unknown(shape, key, &pointer)),
            }
        }
        for (key, spec) in &shape.options {
            if chosen.values.contains_key(key) {
                continue;
            }
            if spec.required && !given.iter().any(|(given, _)| given == key) {
                let pointer = format!("--option {key}");
                problems.push(problem(&pointer, "is missing", format!("give it: {}", lower(&spec.about))));
            } else if !spec.default.is_null() {
                chosen.values.insert(key.clone(), spec.default.clone());
            }
        }
        chosen
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    pub(super) fn count(&self, key: &str) -> Option<usize> {
        usize::try_from(self.get(key)?.as_u64()?).ok()
    }

    pub(super) fn texts(&self, key: &str) -> Option<Vec<String>> {
        let list = self.get(key)?.as_array()?;
        Some(list.iter().filter_map(|entry| Some(entry.as_str()?.to_owned())).collect())
    }

    /// Each value that a text can hold, by the name of its option.
    pub(super) fn words(&self) -> Vec<(&str, String)> {
        let words = self.values.iter().filter_map(|(key, value)| {
            let word = match value {
                Value::Number(number) => number.to_string(),
                Value::Array(list) if list.is_empty() => "(none were given)".to_owned(),
                Value::Array(list) => {
                    list.iter().filter_map(Value::as_str).map(|entry| format!("\n   - `{entry}`")).collect()
                }
                _ => return None,
            };
            Some((key.as_str(), word))
        });
        words.collect()
    }
}

impl Spec {
    fn plain(kind: Kind, about: &str) -> Self {
        Self {
            kind,
            about: about.to_owned(),
            least: None,
            most: None,
            default: Value::Null,
            choices: Vec::new(),
            required: false,
        }
    }

    /// What a text means; else what is wrong with it, and what to do.
    fn read(&self, text: &str) -> Result<Value, (String, String)> {
        let (least, most) = (self.least.unwrap_or(0), self.most.unwrap_or(1000));
        let wrong = |said: String, hint: String| Err((said, hint));
        match self.kind {
            Kind::Count => match text.parse::<u64>() {
                Ok(count) if (least..=most).contains(&count) => Ok(count.into()),
                _ => wrong(format!("is {}", shown(text)), format!("a whole number from {least} to {most}")),
            },
            Kind::Text if text.trim().is_empty() => {
                wrong("is empty".to_owned(), "write something".to_owned())
            }
            Kind::Text if !self.choices.is_empty() && !self.choices.iter().any(|known| known == text) => {
                wrong(format!("is {}", shown(text)), format!("one of {}", self.choices.join(", ")))
            }
            Kind::Text if text.len() > 4000 => wrong(
                format!("has {} octets", text.len()),
                "4000 at most; put the rest into the brief".to_owned(),
            ),
            Kind::Text => Ok(text.into()),
            Kind::RolePack if ROLE_PACKS.iter().any(|pack| pack.name == text) => Ok(text.into()),
            Kind::RolePack => {
                let known: Vec<&str> = ROLE_PACKS.iter().map(|pack| pack.name).collect();
                wrong(
                    format!("is {}, which is no role pack", shown(text)),
                    format!("one of {}", known.join(", ")),
                )
            }
            Kind::Object | Kind::Plan => match serde_json::from_str::<Value>(text) {
                Ok(value) if value.is_object() => Ok(value),
                Ok(_) => wrong("is no JSON object".to_owned(), "write {...}, or @FILE".to_owned()),
                Err(error) => wrong(format!("is no JSON: {error}"), "write {...}, or @FILE".to_owned()),
            },
            Kind::Names | Kind::Texts | Kind::Postures | Kind::Adversaries => {
                self.read_list(text, least, most)
            }
        }
    }

    fn read_list(&self, text: &str, least: u64, most: u64) -> Result<Value, (String, String)> {
        let list: Vec<String> = match json_texts(text) {
            Some(Ok(list)) => list,
            Some(Err(said)) => {
                return Err((said, "write a JSON list of texts, [\"a\", \"b\"], or a,b".to_owned()));
            }
            None => text.split(',').map(str::trim).filter(|e| !e.is_empty()).map(str::to_owned).collect(),
        };
        let count = list.len() as u64;
        if !(least..=most).contains(&count) {
            return Err((format!("has {count} entries"), format!("{least} to {most}")));
        }
        let packs: Vec<&str> = adversary_packs().iter().map(|pack| pack.name).collect();
        for (at, entry) in list.iter().enumerate() {
            if list[..at].contains(entry) {
                return Err((format!("holds {} twice", shown(entry)), "name each once".to_owned()));
            }
            let hint = match self.kind {
                Kind::Names if !is_id(entry) || entry.len() > 60 => {
                    "names are 1 to 60 of A-Z a-z 0-9 . _ : -, the first a letter or a digit".to_owned()
                }
                Kind::Postures if !is_posture(entry) => {
                    format!("{}, or custom:NAME", vocabulary::POSTURES.join(", "))
                }
                Kind::Adversaries if !packs.contains(&entry.as_str()) => {
                    format!("one of {}", packs.join(", "))
                }
                _ => continue,
            };
            return Err((format!("holds {}", shown(entry)), hint));
        }
        Ok(list.into())
    }
}

/// The texts of what is written as a JSON list, or what is wrong with it; `None` where it is not written as one.
pub(super) fn json_texts(text: &str) -> Option<Result<Vec<String>, String>> {
    let is_list = text.trim_start().starts_with('[');
    is_list.then(|| {
        serde_json::from_str(text)
            .map_err(|error| format!("is {}, which is no JSON list of texts: {error}", shown(text)))
    })
}

fn is_posture(word: &str) -> bool {
    let own = word.strip_prefix(vocabulary::CUSTOM_POSTURE);
    own.map_or_else(|| vocabulary::POSTURES.contains(&word), |own| !own.trim().is_empty() && own.len() < 100)
}

fn unknown(shape: &Shape, key: &str, pointer: &str) -> Problem {
    let own = shape.options.keys().map(String::as_str);
    let known: Vec<&str> = own.chain(COMMON.iter().map(|(name, ..)| *name)).collect();
    let listed = format!("known are {}, lanes.ID.FIELD and lane_of.WHAT", known.join(", "));
    let hint = match nearest(key, known) {
        Some(meant) => format!("did you mean {meant}? {listed}"),
        None => listed,
    };
    problem(pointer, format!("is no option of {}", shape.name), hint)
}

pub(super) fn problem(pointer: &str, said: impl Into<String>, hint: impl Into<String>) -> Problem {
    Problem { pointer: pointer.to_owned(), problem: said.into(), hint: hint.into() }
}

/// A value as problems name it.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("`{}`", short.escape_debug())
}
