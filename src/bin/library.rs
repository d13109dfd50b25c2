//! The program for search, trash, storage, packing, export and import, a third one for the browser: the page
//! loads it when one of them is asked for (`browser::library`). On the server's side there is nothing to do for it.

#[cfg(target_arch = "wasm32")]
mod program {
    use sash::ui::library;
    use wasm_bindgen::prelude::*;

    /// Opens the dialog at a tab: `search`, `trash`, `storage` or `transfer`.
    #[wasm_bindgen]
    pub fn open(tab: &str) {
        library::open(tab);
    }

    /// The packed messages of a chat, each as it was written, one a line.
    #[wasm_bindgen]
    pub fn unpack(chat: &str) -> String {
        library::unpack(chat)
    }

    /// Packs chats that nobody touched for a month, and says so.
    #[wasm_bindgen]
    pub async fn tidy() -> Option<String> {
        library::tidy().await
    }
}

fn main() {}
