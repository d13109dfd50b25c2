//! The program for blocks of code, which `boot.js` loads.

use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = sash, js_name = code, catch)]
    fn code(block: Option<&Element>) -> Result<(), JsValue>;
}

/// Has it loaded: there is a block.
pub fn load() {
    // A page that is not ours has none.
    let _ = code(None);
}

/// Tells it of a block that changes no more.
pub fn finished(block: &Element) {
    let _ = code(Some(block));
}
