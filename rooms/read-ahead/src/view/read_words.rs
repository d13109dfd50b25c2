//! Progress of reading ahead, in words.

use crate::ReadAhead;
use crate::store::stop_words;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_words::{count::grouped, t};

/// What was read of the next prompt, and when, or why nothing is; `None` where there is nothing to say.
pub fn read_words(read_ahead: ReadAhead) -> Option<String> {
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
