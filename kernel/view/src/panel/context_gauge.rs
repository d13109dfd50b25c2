//! The gauge of the context: how full the next request makes it, and how close it is to Sash's limits.

use super::context_meter::ContextMeter;
use super::{context_words, fit_words, limit_words};
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::window::FirstMessageRule;
use sash_words::{count::grouped, t};

/// The meter of the context with its text, and what was learnt about this model.
#[component]
pub fn ContextGauge() -> impl IntoView {
    let kernel = use_kernel();
    let limits = Memo::new(move |_| limit_words(kernel));

    view! {
        <div class="gauge" data-fit=move || fit_words(kernel.steering().fit.get().0).0>
            <Show when=move || kernel.steering().context.get().is_some()>
                <ContextMeter />
            </Show>
            <p>{move || context_words(kernel)}</p>
            <Show when=move || kernel.steering().given_context().is_some()>
                <GivenContext />
            </Show>
            <Show when=move || kernel.steering().opening.get() == FirstMessageRule::Question>
                <QuestionFirst />
            </Show>
            <ShowLet some=limits let:words>
                <p class="limits">{words}</p>
            </ShowLet>
        </div>
    }
}

/// Says that the person set a context length for this model; it is sent with every request until it is
/// removed here.
#[component]
fn GivenContext() -> impl IntoView {
    let kernel = use_kernel();
    let given = move || grouped(kernel.steering().given_context().unwrap_or_default());

    view! {
        <p>
            {move || t!(panel.context_set_by_you, given = given())}
            <button type="button" class="link" on:click=move |_| kernel.steering().clear_context()>
                {t!(panel.reset_context)}
            </button>
        </p>
    }
}

/// Says that the model's chat template requires a question first. This applies to all chats with this model
/// until it is revoked here.
#[component]
fn QuestionFirst() -> impl IntoView {
    let kernel = use_kernel();

    view! {
        <p>
            {t!(panel.model_wants_question_first)}
            <button type="button" class="link" on:click=move |_| kernel.steering().exclude_question()>
                {t!(panel.drop_question_before)}
            </button>
        </p>
    }
}
