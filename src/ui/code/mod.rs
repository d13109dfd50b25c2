//! Blocks of code, once they stand in the page: what their buttons do, and their colours. The program `code`
//! (`src/bin/code.rs`), loaded with the first block; to the one that shows Markdown it is [`crate::browser::code`].

mod block;
mod colour;
#[cfg(test)]
mod tests;
mod tools;

pub use colour::finished;
pub use tools::listen;
