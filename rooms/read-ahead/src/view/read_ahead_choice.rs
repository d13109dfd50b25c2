//! Setting of reading ahead in the menu of rules, and its progress.

use super::read_words;
use crate::{ReadAhead, ReadAheadSettingsStoreFields, ReadAheadTime};
use leptos::prelude::*;
use sash_words::t;

/// The times with their names and what they do.
fn words_of(time: ReadAheadTime) -> (&'static str, &'static str) {
    match time {
        ReadAheadTime::Writing => (
            t!(read_ahead.mode_while_writing),
            t!(read_ahead.hint_while_writing),
        ),
        ReadAheadTime::AnswersToo => (
            t!(read_ahead.mode_after_answers),
            t!(read_ahead.hint_after_answers),
        ),
        ReadAheadTime::Never => (t!(read_ahead.mode_never), t!(read_ahead.hint_never)),
    }
}

/// The choice for all chats, and how far the next prompt is read.
#[component]
pub fn ReadAheadChoice() -> impl IntoView {
    let read_ahead = ReadAhead::expect();
    let settings = read_ahead.settings;
    let chosen = settings.current.read_ahead();
    let times = ReadAheadTime::ALL.map(|time| {
        let (name, about) = words_of(time);
        let id = format!("read-ahead-{time:?}");
        view! {
            <div>
                <label>
                    <input
                        type="radio"
                        name="read-ahead"
                        aria-describedby=id.clone()
                        prop:checked=move || chosen.get() == time
                        on:change=move |_| settings.change(|settings| settings.read_ahead = time)
                    />
                    <span>{name}</span>
                </label>
                <p id=id>{about}</p>
            </div>
        }
    });

    view! {
        <fieldset class="policy-section">
            <legend>{t!(read_ahead.section_title)}</legend>
            {times.into_iter().collect_view()}
            <ShowLet some=move || read_words(read_ahead) let:words>
                <p>{words}</p>
            </ShowLet>
        </fieldset>
    }
}
