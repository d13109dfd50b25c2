//! Blocks of code, once they stand in the page: what their buttons do, and their colours.

mod block;
mod colour;
#[cfg(test)]
mod tests;
mod tools;
mod wrapped;

pub use tools::listen;

/// Looks after a block that changes no more: it is as the person left it, and gets its colours. Once the running task is
/// over: the row around the block may not be in the page before.
pub fn finished(block: web_sys::Element) {
    wasm_bindgen_futures::spawn_local(async move {
        wrapped::restore(&block);
        colour::finished(&block);
    });
}
