//! How full the next request makes the model's context, and how close it is to Sash's limits.

use super::context_meter::ContextMeter;
use super::{fit_words, limit_words};
use crate::ui::parts::{grouped, plural};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::window::FirstMessageRule;

/// The meter of the context with its text, and what was learnt about this model.
#[component]
pub fn ContextGauge() -> impl IntoView {
    let stores = use_stores();
    let words = move || {
        let (fit, tokens) = stores.steering.fit.get();
        let Some(context) = stores.steering.context.get() else {
            return format!(
                "About {}. The model is not loaded yet, so how much it has room for is not known.",
                plural(tokens as usize, "token")
            );
        };
        let sum = format!("About {} of {} tokens", grouped(tokens), grouped(context));
        match fit_words(fit) {
            (_, "") => sum,
            (_, warning) => format!("{sum}: {warning}"),
        }
    };
    let limits = Memo::new(move |_| limit_words(stores));

    view! {
        <div class="gauge" data-fit=move || fit_words(stores.steering.fit.get().0).0>
            <Show when=move || stores.steering.context.get().is_some()>
                <ContextMeter />
            </Show>
            <p>{words}</p>
            <Show when=move || stores.steering.given_context().is_some()>
                <GivenContext />
            </Show>
            <Show when=move || stores.steering.opening.get() == FirstMessageRule::Question>
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
    let stores = use_stores();
    let given = move || grouped(stores.steering.given_context().unwrap_or_default());

    view! {
        <p>
            {move || format!("You gave this model a context of {} tokens. ", given())}
            <button type="button" class="link" on:click=move |_| stores.steering.leave_context()>
                "Leave it to Ollama again"
            </button>
        </p>
    }
}

/// Says that the model's chat template requires a question first. This applies to all chats with this model
/// until it is revoked here.
#[component]
fn QuestionFirst() -> impl IntoView {
    let stores = use_stores();

    view! {
        <p>
            "This model wants a question first. Where the rule begins with an answer, the question before goes along. "
            <button type="button" class="link" on:click=move |_| stores.steering.leave_question_out()>
                "Leave it out again"
            </button>
        </p>
    }
}
