//! The figures below an answer: its tokens, how fast they came, and how long it took. Once it has ended they open its
//! receipt.

use super::message_state::MessageState;
use crate::receipt_facts::seconds;
use crate::stores::use_kernel;
use leptos::either::Either;
use leptos::prelude::*;
use leptos_use_interval_fn::use_interval_fn;
use sash_stores::AnswerFigures;
use sash_words::{
    count::{self, grouped},
    t,
};

/// How often the figures of a running answer are read, in milliseconds.
const TICK_MS: u64 = 500;

/// The figures of an answer that is being written.
#[component]
pub fn RunningFigures() -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let now = move || untrack(|| kernel.answers().figures_of(id));
    let figures = RwSignal::new(now());
    let tick = move || _ = figures.try_set(now());
    use_interval_fn(tick, TICK_MS);

    view! { <span class="figures">{move || figures.get().map(words)}</span> }
}

/// The figures of an answer that has ended, as a button that opens its receipt, if it has one. Empty where nothing is
/// known. Tab passes it by: the menu before it opens the receipt too, and each answer would be a stop longer.
#[component]
pub fn Figures() -> impl IntoView {
    let kernel = use_kernel();
    let message = MessageState::expect();
    let id = message.id;
    // Another tab may go on with an interrupted answer.
    let figures = Memo::new(move |_| {
        message.state.track();
        message.receipt.track();
        kernel.answers().figures_of(id)
    });
    let has_receipt = Memo::new(move |_| message.receipt.with(Option::is_some));
    move || {
        let words = words(figures.get()?);
        Some(match has_receipt.get() {
            false => Either::Left(view! { <span class="figures">{words}</span> }),
            true => Either::Right(view! {
                <button
                    type="button"
                    class="figures"
                    tabindex="-1"
                    title=t!(common.answer_details)
                    aria-expanded=move || message.receipt_shown.get().to_string()
                    on:click=move |_| message.toggle_receipt(kernel.view())
                >
                    {words}
                </button>
            }),
        })
    }
}

/// "49 tokens · 8/s · 6.0 s", as far as it is known; a narrow page leaves out the speed, a narrower one the time.
fn words(figures: AnswerFigures) -> impl IntoView {
    let tokens = count::tokens(figures.tokens as usize);
    let tokens = match figures.is_estimated {
        true => t!(common.about_tokens, tokens = &tokens),
        false => tokens,
    };
    let speed = figures.speed.map(|speed| {
        let speed = t!(transcript.per_second, number = grouped(speed));
        view! { <span class="figures-speed">" · "<bdi>{speed}</bdi></span> }
    });
    let time = figures.ms.map(|ms| {
        view! { <span class="figures-time">" · "<bdi>{seconds(ms)}</bdi></span> }
    });

    view! { <bdi>{tokens}</bdi> {speed} {time} }
}
