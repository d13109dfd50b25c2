//! State that the parts of the composer share.

use leptos::prelude::*;
use sash_chat::Id;

/// What the lines above the prompt field share.
#[derive(Clone, Copy)]
pub struct ComposerState {
    /// Whether an answer or a tool is running in the open chat.
    pub answering: Memo<bool>,
    /// The chat whose draft is sent once its images are scaled and the models are known.
    pub(super) waiting: RwSignal<Option<Id>>,
    /// Sends the draft, as Enter does.
    pub(super) enter: Callback<()>,
}

impl ComposerState {
    /// That of the composer around.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }
}
