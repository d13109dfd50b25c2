//! A prompt that is being edited: its name and its text.

use crate::SavedPrompts;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_records::prompts::{SavedPrompt, placeholders};
use sash_ui_kit::{DialogFrame, OtherValue, use_mirror};
use sash_words::t;
use web_sys::SubmitEvent;

/// The dialog; open while a prompt is being edited.
#[component]
pub fn PromptEditDialog() -> impl IntoView {
    let editing = SavedPrompts::expect().editing;
    let title = move || {
        // A new one has no name yet.
        let is_known = editing.with(|edit| edit.as_ref().is_some_and(|edit| !edit.name.is_empty()));
        match is_known {
            true => t!(prompts.edit_the_prompt).to_owned(),
            false => t!(prompts.new_prompt).to_owned(),
        }
    };
    let on_close = move |()| {
        editing.set(None);
        page::drop_selection();
    };

    view! {
        <DialogFrame
            class="prompt-edit"
            title_id="prompt-edit-title"
            title=Signal::derive(title)
            shown=Signal::derive(move || editing.with(Option::is_some))
            on_close
        >
            <ShowLet some=move || editing.get() let:edit>
                <PromptForm edit />
            </ShowLet>
        </DialogFrame>
    }
}

/// The form. What cannot be kept is said, and the form stays open.
#[component]
fn PromptForm(
    /// The prompt as it is.
    edit: SavedPrompt,
) -> impl IntoView {
    let prompts = SavedPrompts::expect();
    let id = edit.id;
    let stored = Memo::new(move |_| {
        let known = prompts
            .list
            .with(|all| all.iter().find(|known| known.id == id).cloned());
        known.unwrap_or_else(|| edit.clone())
    });
    let name = use_mirror(move || stored.with(|stored| stored.name.clone()));
    let text = use_mirror(move || stored.with(|stored| stored.text.clone()));
    let problem = RwSignal::new(None);
    let names = move || {
        text.text.with(|text| match &placeholders(text)[..] {
            [] => t!(prompts.blanks_hint, example = "{{name}}"),
            names => t!(prompts.asks_for, names = names.join(", ")),
        })
    };
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let (name, text) = (name.text.get_untracked(), text.text.get_untracked());
        problem.set(prompts.save(&SavedPrompt::new(id, &name, &text)).err());
    };

    view! {
        <form class="dialog-form" on:submit=save>
            <div class="dialog-body prompt-fields">
                <label for="prompt-name">{t!(common.name)}</label>
                <input
                    id="prompt-name"
                    type="text"
                    autocomplete="off"
                    autofocus
                    prop:value=move || name.text.get()
                    on:input=move |event| name.on_input(event_target_value(&event))
                />
                <OtherValue mirror=name id="prompt-name" />
                <label for="prompt-text">{t!(prompts.text_label)}</label>
                <textarea
                    id="prompt-text"
                    rows="8"
                    dir="auto"
                    autocomplete="off"
                    aria-describedby="prompt-names"
                    prop:value=move || text.text.get()
                    on:input=move |event| text.on_input(event_target_value(&event))
                ></textarea>
                <OtherValue mirror=text id="prompt-text" />
                <p id="prompt-names" class="hint-line">
                    {names}
                </p>
                <div role="alert">
                    {move || problem.get().map(|words| view! { <p class="note">{words}</p> })}
                </div>
            </div>
            <div class="dialog-foot">
                <button type="button" on:click=move |_| prompts.editing.set(None)>
                    {t!(common.cancel)}
                </button>
                <button type="submit" class="primary">
                    {t!(prompts.save)}
                </button>
            </div>
        </form>
    }
}
