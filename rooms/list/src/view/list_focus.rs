//! The row of the list of chats that Tab goes to, and the one that is to have the focus.

use crate::{ChatList, ListRow};
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::console::LogError;
use sash_stores::{ChatEvent, Kernel};
use web_sys::FocusOptions;

/// The focus within the list (roving tabindex).
#[derive(Clone, Copy)]
pub struct ListFocus {
    list: ChatList,
    /// The row that had the focus last; `None` before the list had it.
    active: RwSignal<Option<ListRow>>,
    /// The row that is to have the focus as soon as it is on the page.
    wanted: RwSignal<Option<ListRow>>,
    /// The row that Tab goes to.
    tab_stop: Memo<Option<ListRow>>,
}

impl ListFocus {
    /// Tab goes to the row that had the focus, else to the open chat, else to the first row that can have it.
    pub fn new(kernel: Kernel, list: ChatList) -> Self {
        let active = RwSignal::new(None::<ListRow>);
        let (chats, rows) = (kernel.chats(), list.rows);
        let tab_stop = Memo::new(move |_| {
            let open = chats.open_id();
            rows.with(|rows| {
                let active = active.get().filter(|active| rows.contains(active));
                let open = || rows.iter().find(|row| row.chat() == Some(open)).copied();
                let first = || rows.iter().find(|row| row.takes_focus()).copied();
                active.or_else(open).or_else(first)
            })
        });
        // Tab goes to the row of the next chat from then on.
        chats.events().on(move |event| {
            if *event == ChatEvent::Left {
                active.set(None);
            }
        });
        Self {
            list,
            active,
            wanted: RwSignal::new(None),
            tab_stop,
        }
    }

    /// The number of the row that Tab goes to, from 0 on.
    pub fn number(self) -> Option<usize> {
        let row = self.tab_stop.get()?;
        let rows = self.list.rows;
        rows.with(|rows| rows.iter().position(|known| *known == row))
    }

    /// The tabindex of a row and of what belongs to it.
    pub fn tabindex(self, row: ListRow) -> &'static str {
        match self.tab_stop.get() == Some(row) {
            true => "0",
            false => "-1",
        }
    }

    /// Records that a row has the focus.
    pub fn record(self, row: ListRow) {
        self.wanted.update_untracked(|wanted| *wanted = None);
        if self.active.get_untracked() != Some(row) {
            self.active.set(Some(row));
        }
    }

    /// Focuses a row as soon as it is on the page.
    pub fn focus(self, row: ListRow) {
        self.active.set(Some(row));
        self.wanted.set(Some(row));
    }

    /// Gives the row that Tab goes to the focus: the one that had it last.
    pub fn restore(self) {
        if let Some(row) = self.tab_stop.get_untracked() {
            self.focus(row);
        }
    }

    /// Does something that may take rows away. The focus stays at its place.
    pub fn keep_place(self, act: impl FnOnce()) {
        let at = untrack(|| self.number());
        act();
        if let Some(at) = at {
            self.focus_number(at);
        }
    }

    /// Focuses the row at a number, or the last one before it that can have the focus: what stood there has moved.
    fn focus_number(self, number: usize) {
        let rows = self.list.rows.get_untracked();
        let (above, below) = rows.split_at(number.min(rows.len().saturating_sub(1)));
        let takes_focus = |row: &&ListRow| row.takes_focus();
        let below = below.iter().find(takes_focus);
        if let Some(row) = below.or_else(|| above.iter().rev().find(takes_focus)) {
            self.focus(*row);
        }
    }

    /// Focuses the button of a row once that is wanted.
    pub fn follow(self, row: ListRow, button: NodeRef<html::Button>) {
        Effect::new(move || {
            let button = button.get();
            if self.wanted.get() == Some(row)
                && let Some(button) = button
            {
                self.wanted.update_untracked(|wanted| *wanted = None);
                // The list scrolls by itself where the row is to be seen, and nowhere while a person scrolls it.
                let options = FocusOptions::new();
                options.set_prevent_scroll(true);
                button.focus_with_options(&options).log_error();
            }
        });
    }
}
