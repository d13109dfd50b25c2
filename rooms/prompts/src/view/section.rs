//! The prompts in the settings.

use crate::SavedPrompts;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_records::prompts::SavedPrompt;
use sash_stores::hooks::UndoId;
use sash_view::settings::Setting;
use sash_words::t;

/// The section of the prompts, by which it is found.
pub const SAVED_PROMPTS: Setting = Setting {
    id: "settings-prompts",
    words: || t!(prompts.prompts),
};

/// The id of the button that adds a prompt.
const ADD_ID: &str = "setting-new-prompt";
/// The id of the button that undoes a deletion.
const UNDO_ID: &str = "setting-undo-prompt";

/// The prompts that the person keeps, each with a way to change and to delete it, and a way to add one.
#[component]
pub fn PromptsSection() -> impl IntoView {
    let prompts = SavedPrompts::expect();
    // The toast lies behind the settings, so the way back stands here too.
    let deleted = RwSignal::new(None::<(String, UndoId)>);
    let undo = move |step: UndoId| {
        prompts.undo(step);
        deleted.set(None);
        page::focus_id_soon(ADD_ID.to_owned());
    };
    let add = move |_| prompts.begin("");

    view! {
        <section aria-labelledby=SAVED_PROMPTS.id>
            <h3 id=SAVED_PROMPTS.id>{(SAVED_PROMPTS.words)()}</h3>
            <p class="hint-line">{t!(prompts.slash_hint)}</p>
            <Show when=move || prompts.list.with(|list| !list.is_empty())>
                <ul class="setting-list prompt-list">
                    <For each=move || prompts.list.get() key=Clone::clone let:prompt>
                        <PromptRow prompt deleted />
                    </For>
                </ul>
            </Show>
            <ShowLet some=move || deleted.get() let:last>
                <p class="hint-line">
                    {t!(prompts.deleted_the_prompt, name = &last.0)} " "
                    <button type="button" class="link" id=UNDO_ID on:click=move |_| undo(last.1)>
                        {t!(parts.undo)}
                    </button>
                </p>
            </ShowLet>
            <button type="button" class="link" id=ADD_ID on:click=add>
                {t!(prompts.new_prompt_ellipsis)}
            </button>
        </section>
    }
}

/// A prompt: its name, the beginning of its text, and what can be done with it.
#[component]
fn PromptRow(
    /// The prompt.
    prompt: SavedPrompt,
    /// The name of the prompt that was deleted last, and the step.
    deleted: RwSignal<Option<(String, UndoId)>>,
) -> impl IntoView {
    let prompts = SavedPrompts::expect();
    let first_line = prompt.first_line().to_owned();
    let SavedPrompt { id, name, .. } = prompt;
    let edit_label = t!(prompts.edit_named, name = &name);
    let delete_label = t!(prompts.delete_named, name = &name);
    let gone = name.clone();
    // The row that had the focus is gone.
    let delete = move |_| {
        let step = prompts.delete(id);
        deleted.set(step.map(|step| (gone.clone(), step)));
        page::focus_id_soon(UNDO_ID.to_owned());
    };

    view! {
        <li>
            <strong dir="auto">{name}</strong>
            <span class="prompt-first-line" dir="auto">
                {first_line}
            </span>
            <span class="setting-buttons">
                <button
                    type="button"
                    class="link"
                    aria-label=edit_label
                    on:click=move |_| prompts.edit(id)
                >
                    {t!(common.edit)}
                </button>
                <button type="button" class="link" aria-label=delete_label on:click=delete>
                    {t!(common.delete)}
                </button>
            </span>
        </li>
    }
}
