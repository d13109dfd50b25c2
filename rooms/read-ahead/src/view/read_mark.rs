//! Progress of reading ahead, in the meter of the context.

use crate::ReadAhead;
use leptos::prelude::*;

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
