//! Between a command line and the params of a method: what the schema of the method says about each.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Map, Value};
use striatum_contract::methods::{Method, Scope};
use striatum_contract::refusal::Refusal;

use super::place;

/// The param that the working directory answers where no flag does.
pub(crate) const REPOSITORY_ID: &str = "repository_id";

/// What a param is on a command line.
enum Shape {
    /// A flag without a value.
    Presence,
    /// A whole number within its bounds.
    Integer { least: i64, most: i64 },
    /// A path of this machine.
    Path,
    /// One of a few words.
    Word(Vec<String>),
    /// Any text.
    Text,
    /// Several of a few words: each a flag, or the words at the end of the line.
    Words(Vec<String>),
    /// Several texts, likewise.
    Texts,
    /// Something that has no form of its own here: JSON.
    Json,
}

/// Adds the params of a method to its command.
pub(crate) fn add(command: Command, method: &'static Method) -> Command {
    let required = required(method);
    properties(method).fold(command, |command, (key, property)| {
        let place = method.cli_positionals.iter().position(|positional| positional == key);
        // A required presence would be no choice, and a repository is found without its flag.
        let is_required = required.contains(&key) && key != REPOSITORY_ID;
        let shape = shape(property);
        let mut argument = Arg::new(key).help(help(key, property, required.contains(&key)));
        argument = match place {
            Some(at) => argument.index(at + 1),
            None => argument.long(key.replace('_', "-")),
        };
        let name = match &shape {
            Shape::Presence => "",
            Shape::Integer { .. } => "N",
            Shape::Path => "PATH",
            Shape::Json => "JSON",
            Shape::Word(_) | Shape::Words(_) | Shape::Text | Shape::Texts => "TEXT",
        };
        argument = match shape {
            Shape::Presence => argument.action(ArgAction::SetTrue),
            Shape::Integer { least, most } => {
                argument.value_parser(value_parser!(i64).range(least..=most)).allow_negative_numbers(true)
            }
            Shape::Path => argument.value_parser(value_parser!(PathBuf)),
            Shape::Word(words) => argument.value_parser(words),
            Shape::Text => argument,
            Shape::Words(words) => many(argument.value_parser(words), place.is_some()),
            Shape::Texts => many(argument, place.is_some()),
            Shape::Json => argument.value_parser(json),
        };
        if place.is_none() && !name.is_empty() {
            argument = argument.value_name(name);
        }
        let is_presence = name.is_empty();
        command.arg(argument.required(is_required && !is_presence))
    })
}

/// The params that a command line means.
///
/// # Errors
/// A path that cannot be sent.
pub(crate) fn params(method: &'static Method, matches: &ArgMatches) -> Result<Map<String, Value>, Refusal> {
    let mut params = Map::new();
    for (key, property) in properties(method) {
        let value = match shape(property) {
            // A required presence is false when it is not there.
            Shape::Presence => {
                let is_there = matches.get_flag(key);
                (is_there || required(method).contains(&key)).then(|| Value::from(is_there))
            }
            Shape::Integer { .. } => matches.get_one::<i64>(key).map(|number| Value::from(*number)),
            Shape::Path => {
                let path = matches.get_one::<PathBuf>(key);
                path.map(|path| place::absolute(path)).transpose()?.map(Value::from)
            }
            Shape::Word(_) | Shape::Text => matches.get_one::<String>(key).cloned().map(Value::from),
            Shape::Words(_) | Shape::Texts => {
                let texts: Option<Vec<String>> =
                    matches.get_many::<String>(key).map(|texts| texts.cloned().collect());
                texts.map(Value::from)
            }
            Shape::Json => matches.get_one::<Value>(key).cloned(),
        };
        if let Some(value) = value {
            params.insert(key.to_owned(), value);
        }
    }
    Ok(params)
}

/// Whether a method acts on one repository: that of whoever asks, where the line names none.
pub(crate) fn needs_repository(method: &'static Method) -> bool {
    method.scope == Scope::SingleRepo && properties(method).any(|(name, _)| name == REPOSITORY_ID)
}

fn properties(method: &'static Method) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let properties = method.params.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(key, property)| (key.as_str(), property))
}

