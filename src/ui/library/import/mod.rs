//! Imports chats from a file: first it shows what would happen, then it imports everything or nothing.

mod file_choice;
mod flow;
mod images;
mod import_progress;
mod import_report;
mod import_result;
mod report;

use super::LibraryContext;
use file_choice::FileChoice;
use flow::{ImportFlow, ImportState};
use import_progress::ImportProgress;
use import_report::ImportReport;
use import_result::ImportResult;
use leptos::either::EitherOf4;
use leptos::prelude::*;

/// Imports a file, step by step.
#[component]
pub fn ImportSection() -> impl IntoView {
    let flow = ImportFlow::new(expect_context::<LibraryContext>());
    provide_context(flow);
    // Rebuild the section when the step changes, not with each per cent.
    let step = Memo::new(move |_| match flow.step.get() {
        ImportState::Reading(_) => ImportState::Reading(0),
        ImportState::Running(_) => ImportState::Running(0),
        step => step,
    });

    view! {
        <section>
            <h3>"Import"</h3>
            <p class="library-note">
                "An export of Sash, Open WebUI, ChatGPT or Hollama. You see what would be imported first; nothing that is here is replaced."
            </p>
            {move || match step.get() {
                ImportState::Idle => EitherOf4::A(view! { <FileChoice /> }),
                ImportState::Reading(_) => {
                    EitherOf4::B(view! { <ImportProgress label="Looking at the file" /> })
                }
                ImportState::Running(_) => EitherOf4::B(view! { <ImportProgress label="Importing" /> }),
                ImportState::Planned => EitherOf4::C(view! { <ImportReport /> }),
                ImportState::Done(words) => EitherOf4::D(view! { <ImportResult words /> }),
                ImportState::Failed(words) => {
                    EitherOf4::D(view! { <ImportResult words failed=true /> })
                }
            }}
        </section>
    }
}
