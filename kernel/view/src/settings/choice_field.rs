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

/// A setting that is one of the values of an enum.
#[component]
pub fn EnumField<T>(
    /// The id of the select.
    id: &'static str,
    /// The name of the setting.
    label: &'static str,
    /// The values.
    all: &'static [T],
    /// The value of the select for each, and its words.
    words: fn(T) -> (&'static str, &'static str),
    /// The present value.
    #[prop(into)]
    value: Signal<T>,
    /// Called with the value that the person chooses.
    on_choose: impl Fn(T) + 'static,
) -> impl IntoView
where
    T: Copy + Default + Send + Sync + 'static,
{
    let choices = all.iter().map(|choice| {
        let (value, words) = words(*choice);
        (value.to_owned(), words.to_owned())
    });
    let choices: Vec<(String, String)> = choices.collect();
    let choose = move |chosen: String| {
        let choice = all.iter().find(|choice| words(**choice).0 == chosen);
        on_choose(choice.copied().unwrap_or_default());
    };

    view! {
        <ChoiceField
            id
            label
            choices
            value=Signal::derive(move || words(value.get()).0.to_owned())
            on_choose=choose
        />
    }
}
