//! Rows hashed a second, and the ratio to sha256 over the same octets without making the canonical form.

use std::hint::black_box;
use std::time::Instant;

use sha2::{Digest as _, Sha256};
use striatum_contract::hash::{canonical_v3, hash_v3};

const ROWS: u32 = 500_000;

fn main() {
    let hash = "d0e4505ab5e45c540d6502d07898872b029a4c2904a8b7d657094e4da2aa2735";
    let row = [
        Some("2026-11-30T00:00:01Z"),
        Some("1"),
        Some("3"),
        Some("0.1.0"),
        Some("client_1"),
        Some("repo_1"),
        Some("work.claim_next"),
        Some("allowed"),
        None,
        Some("mcp"),
        Some("r-2"),
        None,
        Some(hash),
        Some(hash),
        Some("1"),
    ];
    let form = canonical_v3(row);
    let rows = per_second(|| drop(black_box(hash_v3(black_box(row)))));
    let raw = per_second(|| {
        black_box(Sha256::digest(black_box(&form)));
    });
    println!("hash_v3 of an audit row ({} octets): {rows:.0} rows/s", form.len());
    println!("sha256 of the same octets:           {raw:.0} rows/s");
    println!("ratio:                               {:.2}", rows / raw);
}

/// The best of five rounds: the machine's other work only ever slows one down.
fn per_second(mut work: impl FnMut()) -> f64 {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            (0..ROWS).for_each(|_| work());
            f64::from(ROWS) / start.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max)
}
