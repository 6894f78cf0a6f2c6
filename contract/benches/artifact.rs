//! Files checked a second, with 1 KiB and with 64 KiB of front matter, and the ratio to the YAML parser alone over the
//! same octets.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use saphyr_parser::Parser;
use striatum_contract::artifact::{check, contract};

fn main() {
    println!("{:<22}{:>9}{:>12}{:>14}{:>9}", "", "octets", "files/s", "parser alone", "ratio");
    for (name, octets) in [("1 KiB", 1024), ("64 KiB", 64 * 1024)] {
        let valid = ledger(octets, "holder");
        let broken = ledger(octets, "nobody");
        let parser = per_second(|| events(&valid));
        for (what, file) in [("valid", &valid), ("every entry wrong", &broken)] {
            let files = per_second(|| {
                black_box(check("collaboration_ledger", black_box(file.as_bytes()))).problems.len()
            });
            let label = format!("{name}, {what}");
            println!("{label:<28}{:>8}{files:>12.0}{parser:>14.0}{:>9.2}", file.len(), files / parser);
        }
    }
}

/// A ledger with as many entries as so many octets hold.
fn ledger(octets: usize, by: &str) -> String {
    let head = "---\nschema_version: striatum.collaboration_ledger.v1\nartifact_kind: collaboration_ledger\n\
                shape: cross_examination\ntopic: \"A topic: of some length\"\n\
                participants: [holder, falsifier]\nentries:\n";
    let tail = "verdict: needs_revision\nrationale: |\n  Why it is so,\n  in two lines.\n---\n# Title\n";
    let mut text = head.to_owned();
    let mut n = 0;
    while text.len() + tail.len() + 100 < octets {
        n += 1;
        writeln!(text, "  - kind: claim\n    by: {by}\n    refs: [\"dialogue:{n}\"]")
            .expect("a text takes all");
        writeln!(text, "    text: Nesting is bounded, says turn {n}").expect("a text takes all");
    }
    assert!(contract("collaboration_ledger").is_some());
    text + tail
}

/// What the parser alone does with the block.
fn events(file: &str) -> usize {
    let block = file.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).expect("a block").0;
    let mut parser = Parser::new_from_str(black_box(block));
    let mut count = 0;
    while let Some(event) = parser.next_event() {
        black_box(event.expect("YAML"));
        count += 1;
    }
    count
}

/// The best of five rounds: the machine's other work only ever slows one down.
fn per_second(mut work: impl FnMut() -> usize) -> f64 {
    let once = Instant::now();
    black_box(work());
    let times = (0.2 / once.elapsed().as_secs_f64().max(1e-7)).ceil() as u32;
    (0..5)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..times {
                black_box(work());
            }
            f64::from(times) / start.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max)
}
