//! The program that shows Markdown, a second one for the browser: the page loads it when it has an answer to
//! show (`ui::markdown`). On the server's side there is nothing to do for it.

#[cfg(target_arch = "wasm32")]
mod program {
    use sash::ui::markdown::Renderer;
    use wasm_bindgen::prelude::*;
    use web_sys::Element;

    /// An answer in one place of the page.
    #[wasm_bindgen]
    pub struct Answer(Renderer);

    #[wasm_bindgen]
    impl Answer {
        /// Takes what came; it is the last where the answer is not `running`.
        pub fn add(&mut self, more: &str, running: bool) {
            self.0.add(more, running);
        }

        /// Shows more of what came, for about so many milliseconds; whether all is shown then.
        pub fn go_on(&mut self, millis: f64) -> bool {
            self.0.go_on(millis)
        }
    }

    /// Copies an answer that is shown in `place`, as Markdown and as rich text; tells whether it worked.
    #[wasm_bindgen]
    pub async fn copy(place: Element, markdown: String) -> bool {
        sash::ui::markdown::copy(place, markdown).await
    }

    /// An answer that is to be shown in `place`.
    #[wasm_bindgen]
    pub fn renderer(place: Element) -> Answer {
        Answer(Renderer::new(place))
    }
}

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        sash::ui::code::listen();
        sash::ui::formula::listen();
    }
}
