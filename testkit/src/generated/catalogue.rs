//! `docs/catalogue.md`: shapes, lane sets and packs as their files tell them.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::Value;
use striatum_contract::catalogue::{
    COMMON, LANE_SETS, Pack, ROLE_PACKS, SHAPES, Shape, Spec, Tier, adversary_packs,
};

pub(super) fn reference() -> Result<String> {
    let mut page = include_str!("catalogue_intro.md").to_owned();
    page.push_str(
        "## Shapes\n\nA shape is *supported* where the tests of this version run it to its end with agents, and \
         *experimental* otherwise; the checker\nwarns of those.\n\n| shape | tier | what it is |\n|---|---|---|\n",
    );
    for shape in SHAPES.iter() {
        let Shape { name, title, .. } = shape;
        writeln!(page, "| [`{name}`](#{name}) | {} | {title} |", shape.tier.word())?;
    }
    for shape in SHAPES.iter() {
        one(&mut page, shape)?;
    }
    page.push_str("\n## Options of every shape\n\n| option | what it is for |\n|---|---|\n");
    for (name, _, about) in COMMON {
        writeln!(page, "| `{name}` | {about} |")?;
    }
    page.push_str("\n## Lane sets\n");
    for set in LANE_SETS.iter() {
        writeln!(page, "\n### {}\n\n{}.\n", set.name, set.about)?;
        for (id, lane) in &set.lanes {
            let how = match (&lane.instead, lane.needs_command) {
                (Some(instead), _) => format!("; without a command `{instead}` does its work"),
                (None, true) => "; its command is needed".to_owned(),
                (None, false) => String::new(),
            };
            writeln!(page, "- `{id}`: {}{how}", lane.about)?;
        }
    }
    page.push_str("\n## Role packs\n");
    for pack in ROLE_PACKS.iter() {
        members(&mut page, pack)?;
    }
    page.push_str("\n## Adversary packs\n");
    for pack in adversary_packs() {
        members(&mut page, pack)?;
    }
    Ok(page)
}

fn one(page: &mut String, shape: &Shape) -> Result<()> {
    let Shape { name, about, .. } = shape;
    writeln!(page, "\n### {name}\n\n{about}")?;
    if !shape.outline().is_empty() {
        writeln!(page, "\n`{}`", shape.outline())?;
    }
    let notes = [
        (shape.tier == Tier::Experimental).then_some("Experimental."),
        shape.phased.then_some("In phases."),
        shape.writes_code().then_some("Changes code (`code_paths`, `shared_checkout`)."),
    ];
    let notes: Vec<&str> = notes.into_iter().flatten().collect();
    if !notes.is_empty() {
        writeln!(page, "\n{}", notes.join(" "))?;
    }
    if !shape.options.is_empty() {
        page.push_str("\n| option | what it takes | where left out | what it is for |\n|---|---|---|---|\n");
    }
    for (name, spec) in &shape.options {
        writeln!(page, "| `{name}` | {} | {} | {} |", takes(spec), usual(spec), spec.about)?;
    }
    Ok(())
}

fn takes(spec: &Spec) -> String {
    let kind = serde_json::to_value(spec.kind)
        .ok()
        .and_then(|kind| kind.as_str().map(|kind| kind.replace('_', " ")));
    match (spec.least, spec.most) {
        _ if !spec.choices.is_empty() => spec.choices.join(", "),
        (Some(least), Some(most)) => format!("{}, {least} to {most}", kind.unwrap_or_default()),
        _ => kind.unwrap_or_default(),
    }
}

fn usual(spec: &Spec) -> String {
    match &spec.default {
        _ if spec.required => "refused".to_owned(),
        Value::Null => "none".to_owned(),
        Value::Array(list) if list.is_empty() => "none".to_owned(),
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn members(page: &mut String, pack: &Pack) -> Result<()> {
    writeln!(page, "\n### {}\n\n{}\n", pack.name, pack.about)?;
    for (id, text) in &pack.members {
        let first = text.split("\n\n").next().unwrap_or(text).replace('\n', " ");
        writeln!(page, "- `{id}`: {first}")?;
    }
    Ok(())
}
