//! localStorage as a [`Store`].

use gloo_storage::{LocalStorage, Storage};
use leptos::ev;
use leptos::prelude::window_event_listener;
use sash_log::{Store, StoreError};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Present while everything is being deleted: [`super::erase`] sets it first and removes it last.
pub const DELETING: &str = "sash:deleting";

thread_local! {
    /// Whether everything is being deleted: then nothing is written until the page is reloaded.
    static CLOSED: Cell<bool> = const { Cell::new(false) };
    static ON_WRITE: RefCell<Option<OnWrite>> = const { RefCell::new(None) };
    /// Keys that were written (`true`) or removed, and are not reported yet.
    static WRITTEN: RefCell<Vec<(String, bool)>> = const { RefCell::new(Vec::new()) };
}

type OnWrite = Rc<dyn Fn(&str, bool)>;

/// Whether everything is being deleted, by this tab or another one; then nothing may be written.
#[must_use]
pub fn is_closed() -> bool {
    CLOSED.get()
}

/// Stops all writes.
pub(super) fn close() {
    CLOSED.set(true);
}

/// Deletes this tab's own state.
pub fn forget_tab() {
    if let Some(storage) = session() {
        for key in keys_of_sash(&storage) {
            // Removing fails only if nothing is stored.
            let _ = storage.remove_item(&key);
        }
    }
}

/// The localStorage, if it may be used.
pub(super) fn local() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// The sessionStorage, if it may be used.
pub(super) fn session() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// The keys that belong to Sash.
pub(super) fn keys_of_sash(storage: &web_sys::Storage) -> impl Iterator<Item = String> {
    let all = keys(storage).into_iter();
    all.filter_map(|key| key.as_string().filter(|key| key.starts_with("sash:")))
}

/// The localStorage. Records are written unchanged: `gloo-storage`'s typed `set` would encode a string again
/// and make it longer.
#[derive(Debug)]
pub struct BrowserStore {
    raw: web_sys::Storage,
}

impl BrowserStore {
    /// The browser's store, if it may be used. Accessing a blocked localStorage throws, so this uses the
    /// fallible getter first, and writes a probe to be sure.
    #[must_use]
    pub fn open() -> Option<Self> {
        const PROBE: &str = "sash:probe";
        web_sys::window()?.local_storage().ok()??;
        let raw = LocalStorage::raw();
        let written = raw.set_item(PROBE, "1");
        let read = raw.get_item(PROBE).ok().flatten();
        raw.remove_item(PROBE).ok()?;
        // A full store can still be read.
        let usable = read.as_deref() == Some("1") || written.is_err_and(|error| is_full(&error));
        usable.then_some(Self { raw })
    }
}

/// The quota of a page in UTF-16 units of keys and values: 10 MiB at two bytes each in Chromium, and the same
/// in Firefox.
pub const ROOM: usize = 5 * 1024 * 1024;

/// How much of it is used, also by other programs under this origin.
#[must_use]
pub fn used() -> usize {
    let Some(storage) = local() else {
        return 0;
    };
    let record = |key: &JsValue| js_sys::Reflect::get(&storage, key).unwrap_or_default();
    keys(&storage)
        .iter()
        .map(|key| units(record(&key)) + units(key))
        .sum()
}

/// Every key, with the size of the key and its value in UTF-16 units.
#[must_use]
pub fn sizes() -> Vec<(String, usize)> {
    let Some(storage) = local() else {
        return Vec::new();
    };
    let size = |key: JsValue| {
        let value = js_sys::Reflect::get(&storage, &key).ok()?;
        Some((key.as_string()?, units(key) + units(value)))
    };
    keys(&storage).iter().filter_map(size).collect()
}

/// The records under keys with this prefix, each as a JSON string, which also represents values that are not
/// valid text.
#[must_use]
pub fn all(beginning: &str) -> Vec<(String, String)> {
    let Some(storage) = local() else {
        return Vec::new();
    };
    let ours = |key: JsValue| {
        let name = key.as_string().filter(|name| name.starts_with(beginning))?;
        Some((name, quoted(&storage, &key)?))
    };
    keys(&storage).iter().filter_map(ours).collect()
}

