//! The progress of a running answer.

use crate::ui::parts::grouped;
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use std::time::Duration;

/// A sign at the end of the received text, and about how fast the text comes. It is not a live region, because screen readers would read it out
/// with each answer.
#[component]
pub fn Progress(
    /// Whether the text has begun, after the thinking.
    begun: bool,
) -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let speed = RwSignal::new(stores.answers.speed_of(id));
    let tick = move || _ = speed.try_set(stores.answers.speed_of(id));
    if let Ok(interval) = set_interval_with_handle(tick, Duration::from_secs(1)) {
        on_cleanup(move || interval.clear());
    }
    let words = move || {
        let speed = speed.get().filter(|speed| *speed > 0)?;
        Some(view! { <span class="speed">{format!("about {} tokens/s", grouped(speed))}</span> })
    };
    view! {
        <span class="writing">
            <span class="pulse"></span>
            <span>{if begun { "Writing …" } else { "Thinking …" }}</span>
            {words}
        </span>
    }
}
