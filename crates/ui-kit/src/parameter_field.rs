//! A field for the value of a parameter.

use crate::{OtherValue, use_mirror};
use leptos::prelude::*;
use sash_words::t;
use web_sys::Event;

/// A field for the value of a parameter: its name, what it does, the value, and the way back to the default.
#[component]
pub fn ParameterField(
    /// The parameter's name.
    name: &'static str,
    /// What the parameter does.
    note: &'static str,
    /// Whether the field takes several lines, a value each.
    #[prop(optional)]
    is_list: bool,
    /// The value as text; `None` while it is the default.
    value: Memo<Option<String>>,
    /// What the field says while it is empty.
    #[prop(into)]
    placeholder: Signal<String>,
    /// Called with what was typed; an empty text asks for the default. An error is shown below the field.
    on_change: impl Fn(&str) -> Result<(), String> + 'static,
) -> impl IntoView {
    let (id, hint) = (
        format!("parameter-{name}"),
        format!("parameter-{name}-hint"),
    );
    let error = RwSignal::new(None::<String>);
    let on_change = StoredValue::new_local(on_change);
    let text = use_mirror(move || value.get().unwrap_or_default());
    let change = move |typed: &str| {
        let outcome = on_change.try_with_value(|on_change| on_change(typed));
        // What was refused stays in the field.
        if matches!(outcome, Some(Ok(()))) {
            text.settle();
        }
        // A field that is removed with focus is changed afterwards: the signal may be gone by then.
        _ = error.try_set(outcome.and_then(Result::err));
    };
    let on_change = move |event: Event| change(&event_target_value(&event));
    let on_input = move |event: Event| text.on_input(event_target_value(&event));
    let invalid = move || error.with(Option::is_some).then_some("true");
    let described_by = hint.clone();
    let field = match is_list {
        true => view! {
            <textarea
                id=id.clone()
                rows="2"
                autocomplete="off"
                aria-describedby=described_by
                aria-invalid=invalid
                placeholder=placeholder
                prop:value=move || text.text.get()
                on:input=on_input
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
                prop:value=move || text.text.get()
                on:input=on_input
                on:change=on_change
            />
        }
        .into_any(),
    };

    view! {
        <li class="parameter">
            <label for=id.clone()>{name}</label>
            {field}
            <OtherValue mirror=text id=id.clone() />
            <Show when=move || value.with(Option::is_some)>
                <button
                    type="button"
                    class="link"
                    aria-label=t!(common.reset_named, name = &name)
                    on:click=move |_| change("")
                >
                    {t!(common.reset)}
                </button>
            </Show>
            <p id=hint class="hint-line">
                {note}
                <span role="alert" class="parameter-error">
                    {move || error.get().map(|why| format!(" {why}"))}
                </span>
            </p>
        </li>
    }
}
