//! One writer a chat: Web Locks, where the browser has them. It does on this machine's own address; on a plain
//! address of the network it does not, and then two tabs may both answer, as two branches.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A lock that is held, or waited for, until it is dropped.
pub struct Held(Option<Function>);

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(release) = &self.0 {
            // A promise takes any value.
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

fn locks() -> Option<JsValue> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    locks.is_object().then_some(locks)
}

/// Whether the browser has locks for this page.
#[must_use]
pub fn exist() -> bool {
    locks().is_some()
}

/// Asks for a lock. `how` is an option of the Web Locks API to switch on; `granted` is told whether it was given
/// and says how long it is held, by a promise. The promise this returns fails when it was taken away.
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

/// Holds a lock from when it is free; calls back when another tab takes it away.
pub fn hold(name: &str, taken: impl FnOnce() + 'static) -> Held {
    let mut release = None;
    let held = Promise::new(&mut |resolve, _| release = Some(resolve));
    let granted = Closure::new(move |_| held.clone().into());
    if let Some(end) = request(name, "", granted) {
        wasm_bindgen_futures::spawn_local(async move {
            // Refused altogether, where site data is blocked, is another error.
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

/// Whether another tab holds a lock now. Without Web Locks nobody knows: no.
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

/// Takes a lock away from whoever holds it.
pub async fn take_over(name: &str) {
    pass(name, "steal").await;
}

/// Has a lock and lets it go at once.
async fn pass(name: &str, how: &str) {
    if let Some(end) = request(name, how, Closure::new(|_| JsValue::UNDEFINED)) {
        // Taken away in its turn: it was to be let go anyway.
        let _ = JsFuture::from(end).await;
    }
}
