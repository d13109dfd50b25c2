//! Search and recall: the index of all chats, what a draft refers to, which older messages go with a prompt, and vectors of
//! messages where the person chose a model for them.
//!
//! [`AllChats`], [`Embeddings`] and [`Recalls`] are the stores, the last of which uses the others; the one index, which
//! [`AllChats`] has, is `sash_search`'s. `view` has the components, and the vectors that the browser keeps.

mod all_chats;
mod call;
mod embeddings;
mod recalls;
mod request;
mod settings;
mod shown_branch;

#[cfg(not(target_arch = "wasm32"))]
mod server;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use all_chats::{AllChats, IndexProgress};
pub use embeddings::{EmbeddingEdges, EmbeddingState, Embeddings, Vectors, WaitingEmbeddings};
pub use recalls::Recalls;
pub use request::EmbedRequest;
pub use settings::{EmbeddingSettings, EmbeddingSettingsStoreFields, EmbeddingStart};
#[cfg(target_arch = "wasm32")]
pub use view::{
    BrowserVectors, EMBEDDING_MODEL, FoundWords, MentionLines, QueuedRecalls, RecallChoice,
    RecallLines, RecallSection, RecalledNote, SearchTab, VECTORS, VersionRecalls, include_command,
    search_command,
};

use sash_stores::Kernel;

/// The stores of one tab.
#[derive(Clone, Copy)]
pub struct Stores {
    /// The index of the chats.
    pub all_chats: AllChats,
    /// Vectors of messages.
    pub embeddings: Embeddings,
    /// Messages outside the window that go with the draft, or are offered for it.
    pub recalls: Recalls,
}

impl Stores {
    /// Creates the stores, which follow the draft and the log.
    #[must_use]
    pub fn new(kernel: Kernel, edges: EmbeddingEdges) -> Self {
        let all_chats = AllChats::new(kernel);
        let embeddings = Embeddings::new(kernel, edges);
        Self {
            all_chats,
            embeddings,
            recalls: Recalls::new(kernel, all_chats, embeddings),
        }
    }
}

/// Gives the page the stores.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: Kernel) {
    use leptos::prelude::provide_context;
    let edges = EmbeddingEdges {
        embed: sash_stores::edges::Call::new(call::embed),
        vectors: std::rc::Rc::new(BrowserVectors),
    };
    let stores = Stores::new(kernel, edges);
    provide_context(stores.all_chats);
    provide_context(stores.embeddings);
    provide_context(stores.recalls);
    view::index_when_opened(kernel, stores.all_chats);
}

/// Adds the server function.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls) {
    calls.add::<call::Embed>(sash_server::calls::Rules {
        body: sash_wire::BodyKind::Other,
        ..sash_server::calls::Rules::UNSENT_PROMPT
    });
}
