//! Finding a message: a field, and what is found while one types.

use super::Library;
use super::result::result;
use crate::browser::page;
use crate::ui::composer::{grouped, plural};
use crate::ui::dom::{El, button, el, typed};
use leptos::prelude::*;
use sash_search::{Found, Query};
use std::sync::Arc;
use web_sys::{Event, KeyboardEvent};

/// How many results are shown at once.
const MANY: usize = 20;

/// What is found for what is typed.
#[derive(Clone, PartialEq)]
struct Results {
    query: Arc<Query>,
    found: Arc<Vec<Found>>,
}

/// The tab.
pub fn search(library: Library) -> El {
    let text = RwSignal::new(String::new());
    let chosen = RwSignal::new(0);
    let shown = RwSignal::new(MANY);
    let results = Memo::new(move |_| {
        // Again while the index grows, and when something was written.
        library.indexing.progress.track();
        let query = Query::read(&text.get());
        let found = library.indexing.search(library, &query);
        Results {
            query: Arc::new(query),
            found: Arc::new(found),
        }
    });
    let count = move || results.with(|results| results.found.len()).min(shown.get());
    let choose = move |event: KeyboardEvent| {
        let (many, at) = (count(), chosen.get_untracked());
        let to = match event.key().as_str() {
            "ArrowDown" => (at + 1).min(many.saturating_sub(1)),
            "ArrowUp" => at.saturating_sub(1),
            "Enter" if !event.is_composing() => {
                let found = results.with_untracked(|results| results.found.get(at).copied());
                if let Some(found) = found {
                    event.prevent_default();
                    show(library, &found);
                }
                return;
            }
            // The browser's own way with it is to empty the field first.
            "Escape" => {
                event.prevent_default();
                library.tab.set(None);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        chosen.set(to);
        page::scroll_to(&format!("result-{to}"));
    };
    let field = el("input")
        .class("search-field")
        .attr("id", "library-first")
        .attr("type", "search")
        .attr("role", "combobox")
        .attr("aria-label", "Search all chats")
        .attr("aria-autocomplete", "list")
        .opt_attr("aria-controls", move || {
            (count() > 0).then(|| "results".to_owned())
        })
        .live_attr("aria-expanded", move || (count() > 0).to_string())
        .opt_attr("aria-activedescendant", move || {
            (count() > 0).then(|| format!("result-{}", chosen.get()))
        })
        .attr("placeholder", "Words of a message")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .on("input", move |event: Event| {
            chosen.set(0);
            shown.set(MANY);
            text.set(typed(&event));
        })
        .on("keydown", choose);
    let list = el("div").class("results-place").choose(
        move || (results.get(), shown.get()),
        move |(results, shown)| {
            if results.found.is_empty() {
                return None;
            }
            let mut list = el("div")
                .class("results")
                .attr("id", "results")
                .attr("role", "listbox")
                .attr("aria-label", "Messages found");
            for (at, found) in results.found.iter().take(*shown).enumerate() {
                list = list.child(result(library, &results.query, found, at, chosen));
            }
            Some(list)
        },
    );
    let more = move || results.with(|results| results.found.len()) > shown.get();
    el("div")
        .class("library-search")
        .child(field)
        .child(
            el("p")
                .class("library-note")
                .attr("role", "status")
                .live_text(move || words(library, results)),
        )
        .child(list.when(more, move || {
            button("link")
                .text("Show more")
                .click(move || shown.update(|n| *n += MANY))
        }))
}

/// Has the page show it, and goes.
pub fn show(library: Library, found: &Found) {
    library.tab.set(None);
    library.session.show_message(found.chat, found.message);
}

/// What there is to say of the results.
fn words(library: Library, results: Memo<Results>) -> String {
    let (known, more) = library.indexing.progress.get();
    results.with(|results| {
        let reading = if more {
            " · still reading the chats …"
        } else {
            ""
        };
        if results.query.is_empty() {
            return match known {
                0 if !more => "There is no message yet.".to_owned(),
                _ => format!("{} to search{reading}", plural(known, "message")),
            };
        }
        match results.found.len() {
            0 if more => "Nothing found yet · still reading the chats …".to_owned(),
            0 => "No message has all of these words.".to_owned(),
            1 => format!("1 message{reading}"),
            n => format!("{} messages, the newest first{reading}", grouped(n as u64)),
        }
    })
}
