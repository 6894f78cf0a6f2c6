//! `striatum workflow templates list|show`: what the catalogue holds.

use clap::{Arg, ArgMatches, Command};
use serde_json::{Value, json};
use striatum_contract::catalogue::{
    COMMON, LANE_SETS, LaneSet, Pack, ROLE_PACKS, SHAPES, Shape, Spec, adversary_packs, lane_set, shape,
};
use striatum_contract::nearest::nearest;
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::output::Answer;

pub(crate) const LIST: Local =
    Local { path: &["workflow", "templates", "list"], arguments: list_arguments, run: list };
pub(crate) const SHOW: Local =
    Local { path: &["workflow", "templates", "show"], arguments: show_arguments, run: show };

fn list_arguments(command: Command) -> Command {
    command.about("List the shapes, lane sets and packs that workflows are made of").after_help(
        "A shape is supported where the tests of this version run it to its end with agents.\n\n\
         Examples:\n  striatum workflow templates list\n  striatum workflow templates list --json",
    )
}

fn show_arguments(command: Command) -> Command {
    command
        .about("Show a shape with its options, a lane set with its lanes, or a pack with its texts")
        .after_help(
            "Examples:\n  striatum workflow templates show review\n  \
             striatum workflow templates show author_reviewer\n  striatum workflow templates show incident_response",
        )
        .arg(Arg::new("name").value_name("NAME").required(true).help("One of those that the list shows"))
}

fn list(_: &ArgMatches) -> Result<Answer, Refusal> {
    let mut text = format!("{:<36}{:<14}what it is\n", "shape", "tier");
    for shape in SHAPES.iter() {
        text.push_str(&format!("{:<36}{:<14}{}\n", shape.name, shape.tier.word(), shape.title));
    }
    text.push_str(&format!("\n{:<36}lanes\n", "lane set"));
    for set in LANE_SETS.iter() {
        let lanes: Vec<&str> = set.lanes.keys().map(String::as_str).collect();
        let lanes = if lanes.is_empty() { "those that you name".to_owned() } else { lanes.join(", ") };
        text.push_str(&format!("{:<36}{lanes}\n", set.name));
    }
    for (what, packs) in [("role pack", &ROLE_PACKS[..]), ("adversary pack", adversary_packs())] {
        text.push_str(&format!("\n{what:<36}members\n"));
        for pack in packs {
            let members: Vec<&str> = pack.members.iter().map(|(id, _)| *id).collect();
            text.push_str(&format!("{:<36}{}\n", pack.name, members.join(", ")));
        }
    }
    text.push_str("\nnext:  striatum workflow templates show NAME\n");
    let data = json!({
        "shapes": SHAPES.iter().map(of_shape).collect::<Vec<_>>(),
        "lane_sets": json!(*LANE_SETS),
        "role_packs": ROLE_PACKS.iter().map(of_pack).collect::<Vec<_>>(),
        "adversary_packs": adversary_packs().iter().map(of_pack).collect::<Vec<_>>(),
    });
    Ok(Answer { text, data })
}

fn show(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let name = matches.get_one::<String>("name").expect("clap requires it");
    let mut texts = Vec::new();
    let mut data = json!({});
    if let Some(shape) = shape(name) {
        texts.push(shape_text(shape));
        data["shape"] = of_shape(shape);
    }
    if let Some(set) = lane_set(name) {
        texts.push(lane_set_text(set));
        data["lane_set"] = json!(set);
    }
    if let Some(pack) = ROLE_PACKS.iter().chain(adversary_packs()).find(|pack| pack.name == name) {
        let members = pack.members.iter().map(|(id, text)| format!("\n{id}\n\n{}\n", indented(text)));
        texts.push(format!("{}\n{}", pack.about, members.collect::<String>()));
        data["pack"] = of_pack(pack);
    }
    if texts.is_empty() {
        let names = SHAPES.iter().map(|shape| shape.name).chain(LANE_SETS.iter().map(|set| set.name));
        let names = names.chain(ROLE_PACKS.iter().chain(adversary_packs()).map(|pack| pack.name));
        let meant = nearest(name, names).map(|meant| format!("striatum workflow templates show {meant}"));
        let next = meant.into_iter().chain(["striatum workflow templates list".to_owned()]);
        return Err(Refusal::new("template_unknown", format!("the catalogue has no {name}"), next));
    }
    Ok(Answer { text: texts.join("\n"), data })
}

