//! Measures the search: building the index over all messages, and querying it with each letter typed.
//!
//! `cargo bench --bench search` prints milliseconds; nothing is gated.

#[path = "../src/mention/tests/filler.rs"]
mod filler;

use sash_chat::{Id, Message, Role};
use sash_search::{MessageIndex, SearchQuery, Snippet};
use std::hint::black_box;
use std::time::Instant;

const QUERIES: [&str; 7] = [
    "t",
    "the g",
    "the ",
    "garden with a wooden fence",
    "certificate rout",
    "数据库的备份",
    "nothing of thatkind",
];
/// How many results the page shows at once.
const SHOWN: usize = 50;

fn main() {
    let messages = 10_000;
    let texts: Vec<String> = filler::messages(messages * 16)
        .chunks(16)
        .enumerate()
        .map(|(at, parts)| match at % 20 {
            // One message in twenty is in a script without spaces.
            0 => "我们每天晚上都要检查数据库的备份是否完整。".repeat(20),
            _ => parts.join(" "),
        })
        .collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let start = Instant::now();
    let mut index = MessageIndex::default();
    for (at, text) in texts.iter().enumerate() {
        let id = at as u64;
        let message = Message {
            content: text.clone(),
            ..Message::new(Id(id), None, at as u32, Role::User, id)
        };
        index.add(Id(id / 40), &message, 0);
    }
    let build = start.elapsed().as_secs_f64() * 1e3;
    println!(
        "{messages} messages, {:.1} MB: index built in {build:.0} ms",
        bytes as f64 / 1e6
    );
    println!(
        "{:<30} {:>7} {:>9} {:>12}",
        "query", "found", "find ms", "snippets ms"
    );
    for text in QUERIES {
        let (mut find, mut show, mut count) = (f64::MAX, f64::MAX, 0);
        for _ in 0..10 {
            let start = Instant::now();
            let query = SearchQuery::read(black_box(text));
            let found = index.search(&query, &mut |found| {
                texts.get(found.created as usize).cloned()
            });
            find = find.min(start.elapsed().as_secs_f64() * 1e3);
            count = found.len();
            let start = Instant::now();
            for found in found.iter().take(SHOWN) {
                black_box(Snippet::new(&texts[found.created as usize], &query));
            }
            show = show.min(start.elapsed().as_secs_f64() * 1e3);
        }
        println!("{text:<30} {count:>7} {find:>9.3} {show:>12.3}");
    }
}
