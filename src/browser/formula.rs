//! The program that shows formulas, which `boot.js` loads when the first is to be shown.

use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = sash, js_name = formula, catch)]
    fn show_formula(place: &Element, tex: &str, display: bool) -> Result<(), JsValue>;
}

/// Puts a formula into `place`, at once or when the program is there; where it does not come, nothing changes.
pub fn show(place: &Element, tex: &str, display: bool) {
    // What stands there can be read.
    let _ = show_formula(place, tex, display);
}
