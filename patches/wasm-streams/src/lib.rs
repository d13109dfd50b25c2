//! Stands in for the crate of this name, which Leptos' own client of server functions links. Sash calls its server
//! functions through a client of its own (`src/api/client.rs`), so nothing here is ever called; but the real crate
//! exports classes to JavaScript, and what is exported stays in the page: 3 kB of brotli, in each of its programs.
//!
//! Should somebody call it all the same, it says so.

use futures::stream::{self, Stream};
use wasm_bindgen::JsValue;

const ABSENT: &str = "Sash is built without wasm-streams";

/// A stream of the browser's.
#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// The browser's stream as one of ours.
    #[must_use]
    pub fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// One that fails when it is read.
    #[must_use]
    pub fn from_stream(_: impl Stream<Item = Result<JsValue, JsValue>>) -> Self {
        panic!("{ABSENT}")
    }

    /// The browser's stream.
    #[must_use]
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// An error.
    pub fn into_stream(self) -> impl Stream<Item = Result<JsValue, JsValue>> {
        stream::iter([Err(ABSENT.into())])
    }
}
