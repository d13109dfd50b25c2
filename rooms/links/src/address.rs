//! The address of the page.

use crate::{FillQuery, fill};
use leptos::prelude::window;
use sash_browser_kit::console::LogError;
use sash_stores::Kernel;
use wasm_bindgen::JsValue;

/// Opens a new chat with what the address of the page fills in, once: the address becomes that chat's. It is called before
/// there is a router, which reads the address.
pub fn fill_from_address(kernel: Kernel) {
    let location = window().location();
    let is_new_chat = location.pathname().is_ok_and(|path| path == "/");
    let query = location.search().unwrap_or_default();
    let query = FillQuery::parse(query.trim_start_matches('?')).filter(|_| is_new_chat);
    if let (Some(query), Ok(history)) = (query, window().history()) {
        fill(kernel, query);
        history
            .replace_state_with_url(&JsValue::NULL, "", Some("/"))
            .log_error();
    }
}
