//! The commands that the daemon answers: each registered method that has a path of words.

mod arguments;
mod call;
pub(crate) mod connection;
pub(crate) mod place;
mod token_file;

use std::ffi::OsString;
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};
use serde::Deserialize;
use serde_json::{Value, json};
use striatum_contract::methods::{Method, REGISTRY, find};
use striatum_contract::refusal::Refusal;
use striatum_contract::reply::Outcome;
use striatum_contract::request::{DEADLINE_MS, LONGEST_DEADLINE_MS, is_request_id};
use striatum_contract::runtime::{TOKEN_FILE_VARIABLE, is_instance_name};
use striatum_contract::shell_word::shell_word;

use call::Client;
pub(crate) use call::Replied;
use place::Place;

/// One question to the daemon.
struct Asked<'a> {
    method: &'static Method,
    request_id: &'a str,
    params: &'a Value,
    /// The command line that puts it once more.
    again: String,
}

/// The methods that have a command.
pub(crate) fn served() -> impl Iterator<Item = (&'static Method, &'static [String])> {
    REGISTRY.methods.iter().filter_map(|method| Some((method, method.cli_path.as_deref()?)))
}

/// Adds the help and the arguments of a method to its command.
pub(crate) fn arguments(command: Command, method: &'static Method) -> Command {
    let examples: Vec<String> = method.examples.iter().map(|line| format!("  {line}")).collect();
    let command = command.about(method.summary.as_str());
    let command = match examples.is_empty() {
        true => command,
        false => command.after_help(format!("Examples:\n{}", examples.join("\n"))),
    };
    arguments::add(command, method)
}

/// The flags that say where the daemon is and how to ask it.
pub(crate) fn flags() -> [Arg; 5] {
    let flag = |name: &'static str, value: &'static str| {
        Arg::new(name).long(name).value_name(value).global(true).help_heading("The daemon")
    };
    [
        flag("socket", "PATH")
            .value_parser(value_parser!(PathBuf))
            .help("Socket of the daemon, instead of the one in the runtime directory"),
        flag("token-file", "PATH").value_parser(value_parser!(PathBuf)).help(format!(
            "File with the capability token, instead of the one in the runtime directory \
                 [variable: {TOKEN_FILE_VARIABLE}, a path]"
        )),
        flag("instance", "NAME").value_parser(instance).help("Which of several installations"),
        flag("deadline-ms", "N")
            .value_parser(value_parser!(u64).range(..=LONGEST_DEADLINE_MS))
            .help(format!("Milliseconds to wait for the answer [default: {DEADLINE_MS}]")),
        flag("request-id", "ID")
            .value_parser(own_id)
            .help("Id of the request; the same one again gives the same answer again"),
    ]
}

fn instance(text: &str) -> Result<String, &'static str> {
    let is_name = is_instance_name(text);
    is_name.then(|| text.to_owned()).ok_or("a name is 1 to 32 characters of A-Z a-z 0-9 _ -")
}

fn own_id(text: &str) -> Result<String, &'static str> {
    let is_id = is_request_id(text);
    is_id.then(|| text.to_owned()).ok_or("an id is 1 to 128 characters of A-Z a-z 0-9 . _ : -")
}

/// Asks the daemon what a command line means; the line is there to be named again.
///
/// # Errors
/// Why there is no reply. A reply that refuses is a reply.
pub(crate) fn ask(
    method: &'static Method,
    matches: &ArgMatches,
    line: &[OsString],
) -> Result<Replied, Refusal> {
    let place = Place::of(matches)?;
    let mut params = arguments::params(method, matches)?;
    // Whoever says how long to wait for something waits so long for the answer, too.
    let wait_ms = params.get("wait_ms").and_then(Value::as_u64).unwrap_or_default();
    let deadline = matches.get_one::<u64>("deadline-ms").copied().unwrap_or(DEADLINE_MS + wait_ms);
    let mut client = Client::new(&place, Duration::from_millis(deadline));
    if arguments::needs_repository(method) && !params.contains_key(arguments::REPOSITORY_ID) {
        let id = match place::repository() {
            Some(id) => id,
            None => match repository(&mut client, line)? {
                Ok(id) => id,
                Err(refused) => return Ok(refused),
            },
        };
        params.insert(arguments::REPOSITORY_ID.to_owned(), Value::from(id));
    }
    let given = matches.get_one::<String>("request-id");
    let id = given.cloned().unwrap_or_else(request_id);
    let again = again(line, given.is_none().then_some(id.as_str()));
    client.call(&Asked { method, request_id: &id, params: &Value::Object(params), again })
}

/// Puts a question that no command line put; a reply that refuses is a refusal. With the same id it is the same one.
///
/// # Errors
/// Why there is no answer.
pub(crate) fn question(
    place: &Place,
    method: &str,
    params: &Value,
    request_id: &str,
) -> Result<Value, Refusal> {
    let method = find(method).unwrap_or_else(|| unreachable!("{method} is registered"));
    let mut client = Client::new(place, Duration::from_millis(DEADLINE_MS));
    let again = place.command("daemon status");
    let replied = client.call(&Asked { method, request_id, params, again })?;
    let unreadable = |error: serde_json::Error| call::unreadable(&error);
    match &replied.reply.outcome {
        Outcome::Done(data) => serde_json::from_str(data.get()).map_err(unreadable),
        Outcome::Refused(error) => Err(serde_json::from_str(error.get()).map_err(unreadable)?),
    }
}

/// The repository of the working directory.
///
/// # Errors
/// Why it has none.
pub(crate) fn repository_here(place: &Place) -> Result<String, Refusal> {
    let params = json!({"path": place::absolute(".".as_ref())?});
    let found = question(place, "repo.resolve", &params, &request_id())?;
    Ok(found["repository_id"].as_str().unwrap_or_default().to_owned())
}

/// The repository of the working directory, or the reply that refuses to name one.
fn repository(client: &mut Client<'_>, line: &[OsString]) -> Result<Result<String, Replied>, Refusal> {
    #[derive(Deserialize)]
    struct Resolved {
        repository_id: String,
    }
    let method = find("repo.resolve").expect("a test looks it up");
    let params = json!({"path": place::absolute(".".as_ref())?});
    let replied = client.call(&Asked {
        method,
        request_id: &request_id(),
        params: &params,
        again: again(line, None),
    })?;
    let Outcome::Done(data) = &replied.reply.outcome else { return Ok(Err(replied)) };
    match serde_json::from_str::<Resolved>(data.get()) {
        Ok(resolved) => Ok(Ok(resolved.repository_id)),
        Err(error) => Err(call::unreadable(&error)),
    }
}

/// An id that no other request of this client has. It need not be unforeseeable.
pub(crate) fn request_id() -> String {
    // Each state is keyed by the system's randomness.
    let [high, low] = [0, 1].map(|half: u8| RandomState::new().hash_one((half, std::process::id())));
    format!("cli-{high:016x}{low:016x}")
}

/// A command line as a shell reads it back, with the id of its request where it had none.
fn again(line: &[OsString], request_id: Option<&str>) -> String {
    let words = line.iter().skip(1).map(|word| shell_word(&word.to_string_lossy()));
    let flag = request_id.map(|id| format!("--request-id {id}"));
    ["striatum".to_owned()].into_iter().chain(words).chain(flag).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{find, request_id};

    #[test]
    fn ids_differ() {
        assert_ne!(request_id(), request_id());
        assert!(striatum_contract::request::is_request_id(&request_id()));
    }

    #[test]
    fn the_method_that_names_a_repository_exists() {
        assert!(find("repo.resolve").is_some());
    }
}
