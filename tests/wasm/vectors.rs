//! The vectors of messages in IndexedDB, in a real browser.

use recall::{BrowserVectors, Vectors};
use sash::start::DATABASE_STORES;
use sash_chat::Id;
use sash_view::browser::journal;
use wasm_bindgen_test::wasm_bindgen_test;

async fn read(model: &str, chat: u64) -> Vec<(Id, Vec<u8>)> {
    BrowserVectors.read(model.to_owned(), Id(chat)).await
}

async fn keep(model: &str, chat: u64, vectors: &[(Id, Vec<u8>)]) {
    let kept = BrowserVectors.keep(model.to_owned(), Id(chat), vectors.to_vec());
    kept.await;
}

/// Vectors are read chat by chat, replaced by those of another model, and deleted by message, by chat and together.
#[wasm_bindgen_test]
async fn vectors_are_kept_by_chat_and_of_one_model() {
    journal::start(DATABASE_STORES).await;
    let both = [(Id(1), vec![1, 2, 3]), (Id(u64::MAX), vec![0, 255])];
    let (one, other) = both.split_at(1);
    keep("a", 7, &both).await;
    keep("a", 8, one).await;
    assert_eq!(read("a", 7).await, both);
    assert_eq!(read("b", 7).await, []);
    assert_eq!(read("a", 9).await, []);

    BrowserVectors.delete(vec![(Id(7), Some(Id(1)))]).await;
    assert_eq!(read("a", 7).await, other);
    BrowserVectors.delete(vec![(Id(7), None)]).await;
    assert_eq!(read("a", 7).await, []);
    assert_eq!(read("a", 8).await, one);

    keep("b", 7, one).await;
    assert_eq!(read("b", 7).await, one);
    assert_eq!(read("b", 8).await, [], "those of the former model are gone");
    BrowserVectors.clear().await;
    assert_eq!(read("b", 7).await, []);
}
