//! `striatum workflow generate`: a workflow of a shape of the catalogue, with its roles and tasks.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use striatum_contract::catalogue::{Generated, Request, generate};
use striatum_contract::drawing::Drawing;
use striatum_contract::problem::Problem;
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_word;
use striatum_contract::workflow::Entry;
use striatum_contract::workflow::model::Workflow;

use super::Local;
use super::workflow_validate::Checked;
use crate::output::{Answer, columns};
use crate::text::{Paint, findings};
use crate::tree;

pub(crate) const COMMAND: Local = Local { path: &["workflow", "generate"], arguments, run };

/// The flags that name one thing each.
const NAMED: [(&str, &str, &str); 5] = [
    ("shape", "NAME", "The shape, as workflow templates list shows them"),
    ("lane-set", "NAME", "Where agents work; local starts none [default: local]"),
    ("workflow-id", "ID", "The id of the workflow [default: SHAPE-starter]"),
    (
        "scaffold-root",
        "PATH",
        "The folder of the workflow file, from the top of the repository [default: workflows/ID]",
    ),
    ("artifact-root", "PATH", "The folder of what its jobs leave, likewise [default: docs/ID]"),
];

fn arguments(command: Command) -> Command {
    let command = command
        .about("Make a workflow of a shape of the catalogue, with its roles and tasks; shows it, or writes it")
        .after_help(
            "Shows what it would write, and writes with --write alone. A file that is there is never overwritten.\n\
             What is made has passed workflow validate. Ends with 8 where nothing can be made of what was asked for,\n\
             with all that is wrong; with 4 where files are there already.\n\n\
             A command that is one word is an agent that takes its first prompt as an argument; otherwise give a JSON\n\
             list of words, in which {brief} stands for that prompt. @FILE as a value is what stands in the file.\n\n\
             Examples:\n  striatum workflow generate --shape review --lane-set single_agent \
             --option lanes.agent.command=claude\n  \
             striatum workflow generate --shape code_change --lane-set author_reviewer --workflow-id fix-cache \\\n    \
             --option lanes.author.command=claude --option lanes.reviewer.command=codex \\\n    \
             --option topic='The cache grows without bound' \\\n    \
             --option shared_checkout='nobody else works here' --write\n  \
             striatum workflow generate --shape custom --lane-set local --option plan=@plan.json --json",
        );
    let named = NAMED.map(|(name, value, help)| Arg::new(name).long(name).value_name(value).help(help));
    named
        .into_iter()
        .fold(command, |command, arg| {
            let is_shape = arg.get_id() == "shape";
            command.arg(arg.required(is_shape))
        })
        .arg(
            Arg::new("option")
                .long("option")
                .value_name("KEY=VALUE")
                .action(ArgAction::Append)
                .value_parser(option)
                .help("An option of the shape, as workflow templates show NAME tells them; may be repeated"),
        )
        .arg(
            Arg::new("allow-same-model-pairing")
                .long("allow-same-model-pairing")
                .action(ArgAction::SetTrue)
                .help("Accept in the file that a model judges what a model of the same family wrote"),
        )
        .arg(Arg::new("write").long("write").action(ArgAction::SetTrue).help("Write the files"))
}

