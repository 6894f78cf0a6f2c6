//! Files of the corpus, changed at random: never a panic, no answer that takes long, and none that grows without bound.
//!
//! A short run is a test; `make fuzz` is a long one, and what it finds becomes a file of the corpus.

use std::path::Path;
use std::time::{Duration, Instant};

use striatum_contract::artifact::{KINDS, check, contract};

use super::filled::settled;

/// xorshift: the same seed makes the same run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

const PIECES: &[&[u8]] = &[
    b"---\n",
    b"\n",
    b"\r",
    b"  ",
    b"\t",
    b"- ",
    b": ",
    b"?",
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b"#",
    b"|",
    b">",
    b"'",
    b"\"",
    b"&a ",
    b"*a",
    b"!",
    b"%",
    b"~",
    b"\\x",
    b"\xff",
    b"\0",
    b"\xef\xbb\xbf",
    b"<<: *a",
    b"[[[[[[[[[[[[[[[[[[",
    b"<choose: a|b>",
    b"\xc2\x85",
];

#[expect(clippy::disallowed_methods, reason = "reads the corpus of this source tree")]
fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/artifacts");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a corpus").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a file")).collect()
}

fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut file = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(file.len() + 1);
        let end = (at + random.below(30)).min(file.len());
        match random.below(7) {
            0 => drop(file.drain(at..end)),
            1 => drop(file.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            2 => drop(file.splice(at..end, PIECES[random.below(PIECES.len())].iter().copied())),
            3 => {
                let part = file[at..end].to_vec();
                let to = random.below(file.len() + 1);
                drop(file.splice(to..to, part));
            }
            4 => {
                let part = file[at..end].repeat(1 + random.below(200));
                drop(file.splice(at..end, part));
            }
            5 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len());
                let to = (from + random.below(200)).min(other.len());
                drop(file.splice(at..at, other[from..to].iter().copied()));
            }
            _ => {
                if let Some(octet) = file.get_mut(at) {
                    *octet ^= 1 << random.below(8);
                }
            }
        }
    }
    file
}

#[expect(clippy::disallowed_methods, reason = "how long to look is said by whoever starts it")]
fn said(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn no_change_of_the_corpus_makes_the_reader_fail() {
    let corpus = corpus();
    assert!(corpus.len() >= 10, "a corpus");
    let kinds: Vec<&str> =
        KINDS.iter().map(|kind| kind.kind.as_str()).filter(|kind| contract(kind).is_some()).collect();
    let (seconds, seed) = (said("STRIATUM_FUZZ_SECONDS"), said("STRIATUM_FUZZ_SEED").unwrap_or(1));
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (start, mut rounds) = (Instant::now(), 0_u64);
    let goes_on = |rounds: u64| match seconds {
        Some(seconds) => start.elapsed() < Duration::from_secs(seconds),
        None => rounds < 1500,
    };
    while goes_on(rounds) {
        let file = mutated(&corpus, &mut random);
        let kind = kinds[random.below(kinds.len())];
        let before = Instant::now();
        let shown = || String::from_utf8_lossy(&file).into_owned();
        let checked = check(kind, &file);
        assert!(
            checked.problems.len() <= 100 && checked.is_valid() == checked.corrected.is_none(),
            "{}",
            shown()
        );
        let (rounds_needed, settled) = settled(kind, checked, |choices| random.below(choices));
        let left = &settled.problems;
        assert!(settled.is_valid(), "after {rounds_needed} rounds: {kind}\n{}\n{left:?}", shown());
        assert!(
            before.elapsed() < Duration::from_secs(10),
            "took {:?}: {kind}\n{}",
            before.elapsed(),
            shown()
        );
        rounds += 1;
    }
    println!("{rounds} files, seed {seed}, {:?}", start.elapsed());
}
