//! Measures recall by words: building the index of a branch, and querying it while a draft is typed.
//!
//! `cargo bench --bench mention` prints milliseconds; nothing is gated.

#[path = "../src/mention/tests/filler.rs"]
mod filler;

use sash_chat::Id;
use sash_search::mention::MentionIndex;
use std::hint::black_box;
use std::time::Instant;

const DRAFTS: [&str; 3] = [
    "thanks, go on",
    "what was the index you suggested for the title column of the recipe table?",
    "how do I repair a broken bicycle wheel with a wooden frame in the garden when the weather is cold and wet",
];

fn main() {
    println!(
        "{:>9} {:>7} {:>9} {:>10} {:>9}",
        "messages", "words", "MB", "build ms", "ask ms"
    );
    for messages in [5_000, 20_000] {
        // One line, and an answer of a page.
        for parts in [1, 16] {
            let texts: Vec<String> = filler::messages(messages * parts)
                .chunks(parts)
                .map(|parts| parts.join(" "))
                .collect();
            let bytes: usize = texts.iter().map(String::len).sum();
            let start = Instant::now();
            let mut index = MentionIndex::new();
            for (at, text) in texts.iter().enumerate() {
                index.add(Id(at as u64), text, at as u64 * 120_000);
            }
            let build = start.elapsed().as_secs_f64() * 1e3;
            let visible = |id: Id| id.0 + 3 >= messages as u64;
            let rounds = 20;
            let start = Instant::now();
            for _ in 0..rounds {
                for draft in DRAFTS {
                    black_box(index.mentioned(black_box(draft), &visible, &|_| true));
                }
            }
            let ask = start.elapsed().as_secs_f64() * 1e3 / f64::from(rounds) / DRAFTS.len() as f64;
            println!(
                "{messages:>9} {:>7} {:>9.1} {build:>10.1} {ask:>9.3}",
                parts * 14,
                bytes as f64 / 1e6
            );
        }
    }
}
