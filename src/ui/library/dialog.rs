//! The dialog and its tabs.

use super::search::search;
use super::storage::storage_tab;
use super::transfer::transfer;
use super::trash::trash;
use super::{Library, live};
use crate::browser::page;
use crate::ui::dom::{El, button, el};
use crate::ui::parts::{Icon, icon_button};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlDialogElement, KeyboardEvent};

/// A tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// Find a message.
    Search,
    /// What was deleted.
    Trash,
    /// The room in the browser.
    Storage,
    /// Chats out and in, as files.
    Transfer,
}

impl Tab {
    const ALL: [Self; 4] = [Self::Search, Self::Trash, Self::Storage, Self::Transfer];

    /// The tab of that name; the first for any other.
    pub fn named(name: &str) -> Self {
        let named = Self::ALL.into_iter().find(|tab| tab.name() == name);
        named.unwrap_or(Self::Search)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Trash => "trash",
            Self::Storage => "storage",
            Self::Transfer => "transfer",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Search => "Search",
            Self::Trash => "Trash",
            Self::Storage => "Storage",
            Self::Transfer => "Export & import",
        }
    }

    fn id(self) -> String {
        format!("library-{}", self.name())
    }
}

/// The dialog. What stands in it is made when it is opened and goes when it is closed.
pub fn dialog(library: Library) -> El {
    let tab = library.tab;
    let close = icon_button("Close", Icon::Close).click(move || tab.set(None));
    let head = el("div")
        .class("library-head")
        .child(el("h2").attr("id", "library-title").text("All chats"))
        .child(close);
    let dialog = el("dialog")
        .class("dialog library")
        .attr("aria-labelledby", "library-title")
        .on("close", move |_: Event| tab.set(None))
        .child(head)
        .when(move || tab.get().is_some(), move || tabs(library))
        .choose(
            move || tab.get(),
            move |tab| {
                let tab = (*tab)?;
                let panel = el("div")
                    .class("library-panel")
                    .attr("id", "library-panel")
                    .attr("role", "tabpanel")
                    .attr("aria-labelledby", &tab.id());
                Some(panel.child(match tab {
                    Tab::Search => search(library),
                    Tab::Trash => trash(library),
                    Tab::Storage => storage_tab(library),
                    Tab::Transfer => transfer(library),
                }))
            },
        )
        // The page's own is out of reach while the dialog is open.
        .child(
            el("div")
                .attr("role", "status")
                .class("visually-hidden")
                .live_text(move || library.status.get()),
        );
    let element: HtmlDialogElement = dialog.element().unchecked_into();
    live(move || match tab.get().is_some() {
        // Only a dialog that is not in the page refuses, and one that is open already.
        true if !element.open() => request_animation_frame({
            let element = element.clone();
            move || {
                _ = element.show_modal();
                let first = tab.get_untracked().filter(|tab| *tab != Tab::Search);
                page::focus(&first.map_or_else(|| "library-first".to_owned(), Tab::id));
            }
        }),
        false if element.open() => element.close(),
        _ => {}
    });
    dialog
}

fn tabs(library: Library) -> El {
    let mut list = el("div")
        .class("library-tabs")
        .attr("role", "tablist")
        .attr("aria-labelledby", "library-title")
        .on("keydown", move |event: KeyboardEvent| walk(library, &event));
    for tab in Tab::ALL {
        let chosen = move || library.tab.get() == Some(tab);
        let button = button("library-tab")
            .attr("role", "tab")
            .attr("id", &tab.id())
            .live_attr("aria-selected", move || chosen().to_string())
            .opt_attr("aria-controls", move || {
                chosen().then(|| "library-panel".to_owned())
            })
            .live_attr("tabindex", move || {
                if chosen() { "0" } else { "-1" }.to_owned()
            })
            .text(tab.title())
            .click(move || library.tab.set(Some(tab)));
        list = list.child(button);
    }
    list
}

/// Left, Right, Home and End choose among the tabs.
fn walk(library: Library, event: &KeyboardEvent) {
    let all = Tab::ALL;
    let now = library.tab.get_untracked();
    let at = all
        .iter()
        .position(|tab| Some(*tab) == now)
        .unwrap_or_default();
    let to = match event.key().as_str() {
        "ArrowRight" => (at + 1) % all.len(),
        "ArrowLeft" => (at + all.len() - 1) % all.len(),
        "Home" => 0,
        "End" => all.len() - 1,
        _ => return,
    };
    event.prevent_default();
    library.tab.set(Some(all[to]));
    page::focus(&all[to].id());
}
