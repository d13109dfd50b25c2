//! The redo journal, which `journal.js` keeps in IndexedDB and `boot.js` opens and reads before the page starts.

use super::storage::is_closed;
use js_sys::{Array, Promise, Reflect};
use sash_log::{Entry, Journal};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    type Redo;

    #[wasm_bindgen(method)]
    fn read(this: &Redo) -> Promise;

    #[wasm_bindgen(method, getter)]
    fn failed(this: &Redo) -> bool;

    #[wasm_bindgen(method)]
    fn note(this: &Redo, key: &str, record: Option<&str>);

    #[wasm_bindgen(method)]
    fn forget(this: &Redo, key: &str);

    #[wasm_bindgen(method)]
    fn clear(this: &Redo) -> Promise;
}

/// The browser's journal; where there is none, nothing is noted.
#[derive(Clone, Copy, Debug)]
pub struct BrowserJournal;

/// What `boot.js` has under that name.
fn of_boot(name: &str) -> Option<JsValue> {
    let sash = Reflect::get(&js_sys::global(), &"sash".into()).ok()?;
    let found = Reflect::get(&sash, &name.into()).ok()?;
    found.is_object().then_some(found)
}

/// Looked up each time: it may open late.
fn redo() -> Option<Redo> {
    of_boot("journal").map(JsCast::unchecked_into)
}

fn entries(of: JsValue) -> Vec<Entry> {
    let read = |entry: JsValue| {
        let entry: Array = entry.unchecked_into();
        Some(Entry {
            key: entry.get(0).as_string()?,
            record: entry.get(1).as_string(),
            at: entry.get(2).as_f64()? as u64,
        })
    };
    let of: Array = of.unchecked_into();
    of.iter().filter_map(read).collect()
}

impl BrowserJournal {
    /// What was noted before this page started.
    #[must_use]
    pub fn found(self) -> Vec<Entry> {
        of_boot("redo").map(entries).unwrap_or_default()
    }

    /// What is noted now.
    pub async fn read(self) -> Vec<Entry> {
        let Some(redo) = redo() else {
            return Vec::new();
        };
        let read = JsFuture::from(redo.read()).await;
        read.map(entries).unwrap_or_default()
    }

    /// Drops all entries.
    pub fn clear(self) {
        if let Some(redo) = redo() {
            // It says itself, in the console, when it cannot.
            let _ = redo.clear();
        }
    }

    /// Whether there is a journal, and nothing failed so far.
    #[must_use]
    pub fn works(self) -> bool {
        redo().is_some_and(|redo| !redo.failed())
    }
}

impl Journal for BrowserJournal {
    fn note(&mut self, key: &str, record: Option<&str>) {
        if let Some(redo) = redo().filter(|_| !is_closed()) {
            redo.note(key, record);
        }
    }

    fn forget(&mut self, key: &str) {
        if let Some(redo) = redo().filter(|_| !is_closed()) {
            redo.forget(key);
        }
    }
}
