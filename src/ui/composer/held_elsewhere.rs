//! Shown while another tab answers in this chat.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The line above the composer while another tab answers in the open chat, with a button that takes over: one
/// tab writes at a time.
#[component]
pub fn HeldElsewhere() -> impl IntoView {
    let stores = use_stores();
    let is_held = move || stores.remote.is_held(stores.chats.open_id());
    let take_over = move |_| stores.remote.take_over(untrack(|| stores.chats.open_id()));

    view! {
        <div role="status">
            <Show when=is_held>
                <div class="overflow">
                    <p>"This chat is in use in another tab: it is being answered there."</p>
                    <div class="overflow-offers">
                        <button
                            type="button"
                            title="Stops the answer there and keeps what has come"
                            on:click=take_over
                        >
                            "Take over"
                        </button>
                    </div>
                </div>
            </Show>
        </div>
    }
}
