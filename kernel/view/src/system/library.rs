//! Saved system prompts.

use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_stores::{NamedSystemPrompt, SettingsStoreFields};
use sash_words::t;
use web_sys::SubmitEvent;

/// The saved system prompts, and the form that saves the field's text.
#[component]
pub fn SystemLibrary(
    /// The text of the field.
    text: RwSignal<String>,
    /// Puts a text into the field.
    on_choose: Callback<String>,
) -> impl IntoView {
    let kernel = use_kernel();
    let systems = kernel.settings().current.systems();
    let name = RwSignal::new(String::new());
    let chosen = Memo::new(move |_| {
        systems.with(|systems| {
            let known = |prompt: &&NamedSystemPrompt| text.with(|text| prompt.text == *text);
            systems.iter().find(known).cloned()
        })
    });
    // Only the prompt in the field can be deleted, so that its text is not lost.
    let delete = move |_| {
        if let Some(gone) = chosen.get_untracked() {
            kernel
                .settings()
                .change(|s| s.systems.retain(|known| *known != gone));
            name.set(gone.name);
            kernel.notices().announce(t!(system.library_deleted));
        }
    };
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let prompt = NamedSystemPrompt {
            name: name.get_untracked().trim().to_owned(),
            text: text.get_untracked(),
        };
        if prompt.name.is_empty() || prompt.text.trim().is_empty() {
            return;
        }
        kernel
            .notices()
            .announce(t!(system.saved_as, name = &prompt.name));
        kernel.settings().change(|settings| {
            settings.systems.retain(|known| known.name != prompt.name);
            settings.systems.push(prompt);
        });
        name.set(String::new());
    };
    let is_incomplete = move || {
        let is_blank = |field: RwSignal<String>| field.with(|words| words.trim().is_empty());
        is_blank(text) || is_blank(name)
    };

    view! {
        <div class="system-library">
            <Show when=move || !systems.with(Vec::is_empty)>
                <p class="hint-line">{t!(system.library)}</p>
            </Show>
            <ul class="system-list" aria-label=t!(system.saved_system_prompts)>
                <For
                    each=move || systems.get()
                    key=|prompt| (prompt.name.clone(), prompt.text.clone())
                    let:prompt
                >
                    <SavedPrompt prompt chosen on_choose />
                </For>
            </ul>
            <form class="system-row" on:submit=save>
                <input
                    autocomplete="off"
                    aria-label=t!(system.library_name)
                    placeholder=t!(system.library_name)
                    bind:value=name
                />
                <button type="submit" disabled=is_incomplete>
                    {t!(system.library_save)}
                </button>
            </form>
            <Show when=move || chosen.with(Option::is_some)>
                <button type="button" class="link danger" on:click=delete>
                    {t!(system.library_delete)}
                </button>
            </Show>
        </div>
    }
}

/// A button that puts a saved system prompt into the field and sets it for the chat.
#[component]
fn SavedPrompt(
    /// The prompt.
    prompt: NamedSystemPrompt,
    /// The saved prompt that is in the field.
    chosen: Memo<Option<NamedSystemPrompt>>,
    /// Puts a text into the field.
    on_choose: Callback<String>,
) -> impl IntoView {
    let name = prompt.name.clone();
    let own = prompt.clone();
    let pressed = move || {
        chosen
            .with(|chosen| chosen.as_ref() == Some(&own))
            .to_string()
    };
    let choose = move |_| on_choose.run(prompt.text.clone());

    view! {
        <li>
            <button type="button" aria-pressed=pressed on:click=choose>
                {name}
            </button>
        </li>
    }
}
