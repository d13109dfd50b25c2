//! The plan of an import for the person.

use super::choose_another;
use crate::browser::storage::{ROOM, used};
use leptos::prelude::*;
use sash_state::{AskedRow, Imports};

/// What the import would do, and the button that starts it.
#[component]
pub fn ImportReportView(
    /// The import.
    imports: Imports,
) -> impl IntoView {
    let report = imports.report(ROOM.saturating_sub(used()) as u64);

    report.map(|report| {
        let chats = report.chats.into_iter().map(|(title, fate)| {
            view! {
                <li>
                    <span class="result-title" dir="auto">
                        {title}
                    </span>
                    <span class="library-note">{fate}</span>
                </li>
            }
        });
        let notes = report.notes.into_iter();
        let notes = notes.map(|note| view! { <p class="library-note">{note}</p> });
        let (room_class, room) = match report.room {
            Ok(words) => ("library-note", words),
            Err(words) => ("note note-failed", words),
        };
        let import = report.can_import.then(|| {
            view! {
                <button type="button" class="primary" on:click=move |_| imports.run()>
                    "Import"
                </button>
            }
        });
        let asked = (!report.asked.is_empty())
            .then(|| view! { <AskedSettings imports asked=report.asked /> });

        view! {
            <div class="import-report">
                <p id="import-title" tabindex="-1">
                    <strong>{report.title}</strong>
                </p>
                <ul class="import-list" tabindex="0" aria-label="Chats of the file">
                    {chats.collect_view()}
                    {report.more.map(|more| view! { <li class="library-note">{more}</li> })}
                </ul>
                {notes.collect_view()}
                {asked}
                <p class=room_class>{room}</p>
                <div class="storage-row">
                    {import}
                    <button type="button" on:click=move |_| choose_another(imports)>
                        "Another file"
                    </button>
                </div>
            </div>
        }
    })
}

/// The settings of the file, each off until the person chooses it.
#[component]
fn AskedSettings(
    /// The import.
    imports: Imports,
    /// The settings.
    asked: Vec<AskedRow>,
) -> impl IntoView {
    let agreed = imports.agreed;
    let kinds: Vec<_> = asked.iter().map(|row| row.kind).collect();
    let rows = asked.into_iter().map(|AskedRow { kind, label, about }| {
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
        <fieldset class="choices" aria-label="Settings of the file">
            <p class="library-note">
                "The file brings settings too. They stay off unless you choose them, and each chat keeps them for later."
            </p>
            {rows.collect_view()}
            <div>
                <button
                    type="button"
                    on:click=move |_| agreed.update(|agreed| agreed.extend(kinds.iter().copied()))
                >
                    "Choose all: the file is mine"
                </button>
            </div>
        </fieldset>
    }
}
