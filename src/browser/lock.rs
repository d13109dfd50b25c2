//! One writer per chat, by Web Locks where the browser has them. It has them on the machine's own address but
//! not on a plain-HTTP network address; there two tabs may both answer, in two branches.

use super::console::LogError;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DomException, LockManager, LockOptions};

/// A lock that is held or waited for until this is dropped.
pub struct LockGuard(Option<Function>);

impl Drop for LockGuard {
    fn drop(&mut self) {
        if let Some(release) = &self.0 {
            release.call0(&JsValue::NULL).log_error();
        }
    }
}

fn locks() -> Option<LockManager> {
    let locks = web_sys::window()?.navigator().locks();
    (!locks.is_undefined()).then_some(locks)
}

/// Whether Web Locks are available to this page.
#[must_use]
pub fn exist() -> bool {
    locks().is_some()
}

/// Requests a lock. `granted` is called with the lock or null, and the promise it returns determines how long
/// the lock is held. The returned promise is rejected if the lock is stolen.
fn request(
    name: &str,
    options: &LockOptions,
    granted: Closure<dyn FnMut(JsValue) -> JsValue>,
) -> Option<Promise> {
    let granted = granted.into_js_value().unchecked_into();
    Some(locks()?.request_with_options(name, options, &granted))
}

/// Whether a lock was stolen. Where site data is blocked, the request fails with another error.
fn is_stolen(error: &JsValue) -> bool {
    let error = error.dyn_ref::<DomException>();
    error.is_some_and(|error| error.name() == "AbortError")
}

/// Acquires a lock when it becomes free, and holds it; calls back when another tab steals it.
pub fn hold(name: &str, taken: impl FnOnce() + 'static) -> LockGuard {
    let mut release = None;
    let held = Promise::new(&mut |resolve, _| release = Some(resolve));
    let granted = Closure::new(move |_| held.clone().into());
    if let Some(end) = request(name, &LockOptions::new(), granted) {
        wasm_bindgen_futures::spawn_local(async move {
            if JsFuture::from(end)
                .await
                .is_err_and(|error| is_stolen(&error))
            {
                taken();
            }
        });
    }
    LockGuard(release)
}

/// Whether another tab holds a lock now. Without Web Locks this is unknown and returns false.
pub async fn is_held(name: &str) -> bool {
    let options = LockOptions::new();
    options.set_if_available(true);
    let granted = Closure::new(|lock: JsValue| JsValue::from_bool(lock.is_null()));
    match request(name, &options, granted) {
        Some(answer) => JsFuture::from(answer)
            .await
            .is_ok_and(|held| held.is_truthy()),
        None => false,
    }
}

/// Waits until a lock is free.
pub async fn wait_until_free(name: &str) {
    acquire_and_release(name, &LockOptions::new()).await;
}

/// Steals a lock from its holder.
pub async fn take_over(name: &str) {
    let options = LockOptions::new();
    options.set_steal(true);
    acquire_and_release(name, &options).await;
}

/// Has a lock and lets it go at once.
async fn acquire_and_release(name: &str, options: &LockOptions) {
    if let Some(end) = request(name, options, Closure::new(|_| JsValue::UNDEFINED)) {
        // Taken away in its turn, or refused: it was to be let go anyway.
        JsFuture::from(end).await.ok();
    }
}
