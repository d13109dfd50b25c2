//! The meter of the context.

use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_words::{count::grouped, t};

/// The share of the model's context that the next request takes. Its lengths are attributes of an SVG,
/// because the content security policy allows no inline styles.
#[component]
pub fn ContextMeter() -> impl IntoView {
    let kernel = use_kernel();
    let tokens = move || kernel.steering().fit.get().1;
    let room = move || kernel.steering().context.get().unwrap_or(1).max(1);
    let share = move || format!("{}%", (tokens() * 100 / room()).min(100));
    let words = move || {
        let (tokens, room) = (grouped(tokens()), grouped(room()));
        match kernel.steering().exact_tokens.get() {
            Some(_) => t!(panel.tokens_of_room, tokens = &tokens, room = &room),
            None => t!(panel.about_tokens_of_room, tokens = &tokens, room = &room),
        }
    };

    view! {
        <svg
            role="meter"
            aria-label=t!(common.context)
            aria-valuemin="0"
            aria-valuemax=move || room().to_string()
            aria-valuenow=move || tokens().min(room()).to_string()
            aria-valuetext=words
        >
            <rect class="gauge-room" height="100%" width="100%" />
            <rect class="gauge-used" height="100%" width=share />
            {use_places().meter_marks.view()}
        </svg>
    }
}
