//! Saves and reads files.

use crate::browser::console::LogError;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, Event, File, HtmlAnchorElement, HtmlInputElement, Url};

/// Makes the browser save a file with this content.
pub fn download(name: &str, kind: &str, pieces: Vec<String>) {
    let parts: Array = pieces
        .iter()
        .map(|piece| JsValue::from_str(piece))
        .collect();
    let options = BlobPropertyBag::new();
    options.set_type(&format!("{kind};charset=utf-8"));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options);
    let url = blob.and_then(|blob| Url::create_object_url_with_blob(&blob));
    let document = web_sys::window().and_then(|window| window.document());
    let (Ok(url), Some(document)) = (url, document) else {
        return;
    };
    if let Ok(link) = document.create_element("a") {
        let link: HtmlAnchorElement = link.unchecked_into();
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The browser keeps the data while it saves.
    Url::revoke_object_url(&url).log_error();
}

/// The file chosen in the field that fired an event.
#[must_use]
pub fn chosen(event: &Event) -> Option<File> {
    let field: HtmlInputElement = event.target()?.dyn_into().ok()?;
    field.files()?.get(0)
}

/// The bytes of a file; `None` if it cannot be read.
pub async fn read(file: &File) -> Option<Vec<u8>> {
    let buffer = JsFuture::from(file.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
