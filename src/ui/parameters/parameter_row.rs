//! The field of one parameter.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::{Parameter, parameter_text};
use web_sys::Event;

/// The field of one parameter: what it does, its value in this chat, and the way back to the default.
#[component]
pub fn ParameterRow(
    /// The parameter.
    parameter: &'static Parameter,
) -> impl IntoView {
    let stores = use_stores();
    let name = parameter.name;
    let own = Memo::new(move |_| stores.steering.parameter(name));
    let of_model = Memo::new(move |_| stores.steering.model_parameter(name));
    let error = RwSignal::new(None::<String>);
    let (id, hint) = (
        format!("parameter-{name}"),
        format!("parameter-{name}-hint"),
    );
    let text = move || own.get().as_ref().map(parameter_text).unwrap_or_default();
    let placeholder = move || match of_model.get() {
        Some(value) => format!("{} (in all chats with this model)", parameter_text(&value)),
        None => format!("{} by default", parameter.default),
    };
    let on_change = move |event: Event| match parameter.parse(&event_target_value(&event)) {
        Ok(value) => {
            // A field that is removed with focus is changed afterwards: the signal may be gone by then.
            _ = error.try_set(None);
            stores.steering.set_parameter(name, value);
        }
        Err(why) => _ = error.try_set(Some(why)),
    };
    let reset = move |_| {
        error.set(None);
        stores.steering.set_parameter(name, None);
    };
    let invalid = move || error.with(Option::is_some).then_some("true");
    let described_by = hint.clone();
    let field = match parameter.is_list() {
        true => view! {
            <textarea
                id=id.clone()
                rows="2"
                aria-describedby=described_by
                aria-invalid=invalid
                placeholder=placeholder
                prop:value=text
                on:change=on_change
            />
        }
        .into_any(),
        false => view! {
            <input
                id=id.clone()
                type="text"
                autocomplete="off"
                aria-describedby=described_by
                aria-invalid=invalid
                placeholder=placeholder
                prop:value=text
                on:change=on_change
            />
        }
        .into_any(),
    };

    view! {
        <li class="parameter">
            <label for=id>{name}</label>
            {field}
            <Show when=move || own.with(Option::is_some)>
                <button
                    type="button"
                    class="link"
                    aria-label=format!("Reset {name} to the default")
                    on:click=reset
                >
                    "Reset"
                </button>
            </Show>
            <p id=hint class="hint-line">
                {parameter.note}
                <span role="alert" class="parameter-error">
                    {move || error.get().map(|why| format!(" {why}"))}
                </span>
            </p>
        </li>
    }
}
