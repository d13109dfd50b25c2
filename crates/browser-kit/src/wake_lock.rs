//! The wake lock: the screen stays on. web-sys has it only among its unstable interfaces.

use crate::console::LogError;
use crate::page;
use js_sys::Promise;
use leptos::ev;
use leptos::prelude::*;
use leptos_use_event_listener::use_event_listener;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    type WakeLockNavigator;
    #[wasm_bindgen(method, getter, js_name = wakeLock)]
    fn wake_lock(this: &WakeLockNavigator) -> Option<WakeLock>;

    type WakeLock;
    #[wasm_bindgen(method, catch)]
    fn request(this: &WakeLock, kind: &str) -> Result<Promise, JsValue>;

    type WakeLockSentinel;
    #[wasm_bindgen(method, catch)]
    fn release(this: &WakeLockSentinel) -> Result<Promise, JsValue>;
}

/// Keeps the screen on while `wanted` is true. The browser takes the lock away when the page is hidden, so it is requested
/// again when the page is visible. Without a wake lock, or where the browser refuses it, nothing happens.
pub fn use_wake_lock(wanted: Signal<bool>) {
    let visible = RwSignal::new(page::is_visible());
    _ = use_event_listener(document(), ev::visibilitychange, move |_| {
        visible.set(page::is_visible());
    });
    let is_due = Memo::new(move |_| wanted.get() && visible.get());
    let held = StoredValue::new_local(None::<WakeLockSentinel>);
    Effect::new(move || match is_due.get() {
        true => leptos::task::spawn_local(async move {
            let Some(sentinel) = request().await else {
                return;
            };
            // The answer may have ended meanwhile.
            match is_due.try_get_untracked() {
                Some(true) => _ = held.try_set_value(Some(sentinel)),
                Some(false) | None => drop_lock(&sentinel),
            }
        }),
        false => {
            if let Some(sentinel) = held.try_update_value(Option::take).flatten() {
                drop_lock(&sentinel);
            }
        }
    });
}

async fn request() -> Option<WakeLockSentinel> {
    let navigator: WakeLockNavigator = window().navigator().unchecked_into();
    let asked = navigator.wake_lock()?.request("screen").ok()?;
    let sentinel = JsFuture::from(asked).await.ok()?;
    Some(sentinel.unchecked_into())
}

/// Releases a lock. One that the browser took away is released already.
fn drop_lock(sentinel: &WakeLockSentinel) {
    if let Ok(released) = sentinel.release() {
        leptos::task::spawn_local(
            async move { JsFuture::from(released).await.map(drop).log_error() },
        );
    }
}
