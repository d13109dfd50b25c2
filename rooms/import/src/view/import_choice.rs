//! The chats of the files that are imported, and on demand which of them come in.

use crate::{ChatFilter, ChoiceRow, ImportReport, Imports};
use leptos::ev::Targeted;
use leptos::prelude::*;
use sash_browser_kit::{clock, page};
use sash_words::{
    count::{self, grouped},
    t,
};
use web_sys::{Event, HtmlInputElement};

/// How many chats are listed at once.
const PAGE_ROWS: usize = 200;
const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1000.0;

/// The chats of the files, and the button that offers a choice among them. The choice is open where not all of them find
/// room.
#[component]
pub fn ImportedChats(
    /// The import.
    imports: Imports,
    /// What the import would do.
    report: ImportReport,
) -> impl IntoView {
    let choosing = RwSignal::new(report.room.is_err() && report.can_choose);
    let is_offered = untrack(|| imports.chosen_count().all) > 1;
    let report = StoredValue::new(report);

    view! {
        <Show when=move || is_offered>
            <button
                type="button"
                class="link import-choose"
                aria-expanded=move || choosing.get().to_string()
                on:click=move |_| choosing.update(|open| *open = !*open)
            >
                {t!(import.choose_chats)}
            </button>
        </Show>
        <Show
            when=move || choosing.get()
            fallback=move || view! { <ChatList report=report.get_value() /> }
        >
            <ChatChoice imports />
        </Show>
    }
}

/// The first chats of the files, each with what happens to it.
#[component]
fn ChatList(
    /// What the import would do.
    report: ImportReport,
) -> impl IntoView {
    let chats = report.chats.into_iter().map(|(title, outcome)| {
        view! {
            <li>
                <span class="result-title" dir="auto">
                    {title}
                </span>
                <span class="library-note">{outcome}</span>
            </li>
        }
    });

    view! {
        <ul class="import-list" tabindex="0" aria-label=t!(import.file_chats)>
            {chats.collect_view()}
            {report.more.map(|more| view! { <li class="library-note">{more}</li> })}
        </ul>
    }
}

/// The chats that can be imported, each with a box: found by words of their titles and by the days of their last messages.
#[component]
fn ChatChoice(
    /// The import.
    imports: Imports,
) -> impl IntoView {
    let filter = RwSignal::new(ChatFilter::default());
    let most = RwSignal::new(PAGE_ROWS);
    let found = Memo::new(move |_| filter.with(|filter| imports.found_chats(filter)));
    let shown = move || {
        let rows = found.with(|found| found.iter().take(most.get()).cloned().collect::<Vec<_>>());
        let rows = rows
            .into_iter()
            .map(|row| view! { <ChatBox imports row /> });
        rows.collect_view()
    };
    let change = move |change: &dyn Fn(&mut ChatFilter)| {
        most.set(PAGE_ROWS);
        filter.update(change);
    };
    let day_field = |label: &'static str, set: fn(&mut ChatFilter, Option<i64>)| {
        view! {
            <label>
                {label}
                <input
                    type="date"
                    autocomplete="off"
                    on:input:target=move |event| {
                        let day = day_of(&event);
                        change(&|filter| set(filter, day));
                    }
                />
            </label>
        }
    };
    let is_filtered = Memo::new(move |_| filter.with(|filter| !filter.is_empty()));
    let choose = move |wanted| filter.with_untracked(|filter| imports.choose_found(filter, wanted));
    let all_words = move || match is_filtered.get() {
        true => t!(import.choose_all_found),
        false => t!(library.choose_all_chats),
    };
    let none_words = move || match is_filtered.get() {
        true => t!(import.choose_none_found),
        false => t!(library.choose_none),
    };
    let has_more = move || found.with(|found| found.len() > most.get());
    let show_more = move |_| {
        let at = most.get_untracked();
        let first = found.with_untracked(|found| found.get(at).map(|row| row.place));
        most.set(at + PAGE_ROWS);
        // The button goes with the last page: the focus is on the first of the chats that came.
        if let Some(place) = first {
            page::focus_id_soon(box_id(place));
        }
    };

    view! {
        <div class="import-filter">
            <input
                class="search-field"
                type="search"
                autocomplete="off"
                aria-label=t!(import.find_in_titles)
                placeholder=t!(import.find_in_titles)
                on:input:target=move |event| {
                    let words = event.target().value();
                    change(&|filter| filter.words.clone_from(&words));
                }
            />
            {day_field(t!(import.from_day), |filter, day| filter.from_day = day)}
            {day_field(t!(import.to_day), |filter, day| filter.to_day = day)}
        </div>
        <div class="storage-row">
            <Show when=move || is_filtered.get()>
                <button
                    type="button"
                    on:click=move |_| filter.with_untracked(|filter| imports.choose_only_found(filter))
                >
                    {t!(import.choose_only_these)}
                </button>
            </Show>
            <button type="button" on:click=move |_| choose(true)>
                {all_words}
            </button>
            <button type="button" on:click=move |_| choose(false)>
                {none_words}
            </button>
            <span class="library-note" role="status">
                {move || {
                    let found = found.with(Vec::len);
                    is_filtered.get().then(|| t!(import.found_chats, chats = count::chats(found)))
                }}
            </span>
        </div>
        <ul class="import-list" aria-label=t!(import.file_chats)>
            {shown}
        </ul>
        <Show when=has_more>
            <button type="button" class="link" on:click=show_more>
                {move || {
                    let left = found.with(Vec::len).saturating_sub(most.get());
                    t!(import.show_more_chats, count = grouped(left as u64))
                }}
            </button>
        </Show>
    }
}

/// The day in a date field, counted from 1970; `None` for an empty one.
fn day_of(event: &Targeted<Event, HtmlInputElement>) -> Option<i64> {
    let millis = event.target().value_as_number();
    millis.is_finite().then_some((millis / DAY_MS) as i64)
}

/// The id of the box of the chat at a place of the file.
fn box_id(place: usize) -> String {
    format!("import-chat-{place}")
}

/// A chat with the box that takes it along.
#[component]
fn ChatBox(
    /// The import.
    imports: Imports,
    /// The chat.
    row: ChoiceRow,
) -> impl IntoView {
    let place = row.place;

    view! {
        <li>
            <label class="choice-row">
                <input
                    type="checkbox"
                    id=box_id(place)
                    prop:checked=move || imports.is_chosen(place)
                    on:change:target=move |event| imports.choose(place, event.target().checked())
                />
                <span class="result-title" dir="auto">
                    {row.title}
                </span>
                <span class="library-note">
                    {row.about} " · " {clock::date(row.touched)}
                </span>
            </label>
        </li>
    }
}
