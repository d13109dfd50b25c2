//! One writer per chat, by Web Locks where the browser has them. It has them on the machine's own address but
//! not on a plain-HTTP network address; there two tabs may both answer, in two branches.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A lock that is held or waited for until this is dropped.
pub struct Held(Option<Function>);

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(release) = &self.0 {
            // A promise can be resolved with any value.
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

fn locks() -> Option<JsValue> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    locks.is_object().then_some(locks)
}

/// Whether Web Locks are available to this page.
#[must_use]
pub fn exist() -> bool {
    locks().is_some()
}

/// Requests a lock. `how` is an option of the Web Locks API to set; `granted` is called with the lock or
/// null, and the promise it returns determines how long the lock is held. The returned promise is rejected if
/// the lock is stolen.
fn request(
    name: &str,
    how: &str,
    granted: Closure<dyn FnMut(JsValue) -> JsValue>,
) -> Option<Promise> {
    let locks = locks()?;
    let ask: Function = Reflect::get(&locks, &"request".into())
        .ok()?
        .dyn_into()
        .ok()?;
    let options = Object::new();
    if !how.is_empty() {
        Reflect::set(&options, &how.into(), &JsValue::TRUE).ok()?;
    }
    let arguments = Array::of3(&name.into(), &options, &granted.into_js_value());
    ask.apply(&locks, &arguments).ok()?.dyn_into().ok()
}

/// Acquires a lock when it becomes free, and holds it; calls back when another tab steals it.
pub fn hold(name: &str, taken: impl FnOnce() + 'static) -> Held {
    let mut release = None;
    let held = Promise::new(&mut |resolve, _| release = Some(resolve));
    let granted = Closure::new(move |_| held.clone().into());
    if let Some(end) = request(name, "", granted) {
        wasm_bindgen_futures::spawn_local(async move {
            // Where site data is blocked, the request fails with another error.
            let stolen = |error: JsValue| {
                let name = Reflect::get(&error, &"name".into()).ok();
                name.and_then(|name| name.as_string()).as_deref() == Some("AbortError")
            };
            if JsFuture::from(end).await.is_err_and(stolen) {
                taken();
            }
        });
    }
    Held(release)
}

/// Whether another tab holds a lock now. Without Web Locks this is unknown and returns false.
pub async fn is_held(name: &str) -> bool {
    let granted = Closure::new(|lock: JsValue| JsValue::from_bool(lock.is_null()));
    match request(name, "ifAvailable", granted) {
        Some(answer) => JsFuture::from(answer)
            .await
            .is_ok_and(|held| held.is_truthy()),
        None => false,
    }
}

/// Waits until a lock is free.
pub async fn freed(name: &str) {
    pass(name, "").await;
}

/// Steals a lock from its holder.
pub async fn take_over(name: &str) {
    pass(name, "steal").await;
}

/// Acquires a lock and releases it at once.
async fn pass(name: &str, how: &str) {
    if let Some(end) = request(name, how, Closure::new(|_| JsValue::UNDEFINED)) {
        // Fails if another tab steals the lock; it was to be released anyway.
        let _ = JsFuture::from(end).await;
    }
}
