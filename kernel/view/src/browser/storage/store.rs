//! localStorage as a [`KeyValue`].

use super::areas::local;
use super::changes::record_written;
use super::closing::is_closed;
use super::raw;
use gloo_storage::{LocalStorage, Storage as _};
use sash_browser_kit::console::LogError;
use sash_log::{KeyValue, StoreError};
use wasm_bindgen::prelude::*;
use web_sys::{DomException, Storage};

/// The localStorage. Records are written unchanged: the typed `set` of `gloo-storage` would encode
/// a string a second time and make it longer.
#[derive(Debug)]
pub struct BrowserStore {
    raw: Storage,
}

impl BrowserStore {
    /// Opens the browser's store, if it may be used. Reading the property of a blocked localStorage
    /// throws, so this uses the fallible getter, and then writes a probe.
    #[must_use]
    pub fn open() -> Option<Self> {
        const PROBE: &str = "sash:probe";
        local()?;
        let raw = LocalStorage::raw();
        let written = raw.set_item(PROBE, "1");
        let read = raw.get_item(PROBE).ok().flatten();
        raw.remove_item(PROBE).ok()?;
        // A full store can still be read, so a failed probe is accepted if the store is full.
        let usable = read.as_deref() == Some("1") || written.is_err_and(|error| is_full(&error));
        usable.then_some(Self { raw })
    }
}

fn is_full(error: &JsValue) -> bool {
    error.dyn_ref::<DomException>().is_some_and(|error| {
        ["QuotaExceededError", "NS_ERROR_DOM_QUOTA_REACHED"].contains(&error.name().as_str())
    })
}

fn refusal(error: &JsValue) -> StoreError {
    match is_full(error) {
        true => StoreError::Full,
        false => StoreError::Refused,
    }
}

impl KeyValue for BrowserStore {
    fn keys(&self) -> Vec<String> {
        raw::keys(&self.raw).collect()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.raw.get_item(key).ok().flatten()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        if is_closed() {
            return Ok(());
        }
        self.raw.set_item(key, value).map_err(|e| refusal(&e))?;
        record_written(key, true);
        Ok(())
    }

    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        let Some(value) = raw::value(&self.raw, from).filter(|_| !is_closed()) else {
            return Ok(());
        };
        // A Rust string would replace an unpaired surrogate.
        raw::set_value(&self.raw, to, &value).map_err(|e| refusal(&e))?;
        record_written(to, true);
        Ok(())
    }

    fn get_json(&self, key: &str) -> Option<String> {
        raw::quoted(&raw::value(&self.raw, key)?)
    }

    fn remove(&mut self, key: &str) {
        if is_closed() {
            return;
        }
        self.raw.remove_item(key).log_error();
        record_written(key, false);
    }
}
