//! `db plan`: what `db apply` would do, and nothing of it.

use std::time::Duration;

use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;

use super::{Said, connect, told};
use crate::config::Place;
use crate::install::{self, Functions, InstallError, Plan};

/// How long a look waits for a lock that somebody holds on the whole of a table.
const LOCKS: Duration = Duration::from_secs(5);

/// Looks, and says what an apply would do.
///
/// # Errors
/// Why nothing can be seen.
pub async fn plan(place: &Place) -> Result<Said, Refusal> {
    let plan = look(place).await?;
    Ok(Said { text: text(&plan), data: data(&plan) })
}

pub(super) async fn look(place: &Place) -> Result<Plan, Refusal> {
    let mut connection = connect(place).await?;
    install::plan(&mut connection, LOCKS).await.map_err(|error| told(&error))
}

fn text(plan: &Plan) -> String {
    let mut text = format!(
        "database {}: {}\n",
        plan.database.as_str(),
        match plan.holds() {
            true => "nothing to do",
            false => "what an apply would do",
        }
    );
    let mut line = |verb: &str, what: &str| text.push_str(&format!("  {verb:<10}{what}\n"));
    for sentence in &plan.preamble.to_make {
        line(if plan.is_superuser { "make" } else { "lacks" }, sentence);
    }
    for bundle in &plan.bundles.to_apply {
        line("apply", bundle);
    }
    match plan.functions {
        Functions::Missing => line("create", "functions"),
        Functions::OfAnotherVersion => line("replace", "functions, those of another version"),
        Functions::Changed => line("replace", "functions that were changed by hand since the last apply"),
        Functions::AsCarried => {}
    }
    for bundle in &plan.bundles.differing {
        line("refuse", &format!("{bundle} is on record with another text than this program's"));
    }
    for bundle in &plan.bundles.unknown {
        line("refuse", &format!("{bundle} is on record, and this program does not know it"));
    }
    for (sentence, statements) in &plan.preamble.to_take_back {
        line("refuse", &format!("it does not hold that {sentence}; what takes that back:"));
        for statement in statements {
            line("", &format!("  {statement};"));
        }
    }
    for step in next(plan) {
        text.push_str(&format!("next:  {step}\n"));
    }
    text
}

/// For a program.
pub(super) fn data(plan: &Plan) -> Value {
    let to_take_back = plan.preamble.to_take_back.iter();
    let to_take_back = to_take_back.map(|(says, statements)| json!({"says": says, "statements": statements}));
    json!({
        "database": plan.database.as_str(),
        "holds": plan.holds(),
        "is_serving": plan.is_serving,
        "is_superuser": plan.is_superuser,
        "preamble": {"to_make": plan.preamble.to_make, "to_take_back": to_take_back.collect::<Vec<_>>()},
        "bundles": {
            "on_record": plan.bundles.on_record, "to_apply": plan.bundles.to_apply,
            "differing": plan.bundles.differing, "unknown": plan.bundles.unknown,
        },
        "functions": match plan.functions {
            Functions::Missing => "missing",
            Functions::OfAnotherVersion => "of_another_version",
            Functions::Changed => "changed",
            Functions::AsCarried => "as_carried",
        },
        "next": next(plan),
    })
}

/// What a person does next: the first of these is the next command.
pub(super) fn next(plan: &Plan) -> Vec<String> {
    let step = |step: &str| vec![step.to_owned()];
    if plan.holds() {
        return step(if plan.is_serving { "striatum daemon status" } else { "striatum daemon start" });
    }
    // What an apply would refuse with names the way out of it.
    if let Some(bundle) = plan.bundles.differing.first() {
        let (on_record, carried) = (bundle.clone(), bundle.clone());
        return InstallError::BundleDiffers { on_record, carried }.refusal().next;
    }
    if let Some(bundle) = plan.bundles.unknown.last() {
        return InstallError::DatabaseAhead(bundle.clone()).refusal().next;
    }
    let is_blocked =
        !plan.preamble.to_take_back.is_empty() || !(plan.preamble.is_empty() || plan.is_superuser);
    let before = if plan.is_serving { step("striatum daemon shutdown") } else { Vec::new() };
    let rest = match is_blocked {
        true => InstallError::Preamble(plan.preamble.clone()).refusal().next,
        false => step("striatum db apply"),
    };
    [before, rest].concat()
}
