//! The screen that is shown when the program has panicked: plain, and made by `boot.js`, which still works.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = sash, js_name = crashed, catch)]
    fn crashed(why: &str) -> Result<(), JsValue>;
}

/// Shows it. `why` is what the panic said.
pub fn show(why: &str) {
    // Nothing is left to be done about an error here; the console has the panic.
    let _ = crashed(why);
}
