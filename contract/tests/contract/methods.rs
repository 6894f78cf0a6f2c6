//! The registry as it is compiled in, and params against it.

use serde_json::{Value, json};
use striatum_contract::methods::{REGISTRY, find, is_schema, params, unknown, validate};
use striatum_contract::refusal::{ERROR_CODES, Refusal};

#[test]
fn the_registry_is_ordered_and_names_what_exists() {
    let names: Vec<&str> = REGISTRY.methods.iter().map(|method| method.method.as_str()).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    assert!(REGISTRY.methods_etag.starts_with("sha256:") && REGISTRY.methods_etag.len() == 71);
    for method in &REGISTRY.methods {
        let name = &method.method;
        assert_eq!(method.params["type"], "object", "{name}");
        assert_eq!(method.params["additionalProperties"], false, "{name}");
        let properties = method.params["properties"].as_object().expect("an object");
        for (key, property) in properties {
            let is_described = property["description"].as_str().is_some_and(|text| !text.is_empty());
            assert!(is_described || method.internal, "{name}: {key}");
        }
        for positional in &method.cli_positionals {
            assert!(properties.contains_key(positional), "{name}: {positional}");
        }
        for code in &method.error_codes {
            assert!(ERROR_CODES.iter().any(|known| known.code == *code), "{name}: {code}");
        }
        let words = method.cli_path.iter().flatten();
        for word in words {
            let is_plain = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            assert!(is_plain && !word.is_empty(), "{name}: {word}");
        }
        assert!(method.cli_path.is_none() || !method.examples.is_empty(), "{name} has no example");
        assert!(method.cli_path.is_none() || !method.internal, "{name} is internal");
        let has_text = !method.cli_shows.is_empty() || method.cli_note.is_some();
        assert!(method.cli_path.is_some() || !has_text, "{name} has no command");
    }
}

fn refused(method: &str, params: Value) -> Refusal {
    validate(method, &params).expect_err("refused")
}

fn places(refusal: &Refusal) -> Vec<(&str, &str, &str)> {
    let problems = refusal.details["problems"].as_array().expect("a list");
    problems
        .iter()
        .map(|of| {
            let text = |key: &str| of[key].as_str().expect("text");
            (text("pointer"), text("problem"), text("hint"))
        })
        .collect()
}

#[test]
fn params_that_fit_pass() {
    assert_eq!(validate("repo.add", &json!({"path": "/r"})), Ok(()));
    assert_eq!(validate("repo.add", &json!({"path": "/r", "init": true})), Ok(()));
    assert_eq!(validate("daemon.describe", &json!({})), Ok(()));
    for method in &REGISTRY.methods {
        assert!(validate(&method.method, &json!({"no_such_key": 1})).is_err(), "{}", method.method);
    }
}

#[test]
fn all_that_is_wrong_with_params_is_said_at_once() {
    let refusal = refused("repo.add", json!({"pth": "/r", "init": "yes", "wholly/other": 1}));
    assert_eq!(refusal.code, "schema_invalid");
    assert_eq!(refusal.next, ["striatum repo add --help"]);
    let mut found = places(&refusal);
    found.sort_unstable();
    assert_eq!(
        found.iter().map(|(pointer, problem, _)| (*pointer, *problem)).collect::<Vec<_>>(),
        [
            ("/params", "lacks the key `path`"),
            ("/params/init", "is not of the type boolean"),
            ("/params/pth", "is no key that is known"),
            ("/params/wholly~1other", "is no key that is known"),
        ]
    );
    assert_eq!(found[2].2, "did you mean `path`?");
    assert!(found[3].2.starts_with("leave it out; known are "), "{}", found[3].2);
}

/// Without a command the list of methods is the help.
#[test]
fn params_of_a_method_without_a_command_are_refused_too() {
    assert_eq!(refused("daemon.hello", json!({"client": 1})).next, ["daemon.describe"]);
}

#[test]
fn a_value_that_is_refused_is_not_repeated() {
    let secret = "s3cret".repeat(2000);
    let refusal = refused("repo.add", json!({"path": [secret.as_str()], "init": secret.as_str()}));
    assert!(!serde_json::to_string(&refusal).expect("JSON").contains("s3cret"));
}

#[test]
fn more_problems_than_are_listed_are_counted() {
    let many: serde_json::Map<String, Value> = (0..50).map(|n| (format!("k{n}"), json!(n))).collect();
    let refusal = refused("daemon.describe", Value::Object(many));
    assert_eq!(refusal.details["problems"].as_array().map(Vec::len), Some(20));
    assert_eq!(refusal.details["more"], 30);
    assert_eq!(refusal.message, "/params/k0 is no key that is known (and 49 more problems)");
}

#[test]
fn a_method_that_does_not_exist_is_refused_with_the_one_that_was_meant() {
    let refusal = refused("repo.ad", json!({}));
    assert_eq!(refusal.code, "method_unknown");
    assert_eq!(refusal.message, "there is no method \"repo.ad\"");
    assert_eq!(refusal.next, ["repo.add", "daemon.describe"]);
    assert!(unknown(&"x".repeat(1000)).message.len() < 200);
    assert!(find("repo.add").is_some() && find("repo.ad").is_none());
}

#[test]
fn a_schema_is_read_in_words() {
    let schema = json!({"type": "object", "required": ["where", "who"], "properties": {
        "who": {"type": "object", "required": ["name"], "description": "Who asks", "properties": {
            "name": {"type": "string", "minLength": 1}, "age": {"type": ["integer", "null"], "maximum": 200}}},
        "where": {"type": "string", "format": "path", "maxLength": 9},
        "a": {"enum": ["one", "two"]},
        "b": {"type": "boolean"},
        "c": {"type": "array", "minItems": 1, "maxItems": 8, "items": {"enum": ["x", "y"]}},
        "d": {"type": "array", "items": {"type": "string", "format": "path"}},
        "e": {"type": "array", "items": {"type": "integer"}},
        "f": {"type": ["string", "integer"]},
        "g": {},
        "h": {"type": "integer", "minimum": 3},
        "i": {"type": "string", "pattern": "^x$"},
    }});
    assert!(is_schema(&schema) && !is_schema(&json!({"type": "object"})) && !is_schema(&json!(7)));
    let said: Vec<String> = params(&schema)
        .iter()
        .map(|param| {
            let needed = if param.is_required { "!" } else { "" };
            let pattern = param.pattern.as_deref().unwrap_or_default();
            format!("{}{needed}: {}; {}; {pattern}", param.name, param.kind, param.bounds)
        })
        .collect();
    assert_eq!(
        said,
        [
            "where!: path; at most 9 characters; ",
            "who!: object; ; ",
            "who.name!: string; at least 1 characters; ",
            "who.age: integer; at most 200; ",
            "a: one of one, two; ; ",
            "b: boolean; ; ",
            "c: list of x, y; 1 to 8 entries; ",
            "d: list of paths; ; ",
            "e: list of integers; ; ",
            "f: string or integer; ; ",
            "g: anything; ; ",
            "h: integer; at least 3; ",
            "i: string; ; ^x$",
        ]
    );
    assert_eq!(params(&schema)[1].description, "Who asks");
    assert_eq!(params(&json!({"type": "object"})), []);
}
