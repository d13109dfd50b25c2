//! Code blocks in the page: the actions of their buttons, and their highlighting.

mod block;
mod highlight;
#[cfg(test)]
mod tests;
mod tools;
mod wrapped;

pub use tools::listen;

/// Sets up a finished block: restores the person's line wrapping and highlights it. It does so after the
/// running task, because the row around the block may not be in the page before.
pub fn finished(block: web_sys::Element) {
    wasm_bindgen_futures::spawn_local(async move {
        wrapped::restore(&block);
        highlight::finished(&block);
    });
}
