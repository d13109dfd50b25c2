//! The form for the name of a model to pull.

use leptos::prelude::*;
use sash_wire::Fault;
use sash_words::t;
use web_sys::SubmitEvent;

/// The form for the name of a model to pull. A name that is refused stays in the field; the reason is shown by
/// the component around the form.
#[component]
pub fn PullNameForm(
    /// The field's accessible name.
    label: &'static str,
    /// The id of the hint that says why a name was refused. With a hint, a refused name makes the field invalid.
    #[prop(optional)]
    hint_id: Option<&'static str>,
    /// Why the last name was refused.
    refused: RwSignal<Option<Fault>>,
    /// Starts the pull of a model.
    start: impl Fn(&str) -> Result<(), Fault> + 'static,
) -> impl IntoView {
    let name = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let model = name.with_untracked(|name| name.trim().to_owned());
        if model.is_empty() {
            return;
        }
        let started = start(&model);
        if started.is_ok() {
            name.set(String::new());
        }
        refused.set(started.err());
    };
    let is_invalid = move || hint_id.is_some() && refused.with(Option::is_some);

    view! {
        <form class="field-row" on:submit=submit>
            <input
                aria-label=label
                aria-describedby=hint_id
                aria-invalid=move || is_invalid().then_some("true")
                placeholder=t!(models.example_model)
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                bind:value=name
            />
            <button class="primary" type="submit">
                {t!(common.pull)}
            </button>
        </form>
    }
}
