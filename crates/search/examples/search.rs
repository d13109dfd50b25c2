//! Search while typing, and finding the message that a draft refers to.
//!
//! `cargo run -p sash-search --example search`

use sash_chat::Id;
use sash_search::{MessageIndex, SearchQuery, Snippet, recall};

const MESSAGES: [&str; 4] = [
    "Which algorithm finds the shortest way through a road map?",
    "Dijkstra's algorithm with a priority queue.",
    "What should the page look like?",
    "A full-width map with the search box on top of it.",
];

fn main() {
    let mut index = MessageIndex::default();
    let mut mentions = recall::RecallIndex::new();
    for (n, text) in (1..).zip(MESSAGES) {
        index.add(Id(1), Some(Id(n)), n, text);
        mentions.add(Id(0), Id(n), text, n * 60_000);
    }

    for typed in ["ma", "map se", "algorithm"] {
        let query = SearchQuery::read(typed);
        println!("{typed:?}");
        for found in index.search(&query, &mut |_| None) {
            let text = found.message.and_then(|id| MESSAGES.get(id.0 as usize - 1));
            let snippet = Snippet::new(text.unwrap_or(&""), &query);
            let parts = snippet.parts();
            let marked: String = parts
                .map(|(part, is_mark)| {
                    if is_mark {
                        format!("[{part}]")
                    } else {
                        part.to_owned()
                    }
                })
                .collect();
            println!("    {marked}");
        }
    }

    // Only the last two messages go to the model; the draft refers to an earlier one.
    let draft = "does the Dijkstra search stop early";
    let mentioned = mentions.mentioned(draft, &|id| id.0 > 2, &|_| true);
    println!("{draft:?} refers to {mentioned:?}");
}
