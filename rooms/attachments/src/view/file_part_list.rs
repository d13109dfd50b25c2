//! The parts of a file to choose from.

use crate::FileDraft;
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_words::{count::grouped, t};

/// A box for each part: its title, and its estimated tokens.
#[component]
pub fn FilePartList(
    /// The titles of the parts.
    titles: Vec<String>,
    /// The file, with what the person wrote.
    file: RwSignal<FileDraft>,
    /// Which of them are chosen.
    chosen: RwSignal<Vec<bool>>,
) -> impl IntoView {
    let attachments = use_kernel().attachments();
    let set_all = move |on: bool| chosen.update(|chosen| chosen.fill(on));
    let rows = titles.into_iter().enumerate().map(|(at, title)| {
        let tokens = Memo::new(move |_| {
            file.with(|file| {
                let part = file.parts.get(at);
                part.map_or(0, |part| attachments.tokens_of(&part.text))
            })
        });
        let is_chosen = move || chosen.with(|chosen| chosen.get(at).copied().unwrap_or_default());
        let toggle = move |_| {
            chosen.update(|chosen| {
                if let Some(chosen) = chosen.get_mut(at) {
                    *chosen = !*chosen;
                }
            });
        };
        view! {
            <li>
                <label>
                    <input type="checkbox" prop:checked=is_chosen on:change=toggle />
                    <span dir="auto">{title}</span>
                    <span class="library-note">
                        {move || t!(attachments.about_tokens_of_part, tokens = grouped(tokens.get()))}
                    </span>
                </label>
            </li>
        }
    });

    view! {
        <fieldset class="file-parts">
            <legend>{t!(attachments.parts)}</legend>
            <button type="button" class="link" on:click=move |_| set_all(true)>
                {t!(attachments.choose_all)}
            </button>
            <button type="button" class="link" on:click=move |_| set_all(false)>
                {t!(attachments.choose_none)}
            </button>
            <ul>{rows.collect_view()}</ul>
        </fieldset>
    }
}
