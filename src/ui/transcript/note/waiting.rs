//! An answer without any text so far.

use crate::browser::clock;
use crate::ui::stores::use_stores;
use crate::ui::transcript::message_state::MessageState;
use leptos::prelude::*;
use sash_chat::Message;
use sash_state::Wait;
use sash_wire::short_name;
use std::time::Duration;

/// Says what an answer waits for, and for how long. Ollama sends nothing before the first token, so the page
/// determines both.
#[component]
pub fn Waiting(
    /// When the question was sent, on the monotonic clock in milliseconds.
    since: f64,
) -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let model = stores
        .chats
        .with_message(id, Message::model_id)
        .flatten()
        .unwrap_or_default();
    let seconds = RwSignal::new(0u32);
    let tick = move || {
        let now = ((clock::monotonic() - since) / 1000.0) as u32;
        // Whether the model is loaded may change at any time and determines the text.
        if seconds.try_set(now).is_none() && now % 2 == 1 {
            stores.engine.refresh();
        }
    };
    // Which models are loaded may have changed since the last answer.
    stores.engine.refresh();
    if let Ok(interval) = set_interval_with_handle(tick, Duration::from_secs(1)) {
        on_cleanup(move || interval.clear());
    }
    let words = move || {
        let name = short_name(&model.name);
        let what = match stores.answers.wait_of(id, &model) {
            Wait::Unknown => format!("Waiting for {name} …"),
            Wait::Loading => format!("Loading {name} …"),
            Wait::Behind(title) => format!("Waiting: “{title}” is being answered first …"),
            Wait::LoadingOrReading => format!("Loading {name} … and reading the prompt …"),
            Wait::Reading => format!("{name} is reading the prompt …"),
        };
        match seconds.get() {
            0 => what,
            s => format!("{what} {s} s"),
        }
    };
    view! {
        <p class="note waiting">
            <span class="pulse"></span>
            <span>{words}</span>
        </p>
    }
}
