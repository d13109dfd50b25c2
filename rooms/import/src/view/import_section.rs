//! Imports chats from files: first it shows what would happen, then it imports everything or nothing.

use super::import_report::{ImportReportView, choose_another};
use crate::{ImportState, Imports};
use leptos::either::EitherOf4;
use leptos::html::{Input, P};
use leptos::prelude::*;
use sash_browser_kit::file;
use sash_browser_kit::page;
use sash_stores::PickedFile;
use sash_view::browser::picked_file::BrowserFile;
use sash_view::library::LibraryContext;
use sash_words::t;
use std::rc::Rc;
use web_sys::File;

/// Imports files, step by step.
#[component]
pub fn ImportSection() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let imports = Imports::expect();
    // It is there while no file is chosen.
    let field = NodeRef::<Input>::new();
    if imports.take_field_wanted() {
        library.first_field.set_value(Some(field));
    }
    // Rebuild the section when the step changes, not with each per cent.
    let step = Memo::new(move |_| match imports.state.get() {
        ImportState::Reading(_) => ImportState::Reading(0),
        ImportState::Running(_) => ImportState::Running(0),
        step => step,
    });
    Effect::new(move || {
        if step.with(|step| matches!(step, ImportState::Done(_) | ImportState::Failed(_))) {
            library.record_change();
        }
    });
    // What the import says that it would do, or did.
    let title = NodeRef::<P>::new();
    Effect::new(move |former: Option<ImportState>| {
        let step = step.get();
        let is_said = |step: &ImportState| {
            use ImportState::{Done, Failed, Planned};
            matches!(step, Planned | Done(_) | Failed(_))
        };
        if former.is_some_and(|former| former != step) && is_said(&step) {
            page::focus_soon(title);
        }
        step
    });
    on_cleanup(move || imports.discard_file());

    view! {
        // Files that miss the field by a little are not opened in the place of the page.
        <section
            on:dragover=|event| event.prevent_default()
            on:drop=move |event| {
                event.prevent_default();
                if let Some(data) = event.data_transfer() {
                    read(imports, file::all_dropped(&data));
                }
            }
        >
            <h3>{t!(import.import)}</h3>
            <p class="library-note">
                {t!(import.what_is_imported)}
            </p>
            {move || match step.get() {
                ImportState::Idle => EitherOf4::A(view! { <FileChoice imports field /> }),
                ImportState::Reading(_) => {
                    EitherOf4::B(view! { <ImportProgress imports field label=t!(import.reading_the_file) /> })
                }
                ImportState::Running(_) => {
                    EitherOf4::B(view! { <ImportProgress imports field label=t!(import.importing) /> })
                }
                ImportState::Planned => EitherOf4::C(view! { <ImportReportView imports field title /> }),
                ImportState::Done(words) => EitherOf4::D(view! { <ImportResult imports field title words /> }),
                ImportState::Failed(words) => {
                    EitherOf4::D(view! { <ImportResult imports field title words failed=true /> })
                }
            }}
        </section>
    }
}

/// The file field.
#[component]
fn FileChoice(
    /// The import.
    imports: Imports,
    /// The file field.
    field: NodeRef<Input>,
) -> impl IntoView {
    view! {
        <div>
            <input
                type="file"
                multiple
                node_ref=field
                aria-label=t!(import.file_to_import)
                accept=".zip,.jsonl,.json,.txt,.html,.dat,.md,.csv,.png,.jpg,.jpeg,.webp,.gif"
                on:change=move |event| read(imports, file::all_chosen(&event))
            />
        </div>
    }
}

/// Reads files that were chosen or dropped.
fn read(imports: Imports, files: Vec<File>) {
    let picked = files.into_iter().map(|file| {
        let file: Rc<dyn PickedFile> = Rc::new(BrowserFile(file));
        file
    });
    imports.read(picked.collect());
}

/// The progress of an import, and the button that stops it.
#[component]
fn ImportProgress(
    /// The import.
    imports: Imports,
    /// The file field, which comes back when reading is stopped.
    field: NodeRef<Input>,
    /// The name of the step.
    label: &'static str,
) -> impl IntoView {
    let done = move || match imports.state.get() {
        ImportState::Reading(done) | ImportState::Running(done) => done.to_string(),
        _ => String::new(),
    };

    view! {
        <div class="storage-row">
            <progress aria-label=label max="100" value=done />
            <button
                type="button"
                on:click=move |_| {
                    imports.stop();
                    page::focus_soon(field);
                }
            >
                {t!(common.stop)}
            </button>
        </div>
    }
}

/// The result of an import, and the button for another one.
#[component]
fn ImportResult(
    /// The import.
    imports: Imports,
    /// The file field.
    field: NodeRef<Input>,
    /// The result, which has the focus.
    title: NodeRef<P>,
    /// The result in words.
    words: String,
    /// Whether the import failed.
    #[prop(optional)]
    failed: bool,
) -> impl IntoView {
    view! {
        <div class="storage-row">
            <p class="note" class:note-failed=failed role="status" node_ref=title tabindex="-1">
                {words}
            </p>
            <button type="button" on:click=move |_| choose_another(imports, field)>
                {t!(import.another_file)}
            </button>
        </div>
    }
}