fn shape_text(shape: &Shape) -> String {
    let mut text = format!("{}: {} ({})\n\n{}\n", shape.name, shape.title, shape.tier.word(), shape.about);
    if !shape.outline().is_empty() {
        text.push_str(&format!("\n  {}\n", shape.outline()));
    }
    text.push_str("\noptions\n");
    for (name, spec) in &shape.options {
        text.push_str(&option_text(name, &spec.about, &bounds(spec)));
    }
    let common = COMMON.iter().filter(|(name, ..)| !shape.options.contains_key(*name));
    for (name, _, about) in
        common.filter(|(name, ..)| shape.writes_code() || !matches!(*name, "code_paths" | "shared_checkout"))
    {
        text.push_str(&option_text(name, about, ""));
    }
    text.push_str(&option_text("lanes.ID.FIELD", "A field of a lane: command, model, constraints, ...", ""));
    text.push_str(&option_text(
        "lane_of.WHAT",
        "The lane that takes a job, or a seat: author, editor, reviewer, judge, any",
        "",
    ));
    let required = shape.options.iter().filter(|(_, spec)| spec.required);
    let required: String = required.map(|(name, _)| format!(" --option {name}=...")).collect();
    text.push_str(&format!(
        "\nnext:  striatum workflow generate --shape {} --lane-set author_reviewer \
         --option lanes.author.command=claude --option lanes.reviewer.command=codex{required}\n",
        shape.name
    ));
    text
}

fn option_text(name: &str, about: &str, bounds: &str) -> String {
    let bounds = if bounds.is_empty() { String::new() } else { format!(" ({bounds})") };
    format!("  {name:<22}{about}{bounds}\n")
}

/// What an option takes, in a few words.
fn bounds(spec: &Spec) -> String {
    let range = match (spec.least, spec.most) {
        (Some(least), Some(most)) => Some(format!("{least} to {most}")),
        _ => None,
    };
    let choices = (!spec.choices.is_empty()).then(|| spec.choices.join(", "));
    let usual = match &spec.default {
        Value::Null => None,
        Value::Array(list) if list.is_empty() => None,
        Value::Array(list) => Some(list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")),
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let required = spec.required.then(|| "required".to_owned());
    let parts = [required, range, choices, usual.map(|usual| format!("{usual} where left out"))];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn lane_set_text(set: &LaneSet) -> String {
    let mut text = format!("{}: {}\n\nlanes\n", set.name, set.about);
    for (id, lane) in &set.lanes {
        let how = match (&lane.instead, lane.needs_command) {
            (Some(instead), _) => format!("; without a command {instead} does its work"),
            (None, true) => format!("; lanes.{id}.command is needed"),
            (None, false) => String::new(),
        };
        text.push_str(&format!("  {id:<22}{}{how}\n", lane.about));
    }
    text.push_str("\nseats\n");
    for (seat, lanes) in set.seats.iter().filter(|(_, lanes)| !lanes.is_empty()) {
        text.push_str(&format!("  {seat:<22}{}\n", lanes.join(", ")));
    }
    text
}

fn of_shape(shape: &Shape) -> Value {
    json!({
        "name": shape.name,
        "title": shape.title,
        "about": shape.about,
        "support_tier": shape.tier,
        "is_phased": shape.phased,
        "writes_code": shape.writes_code(),
        "outline": shape.outline(),
        "options": shape.options,
    })
}

fn of_pack(pack: &Pack) -> Value {
    let members: Vec<Value> = pack.members.iter().map(|(id, text)| json!({"id": id, "text": text})).collect();
    json!({"name": pack.name, "about": pack.about, "members": members})
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { String::new() } else { format!("  {line}") })
        .collect::<Vec<_>>()
        .join("\n")
}
