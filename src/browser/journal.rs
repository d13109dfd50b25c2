//! The redo journal, which `journal.js` keeps in IndexedDB and `boot.js` opens before the page starts.

use crate::log::{Entry, Journal};
use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type Redo;

    #[wasm_bindgen(method, getter)]
    fn entries(this: &Redo) -> Array;

    #[wasm_bindgen(method)]
    fn note(this: &Redo, key: &str, record: Option<&str>);

    #[wasm_bindgen(method)]
    fn forget(this: &Redo, key: &str);

    #[wasm_bindgen(method)]
    fn clear(this: &Redo) -> js_sys::Promise;
}

/// The browser's journal; where there is none, nothing is noted.
pub struct BrowserJournal(Option<Redo>);

impl BrowserJournal {
    /// The journal, if the browser has one for this page.
    #[must_use]
    pub fn open() -> Self {
        let sash = Reflect::get(&js_sys::global(), &"sash".into());
        let journal = sash.and_then(|sash| Reflect::get(&sash, &"journal".into()));
        let journal = journal.ok().filter(JsValue::is_object);
        Self(journal.map(JsCast::unchecked_into))
    }

    /// Drops all entries.
    pub fn clear(&self) {
        if let Some(redo) = &self.0 {
            // It says itself, in the console, when it cannot.
            let _ = redo.clear();
        }
    }

    /// What was noted before this page started.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let Some(redo) = &self.0 else {
            return Vec::new();
        };
        let read = |entry: JsValue| {
            let entry: Array = entry.unchecked_into();
            Some(Entry {
                key: entry.get(0).as_string()?,
                record: entry.get(1).as_string(),
                at: entry.get(2).as_f64()? as u64,
            })
        };
        redo.entries().iter().filter_map(read).collect()
    }
}

impl Journal for BrowserJournal {
    fn note(&mut self, key: &str, record: Option<&str>) {
        if let Some(redo) = &self.0 {
            redo.note(key, record);
        }
    }

    fn forget(&mut self, key: &str) {
        if let Some(redo) = &self.0 {
            redo.forget(key);
        }
    }
}
