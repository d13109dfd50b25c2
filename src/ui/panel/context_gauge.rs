//! How full the next request makes the model's context, and how close it is to Sash's limits.

use super::context_meter::ContextMeter;
use super::given_context::GivenContext;
use super::question_first::QuestionFirst;
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
