//! Blocks of code, once they stand in the page: what their buttons do, and their colours. The program `code`
//! (`src/bin/code.rs`), loaded with the first block; to the one that shows Markdown it is [`crate::browser::code`].

mod block;
mod colour;
#[cfg(test)]
mod tests;
mod tools;
mod wrapped;

pub use tools::listen;

/// Looks after a block that changes no more: it is as the person left it, and gets its colours.
pub fn finished(block: &web_sys::Element) {
    wrapped::restore(block);
    colour::finished(block);
}
