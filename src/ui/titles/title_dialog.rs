//! A title for the open chat by its model.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_ui_kit::{Dialog, DialogState, IconName, MenuItem};
use sash_view::commands::has_messages;
use sash_wire::short_name;
use sash_words::{count, t};

/// Has the model write a title.
pub fn title_command() -> Command {
    let stores = use_stores();
    let words = || t!(header.title_by_the_model_entry);
    let command = Command::new("title-by-model", words, move || stores.titles().open());
    command.when(move || has_messages(stores.kernel()))
}

/// Has the model write a title, from the menu of the open chat.
#[component]
pub fn TitleItem() -> impl IntoView {
    let stores = use_stores();
    view! {
        <MenuItem
            icon=IconName::Pencil
            label=t!(header.title_by_the_model_entry)
            disabled=stores.kernel().chats().path.with_untracked(Vec::is_empty)
            on_select=move || stores.titles().open()
        />
    }
}

/// The dialog: what the model is going to read, the button that asks it, and the title, which the person saves.
#[component]
pub fn TitleDialog() -> impl IntoView {
    let titles = use_stores().titles();
    let shown = DialogState::new(
        move || titles.request.with(Option::is_some),
        move || titles.close(),
    );

    view! {
        <Dialog class="title" title=t!(header.title_by_the_model) shown on_save=move || titles.save()>
            <TitleRequestView />
        </Dialog>
    }
}

/// The request and the title.
#[component]
fn TitleRequestView() -> impl IntoView {
    let stores = use_stores();
    let titles = stores.titles();
    let request = titles.request.get_untracked()?;
    let model = short_name(&request.model).to_owned();
    let words = t!(
        header.the_model_reads,
        model = &model,
        tokens = t!(
            common.about_tokens,
            tokens = count::tokens(request.tokens as usize)
        )
    );
    let status = move || match titles.is_running.get() {
        true => t!(header.writing_the_title).to_owned(),
        false => titles.error.get(),
    };

    Some(view! {
        <p class="hint-line">{words}</p>
        <details class="title-reads">
            <summary>{t!(header.what_it_reads)}</summary>
            <pre dir="auto">{request.prompt}</pre>
        </details>
        <div class="edit-buttons">
            <Show
                when=move || titles.is_running.get()
                fallback=move || {
                    view! {
                        <button
                            type="button"
                            disabled=move || !stores.kernel().answers().can_send()
                            on:click=move |_| titles.ask()
                        >
                            {t!(header.ask_for_a_title)}
                        </button>
                    }
                }
            >
                <button type="button" on:click=move |_| titles.stop()>
                    {t!(common.stop)}
                </button>
            </Show>
        </div>
        <p class="note" role="status">{status}</p>
        <label class="several-question">
            <span>{t!(header.title)}</span>
            <input
                autocomplete="off"
                prop:value=move || titles.text.get()
                on:input=move |event| titles.text.set(event_target_value(&event))
            />
        </label>
    })
}
