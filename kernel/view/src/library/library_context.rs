//! The context of *All chats*: what its tabs share.

use crate::browser::storage::{on_other_tab, on_write};
use crate::places::{AllChatsPlace, use_places};
use crate::stores::use_kernel;
use leptos::html::{Button, Input};
use leptos::prelude::*;
use leptos_use_timeout_fn::{UseTimeoutFnReturn, use_timeout_fn};
use sash_browser_kit::page;

/// How long changes are collected before the library counts again, in milliseconds.
const RECOUNT_DELAY_MS: f64 = 100.0;

/// A tab.
#[derive(Clone, Copy)]
pub struct LibraryTab {
    /// Its name, title and content.
    pub place: AllChatsPlace,
    /// Its button.
    pub button: NodeRef<Button>,
}

/// *All chats*: the shown tab, and what was written meanwhile.
#[derive(Clone, Copy)]
pub struct LibraryContext {
    /// The name of the shown tab; `None` while the dialog is closed.
    pub tab: RwSignal<Option<&'static str>>,
    /// Incremented some time after a write.
    pub changed: RwSignal<u32>,
    /// The text of the polite live region.
    pub status: RwSignal<String>,
    /// The field that a tab begins with, set by its content.
    pub first_field: StoredValue<Option<NodeRef<Input>>>,
    tabs: StoredValue<Vec<LibraryTab>>,
    /// Increments `changed` after a while; does nothing while that is to come.
    recount: Callback<()>,
}

impl LibraryContext {
    /// A library that has read nothing yet, with the tabs of the places.
    pub(super) fn new() -> Self {
        let changed = RwSignal::new(0_u32);
        let UseTimeoutFnReturn {
            is_pending, start, ..
        } = use_timeout_fn(
            move |()| changed.update(|n| *n = n.wrapping_add(1)),
            RECOUNT_DELAY_MS,
        );
        let recount = move |()| {
            if !is_pending.get_untracked() {
                start(());
            }
        };
        let tabs = use_places().all_chats.get_value().into_iter();
        let tabs = tabs.map(|place| LibraryTab {
            place,
            button: NodeRef::new(),
        });
        Self {
            tab: use_kernel().view().all_chats_tab,
            changed,
            status: RwSignal::new(String::new()),
            first_field: StoredValue::new(None),
            tabs: StoredValue::new(tabs.collect()),
            recount: Callback::new(recount),
        }
    }

    /// Starts to count again after writes, here and in other tabs of the browser.
    pub fn begin(self) {
        on_write(move |_, _| self.record_change());
        on_other_tab(move |_, _| self.record_change());
    }

    /// All tabs, in the order of display.
    pub fn tabs(self) -> Vec<LibraryTab> {
        self.tabs.get_value()
    }

    /// The tab with a name.
    pub fn tab_named(self, name: &str) -> Option<LibraryTab> {
        let mut tabs = self.tabs().into_iter();
        tabs.find(|tab| tab.place.name == name)
    }

    /// Moves focus to what a tab begins with, once it is there: a field of its content, or else its button.
    pub fn focus_tab(self, name: &'static str) {
        request_animation_frame(move || {
            // A tab that was left since took its field with it.
            let is_shown = self.tab.try_get_untracked() == Some(Some(name));
            match self.first_field.try_get_value().flatten() {
                Some(field) if is_shown => page::focus(field),
                None if is_shown => self.focus_button(name),
                _ => {}
            }
        });
    }

    /// Moves focus to the button of a tab.
    pub fn focus_button(self, name: &str) {
        if let Some(tab) = self.tab_named(name) {
            page::focus(tab.button);
        }
    }

    /// Announces a text politely to screen readers.
    pub fn announce(self, text: &str) {
        self.status.set(text.to_owned());
    }

    /// Schedules another count.
    pub fn record_change(self) {
        self.recount.run(());
    }
}
