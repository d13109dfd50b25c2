//! The bytes of images in IndexedDB, in a real browser.

use crate::browser::database::{self, IMAGE_TIMES, IMAGES};
use crate::browser::image_store::BrowserImages;
use crate::browser::journal;
use futures::future::select;
use idb::TransactionMode;
use js_sys::{Array, Uint8Array};
use leptos::prelude::window_event_listener_untyped;
use sash_browser_kit::clock;
use sash_chat::ImageHash;
use sash_stores::edges::Images;
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

/// Images that a former version kept, without a time beside them, stay; they count as kept when they are first listed.
#[wasm_bindgen_test]
async fn images_of_a_former_version_stay_and_are_listed_with_a_time() {
    journal::start(&[]).await;
    let (new, old) = (ImageHash([1; 32]), ImageHash([2; 32]));
    assert!(BrowserImages.keep(new, vec![1, 2, 3]).await);
    let transaction = database::begin(&[IMAGES], TransactionMode::ReadWrite);
    let transaction = transaction.unwrap().unwrap();
    let long_ago = JsValue::from_f64(5.0);
    let value = Array::of2(&Uint8Array::from(&[4_u8, 5][..]), &long_ago);
    let key = JsValue::from(old.to_string());
    let store = transaction.object_store(IMAGES).unwrap();
    store.put(&value, Some(&key)).unwrap();
    database::commit(transaction).await.unwrap();

    let began = clock::now() - 60_000;
    for _ in 0..2 {
        let mut all = BrowserImages.all().await;
        all.sort();
        let hashes: Vec<ImageHash> = all.iter().map(|(hash, _)| *hash).collect();
        assert_eq!(hashes, [new, old]);
        assert!(all.iter().all(|(_, at)| *at > began));
    }
    assert_eq!(BrowserImages.read(old).await, Ok(Some(vec![4, 5])));
    assert_eq!(BrowserImages.is_kept(old).await, Ok(true));

    BrowserImages.delete(vec![new, old]).await;
    assert_eq!(BrowserImages.read(old).await, Ok(None));
    assert_eq!(BrowserImages.is_kept(new).await, Ok(false));
    assert!(BrowserImages.all().await.is_empty());
    let transaction = database::begin(&[IMAGE_TIMES], TransactionMode::ReadOnly);
    let transaction = transaction.unwrap().unwrap();
    let store = transaction.object_store(IMAGE_TIMES).unwrap();
    assert_eq!(store.count(None).unwrap().await, Ok(0));
}

/// The browser answers a request whose reader gave up, as where an answer begins or is stopped while something is read:
/// without its listener the page ended.
#[wasm_bindgen_test]
async fn a_read_that_is_given_up_is_no_fault_of_the_page() {
    journal::start(&[]).await;
    let faults = Rc::new(Cell::new(0));
    let counted = Rc::clone(&faults);
    let listener = window_event_listener_untyped("error", move |_| counted.set(counted.get() + 1));
    for n in 0..20 {
        let read = BrowserImages.read(ImageHash([n; 32]));
        let gives_up = clock::wait(i32::from(n % 2));
        select(read, pin!(gives_up)).await;
    }
    clock::wait(100).await;
    assert_eq!(faults.get(), 0);
    listener.remove();
}
