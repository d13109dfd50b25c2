//! The report of what an import would do, and the button that starts it, which is always in view.

use super::import_choice::ImportedChats;
use crate::{AgreementRow, ImportReport, Imports};
use leptos::html::{Button, Input, P};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_view::browser::storage::{ROOM, used};
use sash_words::{
    count::{self, grouped},
    t,
};

/// What the import would do, and the button that starts it.
#[component]
pub fn ImportReportView(
    /// The import.
    imports: Imports,
    /// The file field.
    field: NodeRef<Input>,
    /// The title, which has the focus.
    title: NodeRef<P>,
) -> impl IntoView {
    let free = ROOM.saturating_sub(used()) as u64;
    let report = Memo::new(move |_| imports.report(free));
    let asked = Memo::new(move |_| report.with(|r| r.as_ref().map(|r| r.asked.clone())));
    let notes = move || {
        let notes = report.with(|report| report.as_ref().map(|report| report.notes.clone()));
        let notes = notes.unwrap_or_default().into_iter();
        let notes = notes.map(|note| view! { <p class="library-note">{note}</p> });
        notes.collect_view()
    };
    let asked = move || {
        let asked = asked.get().filter(|asked| !asked.is_empty());
        asked.map(|asked| view! { <AskedSettings imports asked /> })
    };

    report.get_untracked().map(|first| {
        view! {
            <div class="import-report">
                <p node_ref=title tabindex="-1">
                    <strong>{first.title.clone()}</strong>
                </p>
                <ImportedChats imports report=first.clone() />
                {notes}
                <LeftOutFiles report=first.clone() />
                {asked}
                <ImportFoot imports field title free report can_choose=first.can_choose />
            </div>
        }
    })
}

/// The files that hold no chats. Empty if there are none.
#[component]
fn LeftOutFiles(
    /// What the import would do.
    report: ImportReport,
) -> impl IntoView {
    let files = report.left_out.into_iter().map(|(name, why)| {
        view! {
            <li>
                <bdi>{name}</bdi>
                ": "
                {why}
            </li>
        }
    });
    let files = files.collect::<Vec<_>>();
    (!files.is_empty()).then(|| {
        let more = report.more_left_out.map(|more| view! { <li>{more}</li> });
        view! {
            <div class="library-note">
                {t!(import.left_out_files)}
                <ul
                    class="import-left-out"
                    tabindex="0"
                    aria-label=t!(import.files_left_out)
                >
                    {files}
                    {more}
                </ul>
            </div>
        }
    })
}

/// How many chats are chosen, what they need and what is free, and the buttons.
#[component]
fn ImportFoot(
    /// The import.
    imports: Imports,
    /// The file field.
    field: NodeRef<Input>,
    /// The title of what it would do.
    title: NodeRef<P>,
    /// The free room, in characters.
    free: u64,
    /// What the import would do.
    report: Memo<Option<ImportReport>>,
    /// Whether there are chats to choose from.
    can_choose: bool,
) -> impl IntoView {
    let can_import = Memo::new(move |_| report.with(|r| r.as_ref().is_some_and(|r| r.can_import)));
    let room = Memo::new(move |_| report.with(|r| r.as_ref().map(|r| r.room.clone())));
    let is_too_much = move || room.with(|room| matches!(room, Some(Err(_))));
    let room_words = move || {
        let room = room.get().map(|room| room.unwrap_or_else(|words| words));
        room.unwrap_or_default()
    };
    let count = Memo::new(move |_| imports.chosen_count());
    let count_words = move || {
        let count = count.get();
        // That none is chosen is said by the words about the room.
        (0 < count.chosen && count.chosen < count.all).then(|| {
            let chosen = grouped(count.chosen as u64);
            t!(
                library.chosen_of,
                chosen = chosen,
                all = count::chats(count.all)
            ) + ". "
        })
    };
    let import = NodeRef::<Button>::new();
    let choose_newest = move |_| {
        imports.choose_newest(free);
        // The button goes with its click, once they fit.
        request_animation_frame(move || {
            page::focus(import);
            page::focus_if_lost(title);
        });
    };
    let may_import = can_choose || can_import.get_untracked();

    view! {
        <div class="import-foot">
            <p class=move || if is_too_much() { "note note-failed" } else { "library-note" } role="status">
                {count_words}
                {room_words}
            </p>
            <div class="storage-row">
                {may_import
                    .then(|| {
                        view! {
                            <button
                                type="button"
                                class="primary"
                                node_ref=import
                                disabled=move || !can_import.get()
                                on:click=move |_| imports.run()
                            >
                                {t!(import.import)}
                            </button>
                        }
                    })}
                <Show when=is_too_much>
                    <button type="button" on:click=choose_newest>
                        {t!(import.choose_what_fits)}
                    </button>
                </Show>
                <button type="button" on:click=move |_| choose_another(imports, field)>
                    {t!(import.another_file)}
                </button>
            </div>
        </div>
    }
}

/// The settings of the file, each off until the person chooses it.
#[component]
fn AskedSettings(
    /// The import.
    imports: Imports,
    /// The settings.
    asked: Vec<AgreementRow>,
) -> impl IntoView {
    let agreed = imports.agreed;
    let kinds: Vec<_> = asked.iter().map(|row| row.kind).collect();
    let rows = asked
        .into_iter()
        .map(|AgreementRow { kind, label, about }| {
            let toggle = move |_| {
                agreed.update(|agreed| {
                    if !agreed.remove(&kind) {
                        agreed.insert(kind);
                    }
                });
            };
            view! {
                <label>
                    <input
                        type="checkbox"
                        prop:checked=move || agreed.with(|agreed| agreed.contains(&kind))
                        on:change=toggle
                    />
                    <span>
                        {label} " " <span class="library-note" dir="auto">
                            {about}
                        </span>
                    </span>
                </label>
            }
        });

    view! {
        <fieldset class="choices" aria-label=t!(import.file_settings)>
            <p class="library-note">
                {t!(import.file_settings_hint)}
            </p>
            {rows.collect_view()}
            <div>
                <button
                    type="button"
                    on:click=move |_| agreed.update(|agreed| agreed.extend(kinds.iter().copied()))
                >
                    {t!(import.choose_all_settings)}
                </button>
            </div>
        </fieldset>
    }
}

/// Goes back to the choice of a file.
pub(super) fn choose_another(imports: Imports, field: NodeRef<Input>) {
    imports.discard_file();
    page::focus_soon(field);
}
