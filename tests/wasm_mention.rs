//! Recall by words in WASM, where the page uses it: the offers are the same as natively, and each
//! is timed.
#![cfg(target_arch = "wasm32")]

#[path = "../crates/search/src/mention/tests/filler.rs"]
mod filler;

use sash::browser::clock;
use sash_chat::Id;
use sash_search::mention::Mention;
use sash_search::recall::RecallIndex;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// One reference to a message thousands of messages ago, and drafts that refer to nothing.
#[wasm_bindgen_test]
fn a_reference_is_found_among_5000_messages() {
    let texts = filler::messages(5_000);
    let start = clock::monotonic();
    let mut index = RecallIndex::new();
    index.add(Id(0), Id(1), "How do I store the road map?", 0);
    index.add(
        Id(0),
        Id(2),
        "As an adjacency list: each crossing and its streets. Größe egal.",
        1,
    );
    for (at, text) in (0..).zip(&texts) {
        index.add(Id(0), Id(at + 3), text, at * 120_000);
    }
    let built = clock::monotonic();
    let rounds = 20;
    let ask = |draft: &str| index.mentioned(draft, &|id| id.0 > 4_999, &|_| true);
    for _ in 1..rounds {
        ask("the adjacency list of streets you suggested");
    }
    let found = ask("the adjacency list of streets you suggested");
    let asked = clock::monotonic();
    assert_eq!(
        found,
        Some(Mention {
            id: Id(2),
            words: vec!["adjacency".to_owned(), "streets".to_owned()],
        })
    );
    assert_eq!(ask("thanks, go on"), None);
    assert_eq!(ask("write a short poem about a cat"), None);
    console_log!(
        "5,002 messages: built in {:.1} ms, asked in {:.2} ms",
        built - start,
        (asked - built) / f64::from(rounds)
    );
}
