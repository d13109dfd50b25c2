//! The clipboard.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, ClipboardItem, Event, Window, window};

/// Copies a text; returns whether it worked. `navigator.clipboard` is missing on plain-HTTP LAN pages, where
/// the deprecated command still works.
pub async fn copy(text: String) -> bool {
    let Some(window) = window() else {
        return false;
    };
    if window.is_secure_context() {
        return JsFuture::from(window.navigator().clipboard().write_text(&text))
            .await
            .is_ok();
    }
    window
        .document()
        .and_then(|document| copy_by_command(&document, &text))
        .unwrap_or(false)
}

/// Copies a text in two formats, so that each program can take the one it supports; returns whether it
/// worked. A browser without support for that copies the plain text.
pub async fn copy_rich(plain: String, html: String) -> bool {
    match window().filter(Window::is_secure_context) {
        Some(window) => {
            if let Some(written) = write_both(&window, &plain, &html)
                && JsFuture::from(written).await.is_ok()
            {
                return true;
            }
            copy(plain).await
        }
        None => {
            // The command fires a `copy` event, whose handler sets the data.
            let (also, said) = (plain.clone(), html);
            let put = Closure::<dyn Fn(Event)>::new(move |event: Event| {
                let data = js_sys::Reflect::get(&event, &"clipboardData".into());
                let set = data.as_ref().ok().and_then(|data| {
                    let set = js_sys::Reflect::get(data, &"setData".into()).ok()?;
                    set.dyn_into::<js_sys::Function>().ok()
                });
                if let (Ok(data), Some(set)) = (data, set) {
                    for (kind, text) in [("text/plain", &also), ("text/html", &said)] {
                        // Every browser supports both types.
                        let _ = set.call2(&data, &kind.into(), &text.as_str().into());
                    }
                    event.prevent_default();
                }
            });
            let Some(document) = window().and_then(|window| window.document()) else {
                return false;
            };
            let listener = put.as_ref().unchecked_ref();
            let _ = document.add_event_listener_with_callback("copy", listener);
            let copied = copy_by_command(&document, &plain).unwrap_or(false);
            let _ = document.remove_event_listener_with_callback("copy", listener);
            copied
        }
    }
}

/// Starts to write both formats; `None` if the browser does not support that.
fn write_both(window: &Window, plain: &str, html: &str) -> Option<js_sys::Promise> {
    let known = js_sys::Reflect::has(window, &"ClipboardItem".into());
    known.ok().filter(|known| *known)?;
    let item = js_sys::Object::new();
    for (kind, text) in [("text/plain", plain), ("text/html", html)] {
        let options = BlobPropertyBag::new();
        options.set_type(kind);
        let parts = js_sys::Array::of1(&text.into());
        let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
        // Setting a property of a plain object cannot fail.
        let _ = js_sys::Reflect::set(&item, &kind.into(), &blob);
    }
    let item = ClipboardItem::new_with_record_from_str_to_blob_promise(&item).ok()?;
    let items = js_sys::Array::of1(&item);
    Some(window.navigator().clipboard().write(&items))
}

fn copy_by_command(document: &web_sys::Document, text: &str) -> Option<bool> {
    let focused = document.active_element();
    let area: web_sys::HtmlTextAreaElement =
        document.create_element("textarea").ok()?.dyn_into().ok()?;
    area.set_class_name("visually-hidden");
    area.set_value(text);
    document.body()?.append_child(&area).ok()?;
    area.select();
    let document: &web_sys::HtmlDocument = document.unchecked_ref();
    let copied = document.exec_command("copy").unwrap_or(false);
    area.remove();
    if let Some(element) = focused.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
    Some(copied)
}
