//! Progress of reading ahead, and its switch.

use crate::store::stop_words;
use crate::{ReadAhead, ReadAheadSettingsStoreFields, ReadAheadTime};
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_words::{count::grouped, t};

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

/// What was read of the next prompt, or why nothing is. Empty where there is nothing to say.
#[component]
pub fn ReadLine() -> impl IntoView {
    let read_ahead = ReadAhead::expect();

    view! {
        <ShowLet some=move || read_words(read_ahead) let:words>
            <p>{words}</p>
        </ShowLet>
    }
}

/// Of what the next request takes, the part that the model has read already.
#[component]
pub fn ReadMark() -> impl IntoView {
    let read_ahead = ReadAhead::expect();
    let read = move || {
        let progress = read_ahead.progress.get();
        let tokens = read_ahead.steering().fit.get().1;
        let room = read_ahead.steering().context.get().unwrap_or(1).max(1);
        let read = progress.map_or(0, |progress| progress.tokens.min(tokens));
        format!("{}%", (read * 100 / room).min(100))
    };

    view! { <rect class="gauge-read" y="50%" height="50%" width=read /> }
}

/// What was read of the next prompt, and when, or why nothing is; `None` where there is nothing to say.
fn read_words(read_ahead: ReadAhead) -> Option<String> {
    let model = read_ahead.steering().model.get()?;
    if let Some(why) = read_ahead.reads.stop_of(&model) {
        return Some(stop_words(&model, &why));
    }
    let progress = read_ahead.progress.get()?;
    let (tokens, total) = (grouped(progress.tokens), grouped(progress.total));
    Some(match progress.is_running {
        true => t!(
            read_ahead.is_reading_ahead,
            tokens = &tokens,
            total = &total
        ),
        false => t!(
            read_ahead.was_read_ahead,
            tokens = &tokens,
            total = &total,
            time = clock::time_of_day(progress.at)
        ),
    })
}