/// Removes the records under keys with this prefix.
pub fn remove_all(beginning: &str) {
    let Some(storage) = local() else {
        return;
    };
    for key in keys(&storage).iter().filter_map(|key| key.as_string()) {
        if key.starts_with(beginning) {
            let _ = storage.remove_item(&key);
        }
    }
}

/// A value as a JSON string, in which an unpaired surrogate, which is not valid text, is written as an
/// escape.
fn quoted(storage: &web_sys::Storage, key: &JsValue) -> Option<String> {
    let value = js_sys::Reflect::get(storage, key).ok()?;
    let text = value.is_string().then(|| js_sys::JSON::stringify(&value));
    text?.ok()?.as_string()
}

fn units(text: JsValue) -> usize {
    js_sys::JsString::from(text).length() as usize
}

fn keys(storage: &web_sys::Storage) -> js_sys::Array {
    js_sys::Object::keys::<js_sys::Object>(storage.unchecked_ref())
}

fn is_full(error: &JsValue) -> bool {
    let name = js_sys::Reflect::get(error, &"name".into())
        .ok()
        .and_then(|name| name.as_string());
    name.is_some_and(|name| name == "QuotaExceededError" || name == "NS_ERROR_DOM_QUOTA_REACHED")
}

fn refusal(error: &JsValue) -> StoreError {
    match is_full(error) {
        true => StoreError::Full,
        false => StoreError::Refused,
    }
}

impl Store for BrowserStore {
    fn keys(&self) -> Vec<String> {
        js_sys::Object::keys::<js_sys::Object>(self.raw.unchecked_ref())
            .iter()
            .filter_map(|key| key.as_string())
            .collect()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.raw.get_item(key).ok().flatten()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        if is_closed() {
            return Ok(());
        }
        self.raw.set_item(key, value).map_err(|e| refusal(&e))?;
        note_written(key, true);
        Ok(())
    }

    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        let value = js_sys::Reflect::get(&self.raw, &from.into()).unwrap_or_default();
        if is_closed() || !value.is_string() {
            return Ok(());
        }
        // Never as a Rust string, which would replace an unpaired surrogate.
        js_sys::Reflect::set(&self.raw, &to.into(), &value).map_err(|e| refusal(&e))?;
        note_written(to, true);
        Ok(())
    }

    fn quoted(&self, key: &str) -> Option<String> {
        quoted(&self.raw, &key.into())
    }

    fn remove(&mut self, key: &str) {
        if is_closed() {
            return;
        }
        let _ = self.raw.remove_item(key);
        note_written(key, false);
    }
}

/// Calls back with each key that this page wrote (`true`) or removed (`false`), after the running task.
pub fn on_write(callback: impl Fn(&str, bool) + 'static) {
    ON_WRITE.set(Some(Rc::new(callback)));
}

fn note_written(key: &str, there: bool) {
    let Some(callback) = ON_WRITE.with_borrow(Clone::clone) else {
        return;
    };
    let is_first = WRITTEN.with_borrow_mut(|written| {
        written.push((key.to_owned(), there));
        written.len() == 1
    });
    if is_first {
        wasm_bindgen_futures::spawn_local(async move {
            for (key, there) in WRITTEN.take() {
                callback(&key, there);
            }
        });
    }
}

/// Calls back with each key that another tab wrote (`true`) or removed (`false`), and without a key when
/// everything was cleared. Once [`DELETING`] appears, this page writes nothing any more.
pub fn on_other_tab(callback: impl Fn(Option<&str>, bool) + 'static) {
    let handle = window_event_listener(ev::storage, move |event: web_sys::StorageEvent| {
        let (key, there) = (event.key(), event.new_value().is_some());
        if key.as_deref() == Some(DELETING) && there {
            CLOSED.set(true);
        }
        callback(key.as_deref(), there);
    });
    // The listener lives as long as the page.
    std::mem::forget(handle);
}
