//! The colours of code: the server tells the classes of a block's text, the page wraps it in spans.

mod call;
mod class;
#[cfg(any(test, target_arch = "wasm32"))]
mod run_cache;

#[cfg(not(target_arch = "wasm32"))]
mod server;

#[cfg(target_arch = "wasm32")]
mod view;

pub use call::highlight;
pub use class::{HighlightClass, Highlighted};
#[cfg(not(target_arch = "wasm32"))]
pub use server::{Highlighting, child};
#[cfg(target_arch = "wasm32")]
pub use view::{Highlighter, paint};

/// Adds the server function, within these limits.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls, limits: Highlighting) {
    calls.provide(std::sync::Arc::new(server::CodeHighlighter::new(limits)));
    calls.add::<call::Highlight>(sash_server::calls::Rules::NONE);
}
