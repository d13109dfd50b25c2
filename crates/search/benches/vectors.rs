//! The time of ranking by vectors. Run it with `cargo bench -p sash-search --bench vectors`.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement for people"
)]

use sash_chat::Id;
use sash_search::vectors::{QuantizedVector, VectorIndex};
use std::time::Instant;

const MESSAGES: u64 = 20_000;
const DIMENSIONS: usize = 768;
const ROUNDS: u32 = 50;

fn main() {
    let mut state = 1_u32;
    let mut vector = || {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        let numbers: Vec<f32> = (0..DIMENSIONS).map(|_| next()).collect();
        QuantizedVector::new(&numbers).unwrap()
    };
    let mut index = VectorIndex::default();
    for id in 0..MESSAGES {
        index.add(Id(id % 100), Id(id), &vector());
    }
    let prompt = vector();
    let started = Instant::now();
    let mut found = 0;
    for _ in 0..ROUNDS {
        found += index.rank(&prompt, &|_, message| message.0 % 10 != 0).len();
    }
    let each = started.elapsed() / ROUNDS;
    println!("{MESSAGES} vectors of {DIMENSIONS} numbers: {each:?} a prompt, {found} found in all");
}
