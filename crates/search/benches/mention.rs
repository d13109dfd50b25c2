//! Measures the offer and the recall: building the index of a branch, and querying it while a draft is typed or
//! when it is sent.
//!
//! `cargo bench --bench mention` prints milliseconds; nothing is gated.

#[path = "../src/mention/tests/filler.rs"]
mod filler;

use sash_chat::{Id, Message, Role};
use sash_search::MessageIndex;
use std::hint::black_box;
use std::time::Instant;

const DRAFTS: [&str; 3] = [
    "thanks, go on",
    "what was the index you suggested for the title column of the recipe table?",
    "how do I repair a broken bicycle wheel with a wooden frame in the garden when the weather is cold and wet",
];

fn main() {
    println!(
        "{:>9} {:>7} {:>9} {:>10} {:>9} {:>10} {:>11} {:>11}",
        "messages", "words", "MB", "build ms", "offer ms", "recall ms", "longest ms", "add 1 MB ms"
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
            let index = index(&texts);
            let build = start.elapsed().as_secs_f64() * 1e3;
            let visible = |id: Id| id.0 + 3 >= messages as u64;
            let rounds = 20;
            let start = Instant::now();
            for _ in 0..rounds {
                for draft in DRAFTS {
                    black_box(index.all().mentioned(black_box(draft), &visible, &|_| true));
                }
            }
            let ask = start.elapsed().as_secs_f64() * 1e3 / f64::from(rounds) / DRAFTS.len() as f64;
            let (recall, longest, large) = recall(&texts);
            println!(
                "{messages:>9} {:>7} {:>9.1} {build:>10.1} {ask:>9.3} {recall:>10.3} {longest:>11.3} {large:>11.1}",
                parts * 14,
                bytes as f64 / 1e6
            );
        }
    }
}

fn message(at: u64, text: &str) -> Message {
    let created = at.saturating_mul(120_000);
    Message {
        content: text.to_owned(),
        ..Message::new(Id(at), None, at as u32, Role::User, created)
    }
}

/// An index of one chat.
fn index(texts: &[String]) -> MessageIndex {
    let mut index = MessageIndex::default();
    for (at, text) in (0..).zip(texts) {
        index.add(Id(0), &message(at, text), 0);
    }
    index
}

/// Milliseconds of a recall on average, of one for a prompt of 100 words, and to add a message of 1 MB.
fn recall(texts: &[String]) -> (f64, f64, f64) {
    let mut index = index(texts);
    let ms = |prompts: &[&str]| {
        let rounds = 10;
        let start = Instant::now();
        for _ in 0..rounds {
            for prompt in prompts {
                black_box(index.all().recall(black_box(*prompt), &|_, _| true));
            }
        }
        start.elapsed().as_secs_f64() * 1e3 / f64::from(rounds) / prompts.len() as f64
    };
    let long = filler::messages(7).join(" ");
    let (recall, longest) = (ms(&DRAFTS), ms(&[&long]));
    let all = texts.join(" ");
    let large: String = all.chars().cycle().take(1_000_000).collect();
    let start = Instant::now();
    index.add(Id(0), &message(u64::MAX, &large), 0);
    (recall, longest, start.elapsed().as_secs_f64() * 1e3)
}
