//! Persistence: whether the browser keeps what is stored here when its disk gets full.

use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::StorageManager;

/// Whether the storage is kept; `None` where the browser does not say: over plain HTTP from another machine it has no
/// such promise.
pub async fn is_persistent() -> Option<bool> {
    let said = manager()?.persisted().ok()?;
    JsFuture::from(said).await.ok()?.as_bool()
}

/// Asks the browser to keep the storage; it may ask the person. Returns whether it does.
pub async fn request_persistence() -> Option<bool> {
    let asked = manager()?.persist().ok()?;
    JsFuture::from(asked).await.ok()?.as_bool()
}

fn manager() -> Option<StorageManager> {
    let navigator = window().navigator();
    // Absent outside of a secure context, where the getter of web-sys would give an object of nothing.
    let manager = js_sys::Reflect::get(&navigator, &JsValue::from_str("storage")).ok()?;
    manager.dyn_into().ok()
}
