//! Parameters that have no field of their own, by name.

use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_wire::{RUNNER_OPTIONS, parameter_text, parse_other_parameter};
use sash_words::t;
use web_sys::SubmitEvent;

/// The parameters that have no field of their own, and a form that adds one by its name.
#[component]
pub fn OtherParameters() -> impl IntoView {
    let (engine, steering) = (use_kernel().engine(), use_kernel().steering());
    let names = Memo::new(move |_| steering.other_parameters());
    let (name, value) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let error = RwSignal::new(None::<String>);
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        let written = name.get_untracked().trim().to_owned();
        match value.with_untracked(|value| parse_other_parameter(&written, value)) {
            Ok(_) if !untrack(|| steering.accepts(&written)) => {
                let words = t!(parameters.engine_lacks_parameter, written = &written);
                error.set(Some(words));
            }
            Ok(parsed) => {
                steering.set_parameter(&written, Some(parsed));
                name.set(String::new());
                value.set(String::new());
                error.set(None);
            }
            Err(why) => error.set(Some(why)),
        }
    };

    let hint = move || {
        let model = steering.model.get().unwrap_or_default();
        match engine
            .parameters(model.engine.as_deref())
            .map(|taken| taken.join(", "))
        {
            Some(list) => t!(parameters.engine_parameters, list = list),
            None => t!(parameters.other_options_hint).to_owned(),
        }
    };

    view! {
        <For each=move || names.get() key=String::clone let:name>
            <OtherParameter name />
        </For>
        <li class="parameter-other">
            <form on:submit=add aria-label=t!(parameters.another_parameter)>
                <input
                    type="text"
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    aria-label=t!(parameters.name_label)
                    placeholder=t!(parameters.another_by_name)
                    bind:value=name
                />
                <input
                    type="text"
                    autocomplete="off"
                    aria-label=t!(parameters.value_label)
                    placeholder=t!(parameters.value)
                    bind:value=value
                />
                <button type="submit">{t!(parameters.set)}</button>
            </form>
            <p class="hint-line">
                {hint}
                <span role="alert" class="parameter-error">
                    {move || error.get().map(|why| format!(" {why}"))}
                </span>
            </p>
        </li>
    }
}

/// A parameter without a field of its own: its value, and a button that removes it.
#[component]
fn OtherParameter(
    /// Its name.
    name: String,
) -> impl IntoView {
    let steering = use_kernel().steering();
    let name = StoredValue::new(name);
    let own = Memo::new(move |_| name.with_value(|name| steering.parameter(name)));
    let of_model = Memo::new(move |_| name.with_value(|name| steering.model_parameter(name)));
    // Of the runner's options all chats with the model have the same value.
    let is_runners = name.with_value(|name| RUNNER_OPTIONS.contains(&name.as_str()));
    let text = move || {
        let value = own.get().or_else(|| of_model.get());
        value.as_ref().map(parameter_text)
    };

    view! {
        <li class="parameter">
            <span class="parameter-name">{name.get_value()}</span>
            <code>{text}</code>
            <Show
                when=move || is_runners || own.with(Option::is_some)
                fallback=|| view! { <span class="hint-line">{t!(parameters.for_all_chats)}</span> }
            >
                <button
                    type="button"
                    class="link"
                    aria-label=t!(common.reset_named, name = name.get_value())
                    on:click=move |_| name.with_value(|name| steering.set_parameter(name, None))
                >
                    {t!(common.reset)}
                </button>
            </Show>
        </li>
    }
}
