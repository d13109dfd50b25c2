//! The title of a chat by its model: the person sees the request before it is sent, and saves the title.
//!
//! [`Titles`] is the store; `view` has the dialog and what opens it.

mod request;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use store::{TitleRequest, Titles};
#[cfg(target_arch = "wasm32")]
pub use view::{TitleDialog, TitleItem, title_command};

/// Gives the page the store.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    leptos::prelude::provide_context(Titles::new(kernel));
}
