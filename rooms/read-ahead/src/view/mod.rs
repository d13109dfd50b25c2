//! Progress of reading ahead, and its switch.

mod read_ahead_choice;

pub use read_ahead_choice::ReadAheadChoice;

use crate::ReadAhead;
use crate::store::stop_words;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_words::{count::grouped, t};

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
    let is_reading = read_ahead.is_reading();
    let progress = read_ahead.progress.get();
    let progress = progress.filter(|progress| progress.tokens > 0 || is_reading)?;
    let (tokens, total) = (grouped(progress.tokens), grouped(progress.total));
    Some(match is_reading {
        true => t!(read_ahead.read_so_far, tokens = &tokens, total = &total),
        false => t!(
            read_ahead.read_at,
            tokens = &tokens,
            total = &total,
            time = clock::time_of_day(progress.at)
        ),
    })
}
