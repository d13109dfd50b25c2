//! A setting with a few values.

use leptos::prelude::*;
use web_sys::Event;

/// A setting with a few values: its name and a select.
#[component]
pub fn ChoiceField(
    /// The id of the select.
    id: &'static str,
    /// The name of the setting.
    label: &'static str,
    /// The values, each with its words.
    #[prop(into)]
    choices: Signal<Vec<(String, String)>>,
    /// The present value.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the value that the person chooses.
    on_choose: impl Fn(String) + 'static,
) -> impl IntoView {
    let options = move || {
        let now = value.get();
        choices
            .get()
            .into_iter()
            .map(move |(choice, words)| {
                let selected = choice == now;
                view! {
                    <option value=choice selected=selected>
                        {words}
                    </option>
                }
            })
            .collect_view()
    };

    view! {
        <div class="setting">
            <label for=id>{label}</label>
            <select
                id=id
                prop:value=move || value.get()
                on:change=move |event: Event| on_choose(event_target_value(&event))
            >
                {options}
            </select>
        </div>
    }
}
