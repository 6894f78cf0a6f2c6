//! `db status`: in two lines, what holds and the next command.

use striatum_contract::refusal::Refusal;

use super::{Said, plan};
use crate::config::Place;
use crate::install::{Functions, Plan};

/// Looks, and says it.
///
/// # Errors
/// Why nothing can be seen.
pub async fn status(place: &Place) -> Result<Said, Refusal> {
    let looked = plan::look(place).await?;
    let next = plan::next(&looked).join("; then ");
    let text = format!("database {}: {}\nnext:  {next}\n", looked.database.as_str(), what_holds(&looked));
    Ok(Said { text, data: plan::data(&looked) })
}

fn what_holds(plan: &Plan) -> String {
    let served = if plan.is_serving { "a daemon serves from it" } else { "no daemon serves from it" };
    let bundles = plan.bundles.on_record;
    if plan.holds() {
        return format!("holds all that this program needs ({bundles} bundles), {served}");
    }
    let count = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let parts = [
        count(
            plan.preamble.sentences().len(),
            "fact around the schema does not hold",
            "facts around the schema do not hold",
        ),
        count(plan.bundles.to_apply.len(), "bundle is missing", "bundles are missing"),
        count(plan.bundles.differing.len(), "bundle has another text", "bundles have another text"),
        count(plan.bundles.unknown.len(), "bundle is of a newer version", "bundles are of a newer version"),
        match plan.functions {
            Functions::Missing => Some("the functions are missing".to_owned()),
            Functions::OfAnotherVersion => Some("the functions are those of another version".to_owned()),
            Functions::Changed => Some("the functions were changed by hand".to_owned()),
            Functions::AsCarried => None,
        },
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}; {served}", parts.join(", "))
}
