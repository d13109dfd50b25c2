//! A chosen embedding model reads nothing before the person starts it: all messages go to its engine, whoever had them.

use super::Embeddings;
use crate::{EmbeddingSettings, EmbeddingSettingsStoreFields, EmbeddingStart};
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_stores::{EngineStore, PartStore};
use sash_wire::UnsentScope;

/// What an embedding model will read once it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingEmbeddings {
    /// What its engine is called.
    pub engine: String,
    /// How many messages there are, in all chats.
    pub messages: usize,
}

impl Embeddings {
    /// What the chosen model will read once it is started; `None` where nothing waits.
    #[must_use]
    pub fn waiting(self) -> Option<WaitingEmbeddings> {
        let model = chosen_model(self.settings)?;
        let engine = model.engine.as_deref();
        let title = || self.engine().title(engine);
        let is_known = self.engine().address_digest(engine).is_some();
        (is_known && !self.is_started.get()).then(|| WaitingEmbeddings {
            engine: self.engine().shown_name(engine).unwrap_or_else(title),
            messages: self.count_messages(),
        })
    }

    /// Lets the chosen model read the messages of all chats, at the address that its engine has now.
    pub fn start_reading(self) {
        let model = chosen_model(self.settings).unwrap_or_default();
        if let Some(address) = self.engine().address_digest(model.engine.as_deref()) {
            self.settings.change(|settings| {
                settings.embedding_start = EmbeddingStart::Started(address);
            });
        }
    }

    /// The messages of the list's chats. Those that were not sent are counted too: to tell them apart each chat would have
    /// to be read.
    fn count_messages(self) -> usize {
        let chats = self.chats().list.with(|list| {
            let ids = list.iter().map(|chat| chat.id);
            ids.collect::<Vec<_>>()
        });
        let count = self.storage().with_log(|log| {
            let counts = chats.into_iter().map(|chat| log.message_count(chat));
            counts.sum::<usize>()
        });
        count.unwrap_or_default()
    }
}

/// Whether the chosen model may read messages.
pub(super) fn is_started(settings: PartStore<EmbeddingSettings>, engine: EngineStore) -> bool {
    let Some(model) = chosen_model(settings) else {
        return false;
    };
    match settings.current.embedding_start().get() {
        EmbeddingStart::Waiting => false,
        EmbeddingStart::Started(address) => {
            engine.address_digest(model.engine.as_deref()) == Some(address)
        }
        EmbeddingStart::Unasked => engine.scope_of(&model) == UnsentScope::Draft,
    }
}

fn chosen_model(settings: PartStore<EmbeddingSettings>) -> Option<ModelId> {
    let key = settings.current.embedding_model().get()?;
    Some(ModelId::from(key.as_str()))
}
