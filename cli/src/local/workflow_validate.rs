//! `striatum workflow validate FILE`: all that is to be said about a workflow file, before anything runs.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_word;
use striatum_contract::workflow::model::Workflow;
use striatum_contract::workflow::{Around, Finding, Read, Severity, Tree, codes, read, resources};

use super::Local;
use crate::output::{Answer, columns};
use crate::text::{Paint, findings};
use crate::tree;

pub(crate) const COMMAND: Local = Local { path: &["workflow", "validate"], arguments, run };

fn arguments(command: Command) -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    command
        .about("Check a workflow file, and say all that is wrong with it at once")
        .after_help(
            "Ends with 0 where a run can be made of the file, warnings or not, and with 8 where it is refused.\n\
             `not yet` is said of what is right and what this version cannot do; run prepare refuses that.\n\
             Notes are shown with --verbose. Each code is explained in docs/workflow.md.\n\n\
             Examples:\n  striatum workflow validate workflow.json\n  \
             striatum workflow validate workflows/review.json --strict\n  \
             striatum workflow validate workflow.json --allow-same-model-pairing --json",
        )
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The workflow file"),
        )
        .arg(flag("strict").help("Refuse keys that are not known, too"))
        .arg(
            flag("allow-same-model-pairing")
                .help("Accept that a model judges what a model of the same family wrote"),
        )
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let file = matches.get_one::<PathBuf>("file").expect("clap requires it");
    let found = tree::find(file)?;
    let look = |path: &str| tree::look(&found.root, path);
    // Where agents are started, and with which programs, the daemon alone knows.
    let tree = Tree { path: &found.path, look: &look, program: None };
    let around = Around { tree: Some(tree), is_strict: matches.get_flag("strict") };
    let accepts = matches.get_flag("allow-same-model-pairing");
    let checked = Checked { file, path: &found.path, read: read(&found.octets, &around), accepts };
    if checked.problems().next().is_some() {
        Err(checked.refusal())
    } else {
        Ok(checked.answer(matches.get_flag("verbose")))
    }
}

/// A file that was checked.
pub(super) struct Checked<'c> {
    /// As it was typed.
    pub(super) file: &'c Path,
    /// From the top of the repository.
    pub(super) path: &'c str,
    pub(super) read: Read,
    /// Whether advice that refuses was accepted.
    pub(super) accepts: bool,
}

impl Checked<'_> {
    fn is_problem(&self, finding: &Finding) -> bool {
        finding.severity.is_refused() && !(self.accepts && finding.severity == Severity::Refusal)
    }

    pub(super) fn problems(&self) -> impl Iterator<Item = &Finding> {
        self.read.findings.iter().filter(|finding| self.is_problem(finding))
    }

    fn warnings(&self) -> Vec<&Finding> {
        self.read.findings.iter().filter(|finding| !self.is_problem(finding)).collect()
    }

    /// What a person is told beside the problems.
    pub(super) fn told(&self, is_verbose: bool) -> Vec<&Finding> {
        let is_shown = |finding: &&Finding| is_verbose || finding.severity != Severity::Info;
        self.warnings().into_iter().filter(is_shown).collect()
    }

    /// Whether all that is wrong is advice that a person may accept.
    pub(super) fn only_advice(&self) -> bool {
        self.problems().all(|finding| finding.severity == Severity::Refusal)
    }

    /// What a program is told in both cases.
    pub(super) fn data(&self) -> Value {
        let model = Workflow::of(&self.read.workflow);
        let warnings = self.warnings();
        json!({
            "workflow_path": self.path,
            "workflow_id": self.read.workflow["workflow_id"],
            "valid": self.problems().next().is_none(),
            "runnable": self.read.problems(self.accepts).next().is_none(),
            "counts": {
                "jobs": model.jobs.len(), "edges": model.edges.len(), "cycles": model.cycles.len(),
                "lanes": model.lanes.len(), "phases": model.phases.len(),
            },
            "shared_resources": resources(&model),
            "warning_count": warnings.iter().filter(|finding| finding.severity == Severity::Warning).count(),
            "warnings": warnings,
            "coverage": {"rules": codes().len(), "documents": true},
        })
    }

    fn answer(&self, is_verbose: bool) -> Answer {
        let data = self.data();
        let count = |key: &str| data["counts"][key].as_u64().unwrap_or_default();
        let mut text = format!(
            "{} is valid: {}\n",
            self.file.display(),
            [("job", "jobs"), ("edge", "edges"), ("cycle", "cycles"), ("lane", "lanes"), ("phase", "phases")]
                .into_iter()
                .filter(|(_, key)| count(key) > 0)
                .map(|(one, key)| counted(count(key), one))
                .collect::<Vec<_>>()
                .join(", ")
        );
        text.push_str(&findings(&json!(self.told(is_verbose)), Paint(false), columns()));
        let of = |severity| self.warnings().iter().filter(|finding| finding.severity == severity).count();
        let unsupported = of(Severity::Unsupported);
        text.push_str(&format!(
            "{}{}, {}\n",
            counted(of(Severity::Warning) as u64, "warning"),
            if unsupported > 0 { format!(", {unsupported} not yet supported") } else { String::new() },
            counted(of(Severity::Info) as u64, "note"),
        ));
        if data["runnable"] == true {
            let file = shell_word(&self.file.to_string_lossy());
            text.push_str(&format!("next:  striatum run prepare {file}\n"));
        } else {
            text.push_str("this version makes no run of it\n");
        }
        Answer { text, data }
    }

    pub(super) fn refusal(&self) -> Refusal {
        let problems: Vec<&Finding> = self.problems().collect();
        let file = shell_word(&self.file.to_string_lossy());
        let message = format!(
            "{} is refused: {}, {}",
            self.file.display(),
            counted(problems.len() as u64, "problem"),
            counted(self.data()["warning_count"].as_u64().unwrap_or_default(), "warning"),
        );
        let accept = self
            .only_advice()
            .then(|| format!("striatum workflow validate {file} --allow-same-model-pairing"));
        let next = [format!("striatum workflow validate {file}")].into_iter().chain(accept);
        let mut details = self.data();
        if self.read.more > 0 {
            details["more"] = json!(self.read.more);
        }
        details["problems"] = json!(problems);
        Refusal::new("workflow_invalid", message, next).with_details(details)
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
