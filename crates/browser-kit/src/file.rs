//! Saves and reads files.

use crate::console::LogError;
use js_sys::{Array, Uint8Array};
use std::ops::Range;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, ClipboardEvent, DataTransfer, Event, File, HtmlAnchorElement,
    HtmlInputElement, Url,
};

/// The pieces of a file that is written. The browser has them, not this program, whose memory never shrinks.
#[derive(Clone, Debug, Default)]
pub struct FileParts(Array);

impl FileParts {
    /// Appends a text.
    pub fn push(&self, text: &str) {
        self.0.push(&JsValue::from_str(text));
    }

    /// Appends a long text as a blob, which the browser may keep on disk.
    pub fn push_blob(&self, text: &str) {
        match Blob::new_with_str_sequence(&Array::of1(&JsValue::from_str(text))) {
            Ok(blob) => _ = self.0.push(&blob),
            Err(_) => self.push(text),
        }
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.length() == 0
    }
}

impl From<String> for FileParts {
    fn from(text: String) -> Self {
        let parts = Self::default();
        parts.push(&text);
        parts
    }
}

/// Makes the browser save a file with this content.
pub fn download(name: &str, kind: &str, FileParts(parts): FileParts) {
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

/// All files chosen in the field that fired an event.
#[must_use]
pub fn all_chosen(event: &Event) -> Vec<File> {
    let field = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let list = field.and_then(|field| field.files());
    list.map(|list| (0..list.length()).filter_map(|at| list.get(at)).collect())
        .unwrap_or_default()
}

/// All files that were dropped.
#[must_use]
pub fn all_dropped(data: &DataTransfer) -> Vec<File> {
    let list = data.files();
    list.map(|list| (0..list.length()).filter_map(|at| list.get(at)).collect())
        .unwrap_or_default()
}

/// The content of the clipboard that is being pasted.
#[must_use]
pub fn clipboard_of(event: &Event) -> Option<DataTransfer> {
    event.dyn_ref::<ClipboardEvent>()?.clipboard_data()
}

/// The bytes of a range of a file; `None` if it cannot be read.
pub async fn read_range(file: &File, at: Range<u64>) -> Option<Vec<u8>> {
    let piece = file
        .slice_with_f64_and_f64(at.start as f64, at.end as f64)
        .ok()?;
    let buffer = JsFuture::from(piece.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}

/// The bytes of a file; `None` if it cannot be read.
pub async fn read(file: &Blob) -> Option<Vec<u8>> {
    let buffer = JsFuture::from(file.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
