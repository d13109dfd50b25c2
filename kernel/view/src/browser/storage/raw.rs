//! Keys and values of a storage, unchanged. A value may contain an unpaired surrogate, which is not
//! valid text; converted to a Rust string, the surrogate would become a replacement character.

use js_sys::{Array, JsString, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::Storage;

/// Every key.
pub(super) fn keys(storage: &Storage) -> impl Iterator<Item = String> {
    let keys = Object::keys::<Object>(storage.unchecked_ref());
    keys.into_iter().filter_map(|key| key.as_string())
}

/// Every key with its value.
pub(super) fn entries(storage: &Storage) -> impl Iterator<Item = (JsString, JsString)> {
    let entries = Object::entries(storage.unchecked_ref());
    entries.into_iter().map(|entry| {
        let entry: Array = entry.unchecked_into();
        (entry.get(0).into(), entry.get(1).into())
    })
}

/// The value of a key. Uses `Reflect`, because web-sys would return a Rust string.
pub(super) fn value(storage: &Storage, key: &str) -> Option<JsString> {
    Reflect::get(storage, &key.into()).ok()?.dyn_into().ok()
}

/// Sets the value of a key. Uses `Reflect`, because web-sys would take a Rust string.
pub(super) fn set_value(storage: &Storage, key: &str, value: &JsString) -> Result<(), JsValue> {
    Reflect::set(storage, &key.into(), value).map(drop)
}

/// A value as a JSON string, in which an unpaired surrogate is written as an escape.
pub(super) fn quoted(value: &JsString) -> Option<String> {
    js_sys::JSON::stringify(value).ok()?.as_string()
}
