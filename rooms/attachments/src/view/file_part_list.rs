//! The parts of a file to choose from.

use crate::FileDraft;
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_words::{count::grouped, t};
use std::ops::Range;

/// A box for each part: its title, and its estimated tokens.
#[component]
pub fn FilePartList(
    /// The titles of the parts.
    titles: Vec<String>,
    /// The file, with what the person wrote.
    file: RwSignal<FileDraft>,
    /// Chooses parts, or leaves them out.
    on_choose: Callback<(Range<usize>, bool)>,
) -> impl IntoView {
    let attachments = use_kernel().attachments();
    let count = titles.len();
    let set_all = move |is_chosen| on_choose.run((0..count, is_chosen));
    let rows = titles.into_iter().enumerate().map(|(at, title)| {
        let tokens = Memo::new(move |_| {
            file.with(|file| {
                let part = file.parts.get(at);
                part.map_or(0, |part| attachments.tokens_of(&part.text))
            })
        });
        let is_chosen =
            move || file.with(|file| file.parts.get(at).is_some_and(|part| part.is_chosen));
        let toggle = move |_| on_choose.run((at..at + 1, !untrack(is_chosen)));
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
