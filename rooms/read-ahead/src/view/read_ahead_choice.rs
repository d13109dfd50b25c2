//! Setting of reading ahead in the menu of rules, and its progress.

use super::read_words;
use crate::{ReadAhead, ReadAheadSettingsStoreFields, ReadAheadTime};
use leptos::prelude::*;
use sash_words::t;

/// The times with their names and what they do.
fn words_of(time: ReadAheadTime) -> (&'static str, &'static str) {
    match time {
        ReadAheadTime::Writing => (
            t!(read_ahead.while_i_write),
            t!(read_ahead.at_rests_of_typing),
        ),
        ReadAheadTime::AnswersToo => (
            t!(read_ahead.after_each_answer_too),
            t!(read_ahead.the_window_of_the_next_question),
        ),
        ReadAheadTime::Never => (
            t!(read_ahead.never),
            t!(read_ahead.the_model_reads_when_you_send),
        ),
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
            <div class="recall-mode">
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
        <fieldset class="recall-choice">
            <legend>{t!(read_ahead.read_ahead_in_all_chats)}</legend>
            {times.into_iter().collect_view()}
            <ShowLet some=move || read_words(read_ahead) let:words>
                <p>{words}</p>
            </ShowLet>
        </fieldset>
    }
}
