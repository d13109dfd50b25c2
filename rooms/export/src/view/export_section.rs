//! Saving chats as files.

use super::save::{Format, save};
use crate::ExportScope;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Opens export and import.
pub fn transfer_command() -> Command {
    let view = use_kernel().view();
    let words = || t!(export.export_and_import);
    Command::new("transfer", words, move || view.show_all_chats("transfer"))
}

/// Saves chats as a file: the choice of chats and of the format.
#[component]
pub fn ExportSection() -> impl IntoView {
    let kernel = use_kernel();
    let settings = kernel.settings().part();
    let which = RwSignal::new(ExportScope::All);
    let format = RwSignal::new(Format::Lines);
    let with_systems = RwSignal::new(true);
    let status = RwSignal::new(String::new());
    let export = Action::new_local(move |(): &()| {
        save(
            kernel,
            settings,
            which.get_untracked(),
            format.get_untracked(),
            with_systems.get_untracked(),
            status,
        )
    });
    let choose = move |value: String| {
        which.set(match value.as_str() {
            "all" => ExportScope::All,
            "trash" => ExportScope::AllAndDeleted,
            id => id.parse().map_or(ExportScope::All, ExportScope::One),
        });
    };
    let chats = kernel
        .storage()
        .with_log(|log| log.chat_list())
        .unwrap_or_default();
    let chats = chats.into_iter().map(|chat| {
        view! { <option value=chat.id.to_string()>{chat.title}</option> }
    });
    let formats = Format::ALL.map(|value| {
        view! {
            <label>
                <input
                    type="radio"
                    name="export-format"
                    checked=value == Format::Lines
                    on:change=move |_| format.set(value)
                />
                {value.name()}
                <span class="library-note">{value.about()}</span>
            </label>
        }
    });

    view! {
        <section>
            <h3>{t!(common.export)}</h3>
            <select
                aria-label=t!(library.which_chats)
                id="export-which"
                on:change=move |event| choose(event_target_value(&event))
            >
                <option value="all">{t!(library.all_chats)}</option>
                <option value="trash">{t!(export.all_chats_and_trash)}</option>
                {chats.collect_view()}
            </select>
            <fieldset class="choices" aria-label=t!(export.format)>
                {formats.into_iter().collect_view()}
            </fieldset>
            <Show when=move || format.get() != Format::Lines>
                <label>
                    <input type="checkbox" bind:checked=with_systems />
                    {t!(export.include_system_prompts)}
                </label>
            </Show>
            <div class="storage-row">
                <button
                    type="button"
                    class="primary"
                    disabled=move || export.pending().get()
                    on:click=move |_| _ = export.dispatch(())
                >
                    {t!(common.export)}
                </button>
                <p class="library-note" role="status">
                    {move || status.get()}
                </p>
            </div>
        </section>
    }
}