fn option(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("an option is KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let root = tree::here()?;
    let named = |name: &str| matches.get_one::<String>(name).cloned();
    let mut problems = Vec::new();
    let given: Vec<(String, String)> =
        matches.get_many::<(String, String)>("option").into_iter().flatten().cloned().collect();
    let options = given.iter().map(|(key, value)| {
        let value = match value.strip_prefix('@') {
            Some(file) => tree::text(file).unwrap_or_else(|problem| {
                let pointer = format!("--option {key}");
                problems.push(Problem { pointer, problem, hint: "name a file of text".to_owned() });
                String::new()
            }),
            None => value.clone(),
        };
        (key.clone(), value)
    });
    let request = Request {
        shape: named("shape").unwrap_or_default(),
        lane_set: named("lane-set").unwrap_or_else(|| "local".to_owned()),
        workflow_id: named("workflow-id"),
        scaffold_root: named("scaffold-root"),
        artifact_root: named("artifact-root"),
        options: options.collect(),
        accepts_same_model: matches.get_flag("allow-same-model-pairing"),
    };
    if !problems.is_empty() {
        return Err(refused(&request, &problems));
    }
    let made = generate(&request, &|path| tree::look(&root, path))
        .map_err(|problems| refused(&request, &problems))?;
    let line = line(&request, &given);
    let Generated { shape, path, files, declares, read, .. } = made;
    let checked = Checked { file: path.as_ref(), path: &path, read, accepts: false };
    if checked.problems().next().is_some() {
        let accept = format!("{line} --allow-same-model-pairing");
        let Refusal { message, details, .. } = checked.refusal();
        let next = if checked.only_advice() {
            vec![accept]
        } else {
            vec![format!("{line}, with what is wrong mended")]
        };
        return Err(Refusal::new("workflow_invalid", message, next).with_details(details));
    }
    let present: Vec<&str> = files
        .iter()
        .map(|file| file.path.as_str())
        .filter(|path| tree::look(&root, path) != Entry::Missing)
        .collect();
    let is_written = matches.get_flag("write");
    if is_written {
        if !present.is_empty() {
            return Err(overwritten(&request, &root, &present));
        }
        tree::write(&root, &files)?;
    }
    let mut data = checked.data();
    let members = data.as_object_mut().expect("an object");
    members.extend(
        json!({
            "shape": shape.name, "support_tier": shape.tier, "lane_set": request.lane_set, "written": is_written,
            "workflow": checked.read.workflow, "declares": declares, "present": present,
            "files": files.iter().map(|file| json!({"path": file.path, "text": file.text})).collect::<Vec<_>>(),
        })
        .as_object()
        .cloned()
        .expect("an object"),
    );
    let word = if is_written { "written" } else { "would be written" };
    let mut text = format!(
        "{}: {} ({}), lanes of {}\n\n{}\n{} files {word}:\n",
        shape.name,
        shape.title,
        shape.tier.word(),
        request.lane_set,
        Drawing::of(&Workflow::of(&checked.read.workflow)).ascii(),
        files.len()
    );
    for file in &files {
        let there = if present.contains(&file.path.as_str()) { "  (is there already)" } else { "" };
        text.push_str(&format!("  {}{there}\n", file.path));
    }
    text.push('\n');
    text.push_str(&findings(&json!(checked.told(matches.get_flag("verbose"))), Paint(false), columns()));
    let next = next(&path, &line, is_written, &present, data["runnable"] == true);
    data["next"] = json!(next);
    next.iter().for_each(|next| text.push_str(&format!("next:  {next}\n")));
    Ok(Answer { text, data })
}

fn next(path: &str, line: &str, is_written: bool, present: &[&str], is_runnable: bool) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    let (file, folder) = (shell_word(path), shell_word(folder));
    match (is_written, present.is_empty()) {
        (true, _) => {
            let mut next =
                vec![format!("$EDITOR {folder}/brief.md"), format!("git add {folder}; git commit")];
            let last = if is_runnable { "run prepare" } else { "workflow validate" };
            next.push(format!("striatum {last} {file}"));
            next
        }
        (false, true) => vec![format!("{line} --write")],
        (false, false) => vec![format!("{line} --scaffold-root ANOTHER --write")],
    }
}

/// The command line once more.
fn line(request: &Request, given: &[(String, String)]) -> String {
    let mut line = format!("striatum workflow generate --shape {}", shell_word(&request.shape));
    let flags = [
        ("lane-set", Some(&request.lane_set)),
        ("workflow-id", request.workflow_id.as_ref()),
        ("scaffold-root", request.scaffold_root.as_ref()),
        ("artifact-root", request.artifact_root.as_ref()),
    ];
    for (flag, value) in flags.into_iter().filter_map(|(flag, value)| Some((flag, value?))) {
        line.push_str(&format!(" --{flag} {}", shell_word(value)));
    }
    for (key, value) in given {
        line.push_str(&format!(" --option {}", shell_word(&format!("{key}={value}"))));
    }
    if request.accepts_same_model {
        line.push_str(" --allow-same-model-pairing");
    }
    line
}

fn refused(request: &Request, problems: &[Problem]) -> Refusal {
    let count = problems.len();
    let message = format!("no workflow is made: {count} {}", if count == 1 { "problem" } else { "problems" });
    let show = format!("striatum workflow templates show {}", shell_word(&request.shape));
    let is_known = striatum_contract::catalogue::shape(&request.shape).is_some();
    let next = if is_known { show } else { "striatum workflow templates list".to_owned() };
    Refusal::new("generator_input_invalid", message, [next]).with_details(json!({"problems": problems}))
}

fn overwritten(request: &Request, root: &Path, present: &[&str]) -> Refusal {
    let message = format!("nothing is written: {} of the files are there already", present.len());
    let problem = |path: &&str| {
        let said = match tree::look(root, path) {
            Entry::Escapes => "leads through a symbolic link",
            _ => "is there already",
        };
        json!({"pointer": path, "problem": said, "hint": "what is there is kept"})
    };
    let problems: Vec<Value> = present.iter().map(problem).collect();
    let id = request.workflow_id.as_deref().unwrap_or("ID");
    let next = [format!("the same with --scaffold-root ANOTHER, or with another --workflow-id than {id}")];
    Refusal::new("files_present", message, next).with_details(json!({"problems": problems}))
}
