//! The program that shows formulas and copies them, a fifth one for the browser: the page loads it when an answer has one
//! (`browser::formula`). On the server's side there is nothing to do for it.

#[cfg(target_arch = "wasm32")]
mod program {
    use sash::ui::formula;
    use wasm_bindgen::prelude::*;
    use web_sys::Element;

    /// Shows a formula in `place`; where it is not understood, what stands there stays.
    #[wasm_bindgen]
    pub fn show(place: &Element, tex: &str, display: bool) {
        formula::show(place, tex, display);
    }
}

fn main() {
    #[cfg(target_arch = "wasm32")]
    sash::ui::formula::listen();
}
