//! What was read of the next prompt before it is sent, in words.

use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_state::{Stores, stop_words};
use sash_words::{count::grouped, t};

/// What was read of the next prompt, and when, or why nothing is; `None` where there is nothing to say.
pub fn read_words(stores: Stores) -> Option<String> {
    let model = stores.kernel().steering().model.get()?;
    if let Some(why) = stores.read_ahead().reads.stop_of(&model) {
        return Some(stop_words(&model, &why));
    }
    let progress = stores.read_ahead().progress.get()?;
    let (tokens, total) = (grouped(progress.tokens), grouped(progress.total));
    Some(match progress.is_running {
        true => t!(panel.is_reading_ahead, tokens = &tokens, total = &total),
        false => t!(
            panel.was_read_ahead,
            tokens = &tokens,
            total = &total,
            time = clock::time_of_day(progress.at)
        ),
    })
}
