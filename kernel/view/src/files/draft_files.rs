//! The files of a prompt that is not sent yet.

use super::file_fold::FileFold;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::TextFile;
use sash_text::count_lines;
use sash_ui_kit::{IconButton, IconName};
use sash_words::{count::grouped, t};

/// How much of the first line is shown, in characters.
const MAX_BEGINNING: usize = 120;

/// The files that go before what is written, each with a button that takes it out.
#[component]
pub fn DraftFiles(
    /// The files.
    files: RwSignal<Vec<TextFile>>,
    /// Called when one was taken out: its button had the focus.
    #[prop(into)]
    on_remove: Callback<()>,
    /// Makes one text of the prompt again, where that is possible.
    #[prop(optional)]
    on_text: Option<Callback<TextFile>>,
) -> impl IntoView {
    let kernel = use_kernel();
    let remove = move |at: usize| {
        files.update(|files| _ = files.remove(at));
        kernel.notices().announce(t!(files.file_removed));
        on_remove.run(());
    };
    let rows = move || files.get().into_iter().enumerate();

    view! {
        <Show when=move || files.with(|files| !files.is_empty())>
            <ul class="draft-files" aria-label=t!(files.prompt_files)>
                <For each=rows key=Clone::clone let((at, file))>
                    <DraftFile file on_text on_remove=move |()| remove(at) />
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
    /// Makes it text of the prompt.
    on_text: Option<Callback<TextFile>>,
    /// Takes it out.
    #[prop(into)]
    on_remove: Callback<()>,
) -> impl IntoView {
    let attachments = use_kernel().attachments();
    let to_text = on_text.map(|on_text| {
        let (label, file) = (t!(files.turn_into_text, name = &file.name), file.clone());
        view! {
            <button
                type="button"
                class="link"
                aria-label=label
                on:click=move |_| on_text.run(file.clone())
            >
                {t!(files.as_text)}
            </button>
        }
    });
    let TextFile { name, text } = file;
    let beginning = text.lines().map(str::trim).find(|line| !line.is_empty());
    let beginning: String = beginning
        .unwrap_or_default()
        .chars()
        .take(MAX_BEGINNING)
        .collect();
    let (lines, characters) = (count_lines(&text), text.chars().count());
    let size = format!(
        "{}, {}",
        t!(files.lines, count = lines, number = grouped(lines as u64)),
        t!(
            files.characters,
            count = characters,
            number = grouped(characters as u64)
        )
    );
    let label = t!(files.remove_the_file, name = &name);
    let counted = text.clone();
    let length = Signal::derive(move || {
        let tokens = t!(
            files.about_tokens,
            counted = grouped(attachments.tokens_of(&counted))
        );
        format!("{size}, {tokens}")
    });

    view! {
        <li>
            <FileFold name text length beginning />
            {to_text}
            <IconButton label icon=IconName::Close on:click=move |_| on_remove.run(()) />
        </li>
    }
}
