//! The names of all that can be wrong with an artifact's file.

use serde::Serialize;

use super::rules::RULES;

/// One name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Code {
    /// The stable name.
    pub code: &'static str,
    /// The kind that it is about; `None` for all.
    pub kind: Option<&'static str>,
    /// What it means, in one sentence.
    pub says: &'static str,
}

/// Those of the reader, and those of fields.
const COMMON: &[(&str, &str)] = &[
    ("kind_unknown", "there is no such kind"),
    ("front_matter_missing", "the kind requires front matter, and the file has none"),
    ("front_matter_unclosed", "the front matter begins and does not end"),
    ("front_matter_too_large", "the front matter has more than 131072 octets"),
    ("front_matter_not_fields", "the front matter is a list or a text, not fields with values"),
    ("encoding_not_utf8", "the front matter is not in UTF-8"),
    ("yaml_malformed", "the front matter is not YAML"),
    ("second_document", "a second YAML document begins inside the front matter"),
    ("key_repeated", "a field stands there twice; none of both counts silently"),
    ("key_not_text", "a list or a mapping stands where a field's name should"),
    ("alias_refused", "aliases are more than 16, repeat more than 262144 octets, or repeat themselves"),
    ("nesting_too_deep", "more than 16 lists and mappings stand inside one another"),
    ("values_too_many", "there are more than 20000 values"),
    ("tag_refused", "a tag says of which type a value is, and the contract says that"),
    ("character_refused", "a value holds a NUL, which nothing stores"),
    ("placeholder_left", "a placeholder of a corrected block was left in"),
    ("field_missing", "a required field is missing"),
    ("field_unknown", "a field is neither of the kind nor standard metadata"),
    ("field_empty", "a field has no value, or nothing but blanks, or no entries"),
    ("field_type", "a value is not of the field's type"),
    ("value_not_allowed", "a value is none of the field's vocabulary"),
    ("value_too_small", "a number is below the least that the field takes"),
    ("value_too_large", "a number is above the most that the field takes"),
    ("value_malformed", "a value does not have the field's form"),
    ("moment_impossible", "a value is no day and no time, or none that exists"),
    ("path_not_relative", "a path does not begin at the root of the repository, or leaves it"),
];

/// All of them.
pub fn codes() -> Vec<Code> {
    let common = COMMON.iter().map(|(code, says)| Code { code, kind: None, says });
    let of_rules = RULES.iter().map(|rule| Code { code: rule.code, kind: Some(rule.kind), says: rule.says });
    common.chain(of_rules).collect()
}
