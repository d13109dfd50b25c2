//! The clipboard.

use crate::console::LogError;
use js_sys::{Array, Object, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, ClipboardEvent, ClipboardItem, Window, window};

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
            let put = Closure::<dyn Fn(ClipboardEvent)>::new(move |event: ClipboardEvent| {
                if let Some(data) = event.clipboard_data() {
                    for (kind, text) in [("text/plain", &also), ("text/html", &said)] {
                        data.set_data(kind, text).log_error();
                    }
                    event.prevent_default();
                }
            });
            let Some(document) = window().and_then(|window| window.document()) else {
                return false;
            };
            let listener = put.as_ref().unchecked_ref();
            document
                .add_event_listener_with_callback("copy", listener)
                .log_error();
            let copied = copy_by_command(&document, &plain).unwrap_or(false);
            document
                .remove_event_listener_with_callback("copy", listener)
                .log_error();
            copied
        }
    }
}

/// Starts to write both formats; `None` if the browser does not support that.
fn write_both(window: &Window, plain: &str, html: &str) -> Option<Promise> {
    let forms = Array::new();
    for (kind, text) in [("text/plain", plain), ("text/html", html)] {
        let options = BlobPropertyBag::new();
        options.set_type(kind);
        let parts = Array::of1(&text.into());
        let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
        forms.push(&Array::of2(&kind.into(), &blob));
    }
    let forms = Object::from_entries(&forms).ok()?;
    // Fails if the browser has no such class.
    let item = ClipboardItem::new_with_record_from_str_to_blob_promise(&forms).ok()?;
    let items = Array::of1(&item);
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
        element.focus().log_error();
    }
    Some(copied)
}
