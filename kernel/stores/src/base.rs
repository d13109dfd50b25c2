//! The stores that know of no chat.

use crate::edges::Edges;
use crate::engine::EngineStore;
use crate::history::History;
use crate::notices::Notices;
use crate::settings::SettingsStore;
use crate::storage::Storage;
use crate::view::View;
use reactive_graph::owner::StoredValue;

handle! {
    /// The stores that know of no chat: those of the chats hold them by this handle.
    pub struct Base;

    /// These stores themselves.
    pub struct BaseStores {
        /// The clock, ids, timers, locks and the page.
        edges: Edges,
        /// The visible parts of the page, and what to show next.
        view: View,
        /// The status line, and announcements to screen readers.
        notices: Notices,
        /// What can be undone.
        history: History,
        /// The log, its state, and the free room.
        storage: Storage,
        /// The person's settings for all chats.
        settings: SettingsStore,
        /// The state of the engines and their models.
        engine: EngineStore,
    }
}

impl From<BaseStores> for Base {
    fn from(stores: BaseStores) -> Self {
        Self(StoredValue::new(stores))
    }
}
