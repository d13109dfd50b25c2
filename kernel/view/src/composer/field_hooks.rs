//! Hooks of the prompt field: what others take of it.

use leptos::prelude::*;
use sash_stores::hooks::Takers;
use web_sys::Event;

/// A list of choices that is shown for what is written.
#[derive(Clone, Copy)]
pub struct Listbox {
    /// The id of the list.
    pub id: &'static str,
    /// The id of the choice that Enter takes; `None` while the list is closed.
    pub active: Signal<Option<String>>,
}

/// What others take of the prompt field. It is there before the lines above the field are.
#[derive(Clone, Copy)]
pub struct FieldHooks {
    /// Who takes keys and pastes before the field does, and hears of what was written and that focus left.
    pub events: Takers<Event>,
    /// The list that belongs to the field.
    pub listbox: RwSignal<Option<Listbox>>,
    /// Whether the field was emptied for something that Ctrl+Z does not undo: it brings back what was typed.
    pub is_emptied: StoredValue<bool>,
}

impl FieldHooks {
    /// Provides them to what is in the composer.
    pub fn provide() {
        provide_context(Self {
            events: Takers::default(),
            listbox: RwSignal::new(None),
            is_emptied: StoredValue::new(false),
        });
    }

    /// Those of the composer around.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }
}
