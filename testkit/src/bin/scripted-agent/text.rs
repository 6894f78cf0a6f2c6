//! What an agent without a model writes: short, true, and never the same twice.

use striatum_contract::artifact;

use crate::nonce::nonce;
use crate::work::{Artifact as Expected, Input, Packet};

/// The text of an artifact, signed as the packet says; `verdict` where the job ends by one.
pub(crate) fn text(packet: &Packet, artifact: &Expected, verdict: Option<&str>) -> String {
    let job = &packet.job;
    let title = line(job.title.as_deref().unwrap_or(&job.workflow_job_id));
    let mut text = format!("---\n{}\n", line(&artifact.author));
    for row in header(packet, artifact, verdict) {
        text.push_str(&format!("{row}\n"));
    }
    text.push_str(&format!("---\n\n# {title}\n\n"));
    if let Some(objective) = &job.objective {
        text.push_str(&format!("{}\n\n", line(objective)));
    }
    if let Some(revision) = &packet.revision_context {
        let finding = revision.prior_finding_path.as_deref().unwrap_or("its finding");
        let sha256 = revision.prior_finding_content_sha256.as_deref().unwrap_or("unknown");
        text.push_str(&format!(
            "## What came back\n\nAttempt {} answers the verdict `{}` of `{}` (sha256 `{sha256}`). {}\n\n",
            job.attempt,
            line(&revision.prior_verdict),
            line(finding),
            line(&revision.guidance)
        ));
    }
    text.push_str(&body(packet, artifact, verdict));
    text.push_str(&built_on(&packet.inputs));
    text.push_str(&format!("\n<!-- run {}, attempt {}, {} -->\n", packet.run.run_id, job.attempt, nonce()));
    text
}

/// The front matter that a kind has to have, below the signature.
fn header(packet: &Packet, artifact: &Expected, verdict: Option<&str>) -> Vec<String> {
    let schema = |more: String| {
        vec![
            format!("schema_version: striatum.{}.v1", artifact.kind),
            format!("artifact_kind: {}", artifact.kind),
            more,
        ]
    };
    match artifact.kind.as_str() {
        "finding" => schema(format!("verdict_intent: {}", verdict.unwrap_or("accept"))),
        "findings_ledger" => schema(format!("summary_count: {}", findings(packet).count())),
        "synthesis" => {
            let names: Vec<&str> = packet.inputs.iter().map(|input| input.logical_name.as_str()).collect();
            schema(format!("inputs: [{}]", names.join(", ")))
        }
        // The smallest block that the kind's contract takes, and the verdict that is handed in with it.
        kind => {
            let block =
                artifact::contract(kind).map(|contract| artifact::block_of(contract, 0)).unwrap_or_default();
            let row = |row: &str| match verdict {
                Some(verdict) if row.starts_with("verdict: ") => format!("verdict: {verdict}"),
                _ => row.to_owned(),
            };
            block.lines().filter(|row| *row != "---").map(row).collect()
        }
    }
}

/// What it says, by its kind.
fn body(packet: &Packet, artifact: &Expected, verdict: Option<&str>) -> String {
    match artifact.kind.as_str() {
        "finding" => {
            let said = match verdict.unwrap_or("accept") {
                "accept" => "- F1 (info): read as a whole; nothing has to change.",
                "accept_with_findings" => "- F1 (low): one consequence is named and not yet explained.",
                "needs_revision" => "- F1 (high): it says what to do, and not what happens where that fails.",
                _ => "- F1 (critical): what is proposed would not reach its own goal.",
            };
            format!("## Findings\n\n{said}\n\n")
        }
        "findings_ledger" => {
            let rows: String = findings(packet)
                .enumerate()
                .map(|(at, input)| {
                    format!(
                        "| L{} | {} | `{}` | open |\n",
                        at + 1,
                        line(&input.workflow_job_id),
                        line(&input.path)
                    )
                })
                .collect();
            format!("## Ledger\n\n| entry | found by | where | state |\n|---|---|---|---|\n{rows}\n")
        }
        "synthesis" => "## Decision\n\nThe proposal stands. Each entry of the ledger is answered in it, and \
                        nothing that no entry asked for was changed.\n\n"
            .to_owned(),
        _ => "## Proposal\n\nDo the smallest thing that answers the question, say what it costs, and say how to \
              take it back.\n\n"
            .to_owned(),
    }
}

