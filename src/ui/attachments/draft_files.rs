//! The files of a prompt that is not sent yet.

use super::file_fold::FileFold;
use crate::ui::parts::{IconButton, IconName};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::TextFile;
use sash_words::{count::grouped, t};

/// The files that go before what is written, each with a button that takes it out.
#[component]
pub fn DraftFiles(
    /// The files.
    files: RwSignal<Vec<TextFile>>,
    /// Called when one was taken out: its button had the focus.
    #[prop(into)]
    on_remove: Callback<()>,
) -> impl IntoView {
    let stores = use_stores();
    let remove = move |at: usize| {
        files.update(|files| _ = files.remove(at));
        stores.notices.announce(t!(attachments.file_removed));
        on_remove.run(());
    };
    let rows = move || files.get().into_iter().enumerate();

    view! {
        <Show when=move || files.with(|files| !files.is_empty())>
            <ul class="draft-files" aria-label=t!(attachments.files_of_this_prompt)>
                <For each=rows key=Clone::clone let((at, file))>
                    <DraftFile file on_remove=move |()| remove(at) />
                </For>
            </ul>
        </Show>
    }
}

/// One of them.
#[component]
fn DraftFile(
    /// The file.
    file: TextFile,
    /// Takes it out.
    #[prop(into)]
    on_remove: Callback<()>,
) -> impl IntoView {
    let attachments = use_stores().attachments;
    let TextFile { name, text } = file;
    let label = t!(attachments.remove_the_file, name = &name);
    let counted = text.clone();
    let length = Signal::derive(move || {
        t!(
            attachments.about_tokens,
            counted = grouped(attachments.tokens_of(&counted))
        )
    });

    view! {
        <li>
            <FileFold name text length />
            <IconButton label icon=IconName::Close on:click=move |_| on_remove.run(()) />
        </li>
    }
}
