//! The dialog and its tabs.

use super::search::search;
use super::storage::storage_tab;
use super::transfer::transfer;
use super::trash::trash;
use super::{Library, LibraryTab, live};
use crate::browser::page;
use crate::ui::dom::{El, button, el};
use crate::ui::parts::{Icon, icon_button};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlDialogElement, KeyboardEvent};

/// What a tab is called.
fn title(tab: LibraryTab) -> &'static str {
    match tab {
        LibraryTab::Search => "Search",
        LibraryTab::Trash => "Trash",
        LibraryTab::Storage => "Storage",
        LibraryTab::Transfer => "Export & import",
    }
}

fn id(tab: LibraryTab) -> String {
    format!("library-{}", tab.name())
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
                    .attr("aria-labelledby", &id(tab));
                Some(panel.child(match tab {
                    LibraryTab::Search => search(library),
                    LibraryTab::Trash => trash(library),
                    LibraryTab::Storage => storage_tab(library),
                    LibraryTab::Transfer => transfer(library),
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
                let first = tab.get_untracked().filter(|tab| *tab != LibraryTab::Search);
                page::focus(&first.map_or_else(|| "library-first".to_owned(), id));
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
    for tab in LibraryTab::ALL {
        let chosen = move || library.tab.get() == Some(tab);
        let button = button("library-tab")
            .attr("role", "tab")
            .attr("id", &id(tab))
            .live_attr("aria-selected", move || chosen().to_string())
            .opt_attr("aria-controls", move || {
                chosen().then(|| "library-panel".to_owned())
            })
            .live_attr("tabindex", move || {
                if chosen() { "0" } else { "-1" }.to_owned()
            })
            .text(title(tab))
            .click(move || library.tab.set(Some(tab)));
        list = list.child(button);
    }
    list
}

/// Left, Right, Home and End choose among the tabs.
fn walk(library: Library, event: &KeyboardEvent) {
    let all = LibraryTab::ALL;
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
    page::focus(&id(all[to]));
}
