//! When a message was written.

use crate::browser::clock;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;

/// The time of day, with the date as its tooltip, once the pointer or the focus comes near. A message of another day shows
/// the date too.
#[component]
pub fn WrittenAt(
    /// When, in milliseconds since 1970.
    created: u64,
) -> impl IntoView {
    let near = MessageState::expect().near;
    let words = move || match clock::day(created) == clock::day(clock::now()) {
        true => clock::time_of_day(created),
        false => clock::date(created),
    };

    view! {
        <Show when=move || near.get() && (created > 0)>
            <time class="written-at" datetime=clock::iso(created) title=clock::date(created)>
                {words}
            </time>
        </Show>
    }
}
