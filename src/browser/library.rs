//! The program `library` (search, trash, storage, export), which `boot.js` loads: from the page's side first, then
//! from its own.
//!
//! To the page it behaves as another tab does: it has a log of its own over the same storage, and what it writes
//! comes back to the page as an event of the storage. What the page writes it is told key by key.

use js_sys::{Function, Promise, Reflect};
use sash_chat::Id;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{StorageEvent, StorageEventInit};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = sash, js_name = open)]
    fn open_at(tab: &str) -> Promise;

    #[wasm_bindgen(js_namespace = sash, js_name = unpack)]
    fn unpack_chat(chat: &str) -> Promise;

    #[wasm_bindgen(js_namespace = sash, js_name = tidy)]
    fn tidy_up() -> Promise;

    #[wasm_bindgen(js_namespace = sash, js_name = wrote)]
    fn tell_of(key: &str);
}

/// Tells the library, if it is there, of a key that the page wrote or removed.
pub fn wrote(key: &str) {
    tell_of(key);
}

/// Opens the library at a tab: `search`, `trash`, `storage` or `transfer`. Whether it came.
pub async fn open(tab: &str) -> bool {
    JsFuture::from(open_at(tab)).await.is_ok()
}

/// The packed messages of a chat: the payload of each as it was written, one a line. `None` if the library does
/// not come.
pub async fn unpack(chat: Id) -> Option<String> {
    let lines = JsFuture::from(unpack_chat(&chat.to_string())).await;
    lines.ok()?.as_string()
}

/// Has the library pack chats that nobody touched for a month. What it says of that, if anything.
pub async fn tidy() -> Option<String> {
    JsFuture::from(tidy_up()).await.ok()?.as_string()
}

/// Has the page show a chat, and a message of it.
pub fn show(chat: Id, message: Option<Id>) {
    let detail = message.map_or_else(|| chat.to_string(), |message| format!("{chat}:{message}"));
    let init = web_sys::CustomEventInit::new();
    init.set_detail(&detail.into());
    let event = web_sys::CustomEvent::new_with_event_init_dict("sash:show", &init);
    dispatch(event.ok().as_deref());
}

/// Calls back with each key that the page writes or removes.
pub fn on_page_wrote(callback: impl Fn(&str) + 'static) {
    let told = Closure::<dyn Fn(String)>::new(move |key: String| callback(&key));
    if let Ok(sash) = Reflect::get(&js_sys::global(), &"sash".into()) {
        // A plain object takes any value.
        let _ = Reflect::set(
            &sash,
            &"wrote".into(),
            told.as_ref().unchecked_ref::<Function>(),
        );
    }
    // For as long as the page lives.
    told.forget();
}

thread_local! {
    static WRITTEN: RefCell<Vec<String>> = RefCell::default();
}

/// Tells the page of a key that this program wrote or removed: as soon as what is being done is done.
pub fn tell_page(key: &str) {
    let first = WRITTEN.with_borrow_mut(|written| {
        let first = written.is_empty();
        written.push(key.to_owned());
        first
    });
    if first {
        spawn_local(async { tell_all() });
    }
}

fn tell_all() {
    for key in WRITTEN.take() {
        tell_at_once(&key, super::storage::is_there(&key));
    }
}

/// Tells all programs of this tab, now, that a key was written or removed.
pub fn tell_at_once(key: &str, there: bool) {
    let init = StorageEventInit::new();
    init.set_key(Some(key));
    // Only whether there is a value is asked of it; the value is in the storage.
    init.set_new_value(there.then_some(""));
    let event = StorageEvent::new_with_event_init_dict("storage", &init);
    dispatch(event.ok().as_deref());
}

fn dispatch(event: Option<&web_sys::Event>) {
    if let (Some(window), Some(event)) = (web_sys::window(), event) {
        // Refused only to an event that is on its way already.
        let _ = window.dispatch_event(event);
    }
}
