//! The dialog of a title by the model, and what opens it.

use crate::Titles;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_ui_kit::{Dialog, DialogState, IconName, MenuItem};
use sash_view::commands::has_messages;
use sash_view::stores::use_kernel;
use sash_wire::short_name;
use sash_words::{count, t};

/// Has the model write a title.
pub fn title_command() -> Command {
    let (titles, kernel) = (Titles::expect(), use_kernel());
    let words = || t!(titles.menu_entry);
    let command = Command::new("title-by-model", words, move || titles.open());
    command.when(move || has_messages(kernel))
}

/// Has the model write a title, from the menu of the open chat.
#[component]
pub fn TitleItem() -> impl IntoView {
    let titles = Titles::expect();
    view! {
        <MenuItem
            icon=IconName::Pencil
            label=t!(titles.menu_entry)
            disabled=use_kernel().chats().path.with_untracked(Vec::is_empty)
            on_select=move || titles.open()
        />
    }
}

/// The dialog: what the model is going to read, the button that asks it, and the title, which the person saves.
#[component]
pub fn TitleDialog() -> impl IntoView {
    let titles = Titles::expect();
    let shown = DialogState::new(
        move || titles.request.with(Option::is_some),
        move || titles.close(),
    );

    view! {
        <Dialog class="title" title=t!(titles.dialog_title) shown on_save=move || titles.save()>
            <TitleRequestView />
        </Dialog>
    }
}

/// The request and the title.
#[component]
fn TitleRequestView() -> impl IntoView {
    let titles = Titles::expect();
    let answers = use_kernel().answers();
    let request = titles.request.get_untracked()?;
    let model = short_name(&request.model).to_owned();
    let words = t!(
        titles.request_cost,
        model = &model,
        tokens = count::tokens(request.tokens as usize)
    );
    let status = move || match titles.answer.is_running() {
        true => t!(titles.writing_the_title).to_owned(),
        false => titles.error.get(),
    };

    Some(view! {
        <p class="hint-line">{words}</p>
        <details class="title-reads">
            <summary>{t!(titles.request_text)}</summary>
            <pre dir="auto">{request.prompt}</pre>
        </details>
        <div class="edit-buttons">
            <Show
                when=move || titles.answer.is_running()
                fallback=move || {
                    view! {
                        <button
                            type="button"
                            disabled=move || !answers.can_send()
                            on:click=move |_| titles.ask()
                        >
                            {t!(titles.ask_for_title)}
                        </button>
                    }
                }
            >
                <button type="button" on:click=move |_| titles.answer.stop()>
                    {t!(common.stop)}
                </button>
            </Show>
        </div>
        <p class="note" role="status">{status}</p>
        <label class="several-question">
            <span>{t!(titles.title)}</span>
            <input
                autocomplete="off"
                prop:value=move || titles.text.get()
                on:input=move |event| titles.text.set(event_target_value(&event))
            />
        </label>
    })
}
