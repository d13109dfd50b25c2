//! Code blocks in the page, and the actions of their buttons.

mod block;
mod build;
#[cfg(test)]
mod tests;
mod tools;
mod wrapped;

use crate::page_hooks;
pub use block::{code_of, ending_of, is_mark, language_of, text_of};
pub use build::block;
pub(crate) use tools::listen;

/// Sets up a finished block: restores the person's line wrapping and tells the page of it. It does so after the
/// running task, because the row around the block may not be in the page before.
pub(crate) fn finished(block: web_sys::Element) {
    wasm_bindgen_futures::spawn_local(async move {
        wrapped::restore(&block);
        if let Some(finished) = &page_hooks::get().code_is_finished {
            finished(&block);
        }
    });
}
