//! The fields of the parameters, and what can be done with all of them.

use super::answer_format_field::AnswerFormatField;
use super::context_row::ContextRow;
use super::other_parameters::OtherParameters;
use super::parameter_row::ParameterRow;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::{NUM_CTX, PARAMETERS, short_name};

/// The fields of the parameters, and what can be done with all of them.
#[component]
pub fn ParameterList() -> impl IntoView {
    let stores = use_stores();
    let model = move || {
        let model = stores.steering.model.get();
        model.map_or_else(
            || "this model".to_owned(),
            |model| short_name(&model.name).to_owned(),
        )
    };
    let has_own = move || {
        stores
            .chats
            .open
            .with(|chat| !chat.head.settings.parameters.is_empty())
    };
    let share = move |_| {
        stores.steering.share_parameters();
        stores
            .notices
            .announce("Saved for all chats with this model");
    };
    let reset = move |_| {
        stores.steering.reset_parameters();
        stores
            .notices
            .announce("All parameters are the defaults again");
    };

    view! {
        <p class="hint-line">
            "How the model writes in this chat. Only what is set here is sent; an empty field leaves the value to the model."
        </p>
        <AnswerFormatField />
        <ul class="parameter-list">
            {PARAMETERS
                .iter()
                .map(|parameter| {
                    // What the engine does not take is not offered for its models.
                    view! {
                        <Show when=move || stores.steering.takes(parameter.name)>
                            <ParameterRow parameter />
                        </Show>
                    }
                })
                .collect_view()}
            <Show when=move || stores.steering.takes(NUM_CTX)>
                <ContextRow />
            </Show>
            <OtherParameters />
        </ul>
        <div class="parameters-all">
            <button type="button" on:click=share disabled=move || !has_own()>
                {move || format!("Use in all chats with {}", model())}
            </button>
            <button
                type="button"
                on:click=reset
                disabled=move || stores.steering.count_parameters() == 0
            >
                "Reset all to the defaults"
            </button>
        </div>
    }
}
