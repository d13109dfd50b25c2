//! The program for blocks of code, a fourth one for the browser: loaded with the first block of an answer
//! (`browser::code`). On the server's side there is nothing to do for it.

#[cfg(target_arch = "wasm32")]
mod program {
    use sash::ui::code;
    use wasm_bindgen::prelude::*;
    use web_sys::Element;

    /// Looks after a block that changes no more.
    #[wasm_bindgen]
    pub fn finished(block: &Element) {
        code::finished(block);
    }
}

fn main() {
    #[cfg(target_arch = "wasm32")]
    sash::ui::code::listen();
}
