//! The search: a field, and the results while typing.

use super::search_result::{SearchResult, result_id};
use crate::AllChats;
use leptos::html::Input;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_search::{SearchHit, SearchQuery};
use sash_stores::Kernel;
use sash_stores::hooks::Command;
use sash_ui_kit::{ListEnds, walk};
use sash_view::library::LibraryContext;
use sash_view::stores::use_kernel;
use sash_words::{
    count::{self, grouped},
    t,
};
use std::sync::Arc;
use web_sys::KeyboardEvent;

/// How many results are shown at once.
const PAGE_RESULTS: usize = 20;

/// The results of a query.
#[derive(Clone, PartialEq)]
struct Results {
    query: Arc<SearchQuery>,
    found: Arc<Vec<SearchHit>>,
}

/// Searches all chats.
#[must_use]
pub fn search_command() -> Command {
    let view = use_kernel().view();
    let words = || t!(common.search_all_chats);
    let command = Command::new("search", words, move || view.show_all_chats("search"));
    Command {
        over_dialogs: true,
        ..command.with_keys("ctrl+k").of_chat()
    }
}

/// Begins to read all chats once *All chats* is opened, whichever tab of it.
pub fn index_when_opened(kernel: Kernel, all_chats: AllChats) {
    Effect::new(move || {
        if kernel.view().all_chats_tab.read().is_some() {
            untrack(|| all_chats.begin());
        }
    });
}

/// The search: a combobox with the found messages.
#[component]
pub fn SearchTab() -> impl IntoView {
    let all_chats = AllChats::expect();
    let library = expect_context::<LibraryContext>();
    let field = NodeRef::<Input>::new();
    library.first_field.set_value(Some(field));
    let text = RwSignal::new(String::new());
    let chosen = RwSignal::new(0);
    let most = RwSignal::new(PAGE_RESULTS);
    let results = Memo::new(move |_| {
        // Search again while the index grows, and after each write.
        all_chats.progress.track();
        let query = SearchQuery::read(&text.get());
        let found = all_chats.search(&query);
        Results {
            query: Arc::new(query),
            found: Arc::new(found),
        }
    });
    let query = Memo::new(move |_| results.with(|results| Arc::clone(&results.query)));
    let all = move || results.with(|results| results.found.len());
    let count = Memo::new(move |_| all().min(most.get()));
    let shown = move || {
        let found = results.with(|results| Arc::clone(&results.found));
        found.iter().copied().take(most.get()).collect::<Vec<_>>()
    };
    let has_results = move || count.get() > 0;
    let search = move |words: String| {
        chosen.set(0);
        most.set(PAGE_RESULTS);
        text.set(words);
    };
    let choose_by_key = move |event: KeyboardEvent| {
        let (many, at) = (count.get_untracked(), chosen.get_untracked());
        let to = match event.key().as_str() {
            key @ ("ArrowDown" | "ArrowUp") => {
                walk(key, at, many, ListEnds::Stop).unwrap_or_default()
            }
            "Enter" => {
                let found = results.with_untracked(|results| results.found.get(at).copied());
                if let Some(found) = found {
                    event.prevent_default();
                    library.tab.set(None);
                    all_chats.show(&found, query.get_untracked());
                }
                return;
            }
            // The browser would clear the field first.
            "Escape" => {
                event.prevent_default();
                library.tab.set(None);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        chosen.set(to);
        page::scroll_to_id(&result_id(to));
    };

    view! {
        <div class="library-search">
            <input
                class="search-field"
                node_ref=field
                type="search"
                role="combobox"
                aria-label=t!(common.search_all_chats)
                aria-autocomplete="list"
                aria-controls=move || has_results().then_some("results")
                aria-expanded=move || has_results().to_string()
                aria-activedescendant=move || {
                    has_results().then(|| result_id(chosen.get()))
                }
                placeholder=t!(recall.search_placeholder)
                autocomplete="off"
                spellcheck="false"
                on:input=move |event| search(event_target_value(&event))
                on:keydown=choose_by_key
            />
            <p class="library-note" role="status">
                {move || status_words(all_chats, results)}
            </p>
            <div class="results-place">
                <Show when=has_results>
                    <div class="results" id="results" role="listbox" aria-label=t!(recall.messages_found)>
                        <ForEnumerate
                            each=shown
                            key=|found| (found.chat, found.message, found.created)
                            children=move |at, found| {
                                view! { <SearchResult found at query chosen /> }
                            }
                        />
                    </div>
                </Show>
                <Show when=move || { all() > most.get() }>
                    <button
                        type="button"
                        class="link"
                        on:click=move |_| most.update(|most| *most += PAGE_RESULTS)
                    >
                        {t!(recall.show_more)}
                    </button>
                </Show>
            </div>
        </div>
    }
}

/// The number of found or indexed messages.
fn status_words(all_chats: AllChats, results: Memo<Results>) -> String {
    let progress = all_chats.progress.get();
    let (known, more) = (progress.messages, !progress.is_complete);
    let reading = match more {
        true => t!(recall.still_reading),
        false => "",
    };
    results.with(|results| {
        if results.query.is_empty() {
            return match known {
                0 if !more => t!(recall.no_messages_yet).to_owned(),
                _ => t!(
                    recall.messages_to_search,
                    messages = count::messages(known),
                    reading = &reading
                ),
            };
        }
        match results.found.len() {
            0 if more => t!(recall.search_empty_so_far).to_owned(),
            0 => t!(recall.search_empty).to_owned(),
            1 => count::messages(1) + reading,
            n => t!(
                recall.messages_newest_first,
                n = grouped(n as u64),
                reading = &reading
            ),
        }
    })
}
