//! One writer per chat, by Web Locks where the browser has them. It has them on the machine's own address but
//! not on a plain-HTTP network address; there two tabs may both answer, in two branches.

use futures::channel::oneshot;
use leptos::prelude::window;
use leptos::task::spawn_local;
use leptos_use_web_lock::{
    UseWebLockError, UseWebLockOptions, use_web_lock, use_web_lock_with_options,
};
use wasm_bindgen::JsCast;
use web_sys::{DomException, Lock};

/// A lock that is held or waited for until this is dropped.
pub struct LockGuard {
    /// The lock is held until this end of the channel is dropped.
    _held: oneshot::Sender<()>,
}

/// Whether Web Locks are available to this page.
#[must_use]
pub fn exist() -> bool {
    !window().navigator().locks().is_undefined()
}

/// Whether a lock was stolen. Where site data is blocked, the request fails with another error.
fn is_stolen(error: &UseWebLockError) -> bool {
    let UseWebLockError::Failed(error) = error else {
        return false;
    };
    let error = error.dyn_ref::<DomException>();
    error.is_some_and(|error| error.name() == "AbortError")
}

/// Acquires a lock when it becomes free, and holds it; calls back when another tab steals it.
pub fn hold(name: &str, taken: impl FnOnce() + 'static) -> LockGuard {
    let (held, released) = oneshot::channel::<()>();
    let name = name.to_owned();
    if exist() {
        spawn_local(async move {
            // Dropping the guard cancels the channel.
            let end = use_web_lock(&name, |_| released).await;
            if end.is_err_and(|error| is_stolen(&error)) {
                taken();
            }
        });
    }
    LockGuard { _held: held }
}

/// Acquires a lock if it is free, and holds it; calls back when another tab steals it. `None` if it is not free.
pub async fn try_hold(name: &str, taken: impl FnOnce() + 'static) -> Option<LockGuard> {
    if !exist() {
        return None;
    }
    let (held, released) = oneshot::channel::<()>();
    let (tell, acquired) = oneshot::channel::<bool>();
    let name = name.to_owned();
    spawn_local(async move {
        let options = UseWebLockOptions::default().if_available(true);
        let hold = |lock: Lock| async move {
            let is_held = !lock.is_null();
            // Fails if nobody waits any more; then the lock is released at once, because its guard is gone.
            if tell.send(is_held).is_ok() && is_held {
                // Dropping the guard cancels the channel.
                released.await.ok();
            }
        };
        let end = use_web_lock_with_options(&name, hold, options).await;
        if end.is_err_and(|error| is_stolen(&error)) {
            taken();
        }
    });
    let is_held = acquired.await.unwrap_or(false);
    is_held.then_some(LockGuard { _held: held })
}

/// Whether another tab holds a lock now. Without Web Locks this is unknown and returns false.
pub async fn is_held(name: &str) -> bool {
    let options = UseWebLockOptions::default().if_available(true);
    let is_refused = |lock: Lock| async move { lock.is_null() };
    exist()
        && use_web_lock_with_options(name, is_refused, options)
            .await
            .unwrap_or(false)
}

/// Waits until a lock is free.
pub async fn wait_until_free(name: &str) {
    acquire_and_release(name, UseWebLockOptions::default()).await;
}

/// Steals a lock from its holder.
pub async fn steal(name: &str) {
    acquire_and_release(name, UseWebLockOptions::default().steal(true)).await;
}

/// Acquires a lock and releases it at once.
async fn acquire_and_release(name: &str, options: UseWebLockOptions) {
    if exist() {
        // Stolen or denied: ignored, because it is released at once anyway.
        use_web_lock_with_options(name, |_| async {}, options)
            .await
            .ok();
    }
}