/// Each input, with the hash of what was read.
fn built_on(inputs: &[Input]) -> String {
    if inputs.is_empty() {
        return "## Built on\n\nNothing before it.\n".to_owned();
    }
    let rows: String = inputs
        .iter()
        .map(|input| {
            format!(
                "| {} | {} | `{}` | `{}` |\n",
                line(&input.logical_name),
                input.attempt,
                line(&input.path),
                input.sha256
            )
        })
        .collect();
    format!("## Built on\n\n| artifact | attempt | file | sha256 |\n|---|---|---|---|\n{rows}")
}

fn findings(packet: &Packet) -> impl Iterator<Item = &Input> {
    packet.inputs.iter().filter(|input| input.kind == "finding")
}

/// On one line, whatever it was.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::text;
    use crate::work::packet;

    fn written(kind: &str, verdict: Option<&str>, more: Value) -> String {
        let mut of = json!({"expected_artifacts": [
            {"logical_name": "a", "kind": kind, "path": "a.md", "author": "author: reviewer-review-a-001"}]});
        for (key, value) in more.as_object().expect("an object") {
            of[key] = value.clone();
        }
        let packet = packet(of);
        text(&packet, &packet.expected_artifacts[0], verdict)
    }

    fn inputs() -> Value {
        let input = |job: &str, kind: &str| {
            json!({"workflow_job_id": job, "attempt": 1, "artifact_id": "art_1", "logical_name": job, "kind": kind,
                   "path": format!("docs/{job}.md"), "sha256": "ab".repeat(32)})
        };
        json!([input("draft", "handoff"), input("review-a", "finding"), input("review-b", "finding")])
    }

    /// STR-FRONTMATTER-07: the keys that a kind has to have.
    #[test]
    fn the_front_matter_is_that_of_the_kind() {
        let front = |text: String| text.split("---\n").nth(1).expect("a block").to_owned();
        assert_eq!(
            front(written("finding", Some("reject"), json!({}))),
            "author: reviewer-review-a-001\nschema_version: striatum.finding.v1\nartifact_kind: finding\n\
             verdict_intent: reject\n"
        );
        assert_eq!(
            front(written("findings_ledger", None, json!({"inputs": inputs()}))),
            "author: reviewer-review-a-001\nschema_version: striatum.findings_ledger.v1\n\
             artifact_kind: findings_ledger\nsummary_count: 2\n"
        );
        assert!(
            front(written("synthesis", None, json!({"inputs": inputs()})))
                .ends_with("inputs: [draft, review-a, review-b]\n")
        );
        assert_eq!(front(written("handoff", None, json!({}))), "author: reviewer-review-a-001\n");
    }

    #[test]
    fn whatever_the_kind_its_contract_is_kept() {
        for kind in striatum_contract::artifact::KINDS.iter() {
            for verdict in [None, Some("accept"), Some("needs_revision")] {
                let text = written(&kind.kind, verdict, json!({"inputs": inputs()}));
                let checked = striatum_contract::artifact::check(&kind.kind, text.as_bytes());
                assert!(checked.is_valid(), "{text}{checked:?}");
                if let ("collaboration_ledger", Some(verdict)) = (kind.kind.as_str(), verdict) {
                    assert_eq!(checked.front_matter["verdict"], verdict);
                }
            }
        }
    }

    #[test]
    fn each_input_is_named_with_its_hash_and_no_text_is_written_twice() {
        let more = json!({"inputs": inputs()});
        let [one, other] = [0, 1].map(|_| written("synthesis", None, more.clone()));
        assert_ne!(one, other);
        for job in ["draft", "review-a", "review-b"] {
            assert!(
                one.contains(&format!("| {job} | 1 | `docs/{job}.md` | `{}` |\n", "ab".repeat(32))),
                "{one}"
            );
        }
    }

    #[test]
    fn another_attempt_names_what_it_answers() {
        let revision = json!({"reopened_attempt": 2, "prior_verdict": "needs_revision", "prior_verdict_id": "verd_1",
            "prior_finding_path": "docs/f.md", "prior_finding_content_sha256": "cd", "guidance": "Answer each."});
        let text = written("synthesis", None, json!({"revision_context": revision}));
        assert!(
            text.contains("the verdict `needs_revision` of `docs/f.md` (sha256 `cd`). Answer each."),
            "{text}"
        );
    }
}
