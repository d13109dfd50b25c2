//! A prompt that is being edited: its name and its text.

use crate::browser::page;
use crate::ui::parts::{on_closed, use_modal};
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use sash_chat::placeholders;
use sash_state::PromptEdit;
use sash_words::t;
use web_sys::SubmitEvent;

/// The dialog; open while a prompt is being edited.
#[component]
pub fn PromptEditDialog() -> impl IntoView {
    let editing = use_stores().prompts.editing;
    let dialog = NodeRef::<html::Dialog>::new();
    let shown = Signal::derive(move || editing.with(Option::is_some));
    use_modal(dialog, shown);

    view! {
        <dialog
            class="dialog prompt-edit"
            aria-labelledby="prompt-edit-title"
            node_ref=dialog
            on:close=on_closed(
                dialog,
                move || {
                    editing.set(None);
                    page::drop_selection();
                },
            )
        >
            <ShowLet some=move || editing.get() let:edit>
                <PromptForm edit />
            </ShowLet>
        </dialog>
    }
}

/// The form. What cannot be kept is said, and the form stays open.
#[component]
fn PromptForm(
    /// The prompt as it is.
    edit: PromptEdit,
) -> impl IntoView {
    let prompts = use_stores().prompts;
    let title = match edit.id {
        Some(_) => t!(prompts.edit_the_prompt),
        None => t!(prompts.new_prompt),
    };
    let id = edit.id;
    let (name, text) = (RwSignal::new(edit.name), RwSignal::new(edit.text));
    let problem = RwSignal::new(None::<String>);
    let names = move || {
        text.with(|text| match &placeholders(text)[..] {
            [] => t!(prompts.what_stands_in_double_braces, example = "{{name}}"),
            names => t!(prompts.asks_for, names = names.join(", ")),
        })
    };
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let edit = PromptEdit {
            id,
            name: name.get_untracked(),
            text: text.get_untracked(),
        };
        problem.set(prompts.save(&edit).err().map(|why| why.sentence()));
    };

    view! {
        <h2 id="prompt-edit-title">{title}</h2>
        <form class="dialog-form" on:submit=save>
            <div class="dialog-body prompt-fields">
                <label for="prompt-name">{t!(common.name)}</label>
                <input id="prompt-name" type="text" autocomplete="off" autofocus bind:value=name />
                <label for="prompt-text">{t!(prompts.text)}</label>
                <textarea
                    id="prompt-text"
                    rows="8"
                    dir="auto"
                    aria-describedby="prompt-names"
                    bind:value=text
                ></textarea>
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
