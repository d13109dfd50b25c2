//! The program that finds what a draft refers to, a sixth one for the browser: the page loads it when a draft is
//! written and the window leaves messages out (`browser::mention`). On the server's side there is nothing to do for it.

#[cfg(target_arch = "wasm32")]
mod program {
    use js_sys::Function;
    use sash_chat::Id;
    use sash_search::mention::Index;
    use wasm_bindgen::prelude::*;

    /// The messages of one branch, by their places in it.
    #[wasm_bindgen]
    #[derive(Default)]
    pub struct Mentions(Index);

    #[wasm_bindgen]
    impl Mentions {
        /// Adds the message at that place.
        pub fn add(&mut self, place: u32, text: &str, created_ms: f64) {
            self.0.add(Id(place.into()), text, created_ms as u64);
        }

        /// The message that a draft refers to: its place, and in further lines the words that say so. `state` is
        /// asked about places: 1 for a message that goes with the next prompt, 2 for one that may be offered.
        pub fn mentioned(&self, draft: &str, state: &Function) -> Option<String> {
            let is = |id: Id, wanted: f64| {
                let place = JsValue::from_f64(id.0 as f64);
                let state = state.call1(&JsValue::NULL, &place);
                state.is_ok_and(|state| state.as_f64() == Some(wanted))
            };
            let found = self
                .0
                .mentioned(draft, &|id| is(id, 1.0), &|id| is(id, 2.0))?;
            Some(format!("{}\n{}", found.id.0, found.words.join("\n")))
        }
    }

    /// None so far.
    #[wasm_bindgen]
    pub fn mentions() -> Mentions {
        Mentions::default()
    }
}

fn main() {}
