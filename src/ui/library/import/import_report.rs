//! The plan of an import for the person.

use super::flow::ImportFlow;
use super::images::ImagesOfFile;
use super::report::Report;
use leptos::prelude::*;

/// What the import would do, and the button that starts it.
#[component]
pub fn ImportReport() -> impl IntoView {
    let flow = expect_context::<ImportFlow>();
    let images = flow
        .images
        .with_value(|images| images.as_ref().map_or(0, ImagesOfFile::count));
    let report = flow
        .plan
        .with_value(|plan| plan.as_ref().map(|plan| Report::new(plan, images)));

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
                <button type="button" class="primary" on:click=move |_| flow.run()>
                    "Import"
                </button>
            }
        });

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
                <p class=room_class>{room}</p>
                <div class="storage-row">
                    {import}
                    <button type="button" on:click=move |_| flow.choose_another()>
                        "Another file"
                    </button>
                </div>
            </div>
        }
    })
}
