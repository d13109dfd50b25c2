//! The transcript: the branch that is being read, and the sash in its margin.

mod actions;
mod edit;
mod message;
mod note;
mod receipt;
mod thinking;
mod versions;
mod welcome;

use super::app::session;
use super::parts::{Icon, icon};
use crate::browser::page::Follower;
use leptos::html;
use leptos::prelude::*;
use message::MessageView;
use welcome::Welcome;

/// The transcript.
#[component]
pub fn Transcript() -> impl IntoView {
    let session = session();
    let place = NodeRef::<html::Section>::new();
    let follower = StoredValue::new_local(Follower::default());
    let at_end = RwSignal::new(true);
    let follow = move || {
        if let Some(place) = place.get_untracked() {
            follower.with_value(|follower| follower.follow(&place));
        }
    };
    let jump = move || {
        if let Some(place) = place.get_untracked() {
            follower.with_value(|follower| follower.jump(&place));
            at_end.set(true);
        }
    };
    // Another chat, or a question of one's own: to the end. A growing answer is followed by its view.
    Effect::new(move || {
        session.path.track();
        request_animation_frame(jump);
    });
    let scrolled = move |_| {
        if let Some(place) = place.get_untracked() {
            at_end.set(follower.with_value(|follower| follower.scrolled(&place)));
        }
    };
    let empty = Memo::new(move |_| session.path.with(Vec::is_empty));
    view! {
        <section
            class="transcript"
            id="conversation"
            role="log"
            aria-label="Conversation"
            aria-live="off"
            tabindex="0"
            node_ref=place
            on:scroll=scrolled
        >
            <Show when=move || empty.get()>
                <Welcome/>
            </Show>
            // The level between the chat's title and its messages.
            <Show when=move || !empty.get()>
                <h2 class="visually-hidden">"Conversation"</h2>
            </Show>
            <div class="messages">
                <For each=move || session.path.get() key=|id| *id let:id>
                    <MessageView id follow=Callback::new(move |()| follow())/>
                </For>
            </div>
        </section>
        <div class="jump-place">
            <Show when=move || !at_end.get()>
                <button class="jump" on:click=move |_| jump()>{icon(Icon::Down)} "Jump to latest"</button>
            </Show>
        </div>
    }
}
