//! The clipboard.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// Copies a text; tells whether it worked. `navigator.clipboard` is missing on plain-HTTP LAN pages,
/// where the old command still serves.
pub async fn copy(text: String) -> bool {
    let Some(window) = web_sys::window() else {
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