fn required(method: &'static Method) -> Vec<&'static str> {
    let keys = method.params.get("required").and_then(Value::as_array);
    keys.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn shape(property: &Value) -> Shape {
    let bound = |key: &str| property.get(key).and_then(Value::as_i64);
    match kind(property) {
        Some("boolean") => Shape::Presence,
        Some("integer") => Shape::Integer {
            least: bound("minimum").unwrap_or(i64::MIN),
            most: bound("maximum").unwrap_or(i64::MAX),
        },
        Some("string") if property.get("format").is_some_and(|format| format == "path") => Shape::Path,
        Some("string") => words(property).map_or(Shape::Text, Shape::Word),
        Some("array") => match property.get("items") {
            Some(items) if kind(items) == Some("string") => words(items).map_or(Shape::Texts, Shape::Words),
            _ => Shape::Json,
        },
        _ => Shape::Json,
    }
}

/// Several values: all words that are left, or a flag for each.
fn many(argument: Arg, is_positional: bool) -> Arg {
    if is_positional { argument.num_args(1..) } else { argument.action(ArgAction::Append) }
}

/// The words of a closed list, where all of them are texts.
fn words(property: &Value) -> Option<Vec<String>> {
    let words = property.get("enum")?.as_array()?;
    words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

/// The one type of a value that is there; a closed list of words need not name it.
fn kind(property: &Value) -> Option<&str> {
    match property.get("type") {
        None => words(property).map(|_| "string"),
        Some(Value::String(kind)) => Some(kind),
        Some(Value::Array(kinds)) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            kinds.next().filter(|_| kinds.next().is_none())
        }
        _ => None,
    }
}

fn help(key: &str, property: &Value, is_required: bool) -> String {
    let described = property.get("description").and_then(Value::as_str).unwrap_or_default();
    if key == REPOSITORY_ID && is_required {
        format!("{described} [default: that of the working directory]")
    } else {
        described.to_owned()
    }
}

fn json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    use clap::Command;
    use serde_json::{Value, json};
    use striatum_contract::methods::Method;

    use super::{add, params};

    /// A method with a param of each kind.
    fn method() -> &'static Method {
        let described = |mut property: Value| {
            property["description"] = json!("What it is");
            property
        };
        let method = json!({
            "method": "a.b", "summary": "Does", "capability": "read", "scope": "single_repo", "lock_class": "none",
            "changes": false, "internal": false, "lane": false, "human_only": false, "observers": [], "effects": [],
            "error_codes": [], "cli_path": ["a", "b"], "cli_positionals": ["first", "rest"],
            "cli_shows": [], "cli_note": null, "examples": ["a b"],
            "params": {"type": "object", "additionalProperties": false,
                "required": ["first", "is_forced", "repository_id"],
                "properties": {
                    "first": described(json!({"type": "string"})),
                    "rest": described(json!({"type": "array", "items": {"type": "string"}})),
                    "is_forced": described(json!({"type": "boolean"})),
                    "is_quick": described(json!({"type": "boolean"})),
                    "most_count": described(json!({"type": ["integer", "null"], "minimum": -5, "maximum": 5})),
                    "kind": described(json!({"type": "string", "enum": ["one", "two"]})),
                    "role": described(json!({"enum": ["one", "two"]})),
                    "may": described(json!({"type": "array", "items": {"enum": ["read", "write"]}})),
                    "tag": described(json!({"type": "array", "items": {"type": "string"}})),
                    "extra": described(json!({"type": "object"})),
                    "where_to": described(json!({"type": "string", "format": "path"})),
                    "repository_id": described(json!({"type": "string"})),
                }},
        });
        Box::leak(Box::new(serde_json::from_value(method).expect("a method")))
    }

    fn read(line: &str) -> Result<Value, clap::Error> {
        let method = method();
        let command = add(Command::new("b"), method);
        command.clone().debug_assert();
        let matches = command.try_get_matches_from(["b"].into_iter().chain(line.split_whitespace()))?;
        Ok(Value::Object(params(method, &matches).expect("text")))
    }

    #[test]
    fn each_kind_of_param_has_its_form() {
        assert_eq!(read("x").expect("params"), json!({"first": "x", "is_forced": false}));
        let line = "x y z --is-forced --is-quick --most-count -5 --kind two --role one --may read --may write \
                    --tag a --tag b,c --extra {\"k\":[1]} \
                    --where-to /a/../b/./c --repository-id repo_1";
        assert_eq!(
            read(line).expect("params"),
            json!({"first": "x", "rest": ["y", "z"], "is_forced": true, "is_quick": true, "most_count": -5,
                   "kind": "two", "role": "one", "may": ["read", "write"], "tag": ["a", "b,c"],
                   "extra": {"k": [1]}, "where_to": "/b/c",
                   "repository_id": "repo_1"})
        );
    }

    #[test]
    fn a_list_at_the_end_takes_several_words_and_where_it_is_required_at_least_one() {
        let mut method = method().clone();
        method.cli_positionals = vec!["may".to_owned()];
        method.params["required"] = json!(["may"]);
        let command = add(Command::new("b"), Box::leak(Box::new(method)));
        command.clone().debug_assert();
        let read = |line: &str| {
            let words = ["b"].into_iter().chain(line.split_whitespace());
            command.clone().try_get_matches_from(words).map(|matches| {
                matches.get_many::<String>("may").expect("required").cloned().collect::<Vec<_>>()
            })
        };
        assert_eq!(read("read write --first x").expect("both"), ["read", "write"]);
        assert_eq!(read("--first x read").expect("one"), ["read"]);
        assert!(read("--first x").is_err(), "none");
        assert!(read("read admin").is_err(), "another word");
    }

    #[test]
    fn a_value_of_another_form_is_refused_here() {
        for line in [
            "",
            "x --most-count 6",
            "x --most-count -6",
            "x --most-count y",
            "x --kind three",
            "x --role three",
            "x --may admin",
            "x --extra {",
            "x --is-quick=1",
            "x --kind one --kind two",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
