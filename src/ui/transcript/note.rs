//! How an answer stands, where there is something to say.

use crate::browser::clock;
use crate::chat::{Id, Outcome};
use crate::ui::app::session;
use crate::ui::session::{Live, State};
use leptos::prelude::*;
use std::time::Duration;

/// Waiting, stopped, interrupted, cut off, failed.
#[component]
pub fn Note(id: Id, live: Live) -> impl IntoView {
    let session = session();
    move || {
        let again = move |text: String, class: &'static str| {
            view! {
                <p class=class>
                    <span>{text}</span>
                    <button
                        class="link"
                        disabled=move || !session.may_ask()
                        on:click=move |_| session.answer_again(id)
                    >
                        "Ask again"
                    </button>
                </p>
            }
            .into_any()
        };
        match live.state.get() {
            State::Waiting(since) => {
                let model = session
                    .message(id)
                    .and_then(|m| m.model)
                    .unwrap_or_default();
                Some(view! { <Waiting since model/> }.into_any())
            }
            State::Writing | State::Ended(Outcome::Complete) => None,
            State::Ended(Outcome::CutOff) => {
                Some(again("Cut off by a length limit".to_owned(), "note"))
            }
            State::Ended(Outcome::Stopped) => Some(again("Stopped".to_owned(), "note")),
            State::Ended(Outcome::Interrupted) => Some(again("Interrupted".to_owned(), "note")),
            State::Ended(Outcome::Failed(sentence)) => Some(again(sentence, "note note-failed")),
        }
    }
}

/// Ollama says nothing before the first token, so the time is the page's own.
#[component]
fn Waiting(since: f64, model: String) -> impl IntoView {
    let seconds = RwSignal::new(0u32);
    let tick = set_interval_with_handle(
        move || seconds.set(((clock::monotonic() - since) / 1000.0) as u32),
        Duration::from_secs(1),
    );
    on_cleanup(move || {
        if let Ok(tick) = tick {
            tick.clear();
        }
    });
    view! {
        <p class="note waiting">
            <span class="pulse"></span>
            <span>{move || match seconds.get() {
                0 => format!("Waiting for {model} …"),
                s if s < 8 => format!("Waiting for {model} … {s} s"),
                s => format!("Waiting for {model} … {s} s (a model may take a while to load)"),
            }}</span>
        </p>
    }
}
