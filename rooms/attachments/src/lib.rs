//! Additions to a prompt: images, the text of files, and long texts that are pasted.
//!
//! [`Adding`] and [`Pastes`] are the stores; `view` has the button, the lines above the prompt field, and the file dialog; the
//! text of documents is extracted by a child process of the server.

mod adding;
mod call;
mod document;
mod pastes;
mod settings;
mod text_parts;

#[cfg(not(target_arch = "wasm32"))]
mod server;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use adding::{Adding, FileDraft, FileEncoding, image_format};
pub use document::{DocumentFault, DocumentFormat, ExtractRequest, ExtractedText};
pub use pastes::Pastes;
#[cfg(not(target_arch = "wasm32"))]
pub use server::{Extraction, child};
pub use settings::LongPaste;
pub use text_parts::TextPart;
#[cfg(target_arch = "wasm32")]
pub use view::{AttachButton, DraftImages, DraftLines, FileDialog, LONG_PASTE, PasteSetting};

/// Gives the page the stores.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    leptos::prelude::provide_context(Adding::new(kernel));
    leptos::prelude::provide_context(Pastes::new(kernel));
}

/// Adds the server function, within these limits.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls, limits: Extraction) {
    let extractor = std::sync::Arc::new(server::Extractor::new(limits));
    calls.add::<call::Extract>(sash_server::calls::Rules {
        body: sash_wire::BodyKind::Document,
        turns: Some(extractor.turns()),
        ..sash_server::calls::Rules::NONE
    });
    calls.provide(extractor);
}
