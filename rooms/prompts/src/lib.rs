//! Prompts of one's own: kept under names, with placeholders that are filled in, listed by `/` in the prompt field; and the walk
//! through the questions that were asked before.
//!
//! [`SavedPrompts`] is the store; `view` has the list at the field, the dialogs and the section of the settings.

mod earlier_questions;
mod slash;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use earlier_questions::{show_newer, show_older};
pub use slash::slash_query;
pub use store::SavedPrompts;
#[cfg(target_arch = "wasm32")]
pub use view::{
    AsideLine, FillDialog, PromptEditDialog, PromptsSection, SAVED_PROMPTS, SlashListbox,
    keep_command,
};

/// Gives the page the store.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    leptos::prelude::provide_context(SavedPrompts::new(kernel));
}
