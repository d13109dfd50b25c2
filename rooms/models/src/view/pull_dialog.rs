//! Pulls a model by its name: in a dialog, and where no model is installed.

use super::pull_row::{PullFault, PullProgress};
use crate::Pulls;
use leptos::prelude::*;
use sash_ui_kit::{DialogFrame, DialogWidth};
use sash_view::stores::use_kernel;
use sash_wire::Fault;
use sash_words::t;
use web_sys::SubmitEvent;

/// The id of the hint of a form.
const HINT_ID: &str = "pull-hint";

/// The dialog that pulls a model, opened from the model picker. It closes when the pull is complete.
#[component]
pub fn PullDialog() -> impl IntoView {
    let shown = Pulls::expect().asked;

    view! {
        <DialogFrame
            class="pull-dialog"
            title_id="pull-title"
            title=t!(models.pull_a_model)
            width=DialogWidth::Narrow
            shown
            on_close=move || shown.set(false)
        >
            <div class="dialog-body">
            <p>
                {t!(models.pull_name_intro)}
                <code>{t!(models.example_model)}</code>
                " "
                <code>{t!(models.qwen3_4b)}</code>
                " "
                <code>{t!(models.hugging_face_name)}</code>
                " "
            </p>
            <Show when=move || shown.get()>
                <PullForm />
            </Show>
            </div>
        </DialogFrame>
    }
}

/// The form for the model's name, then the progress of the pull. Once it is installed, the open chat takes
/// the model.
#[component]
pub fn PullForm(
    /// The name that the form begins with.
    #[prop(optional)]
    first: &'static str,
) -> impl IntoView {
    let pulls = Pulls::expect();
    let active = Memo::new(move |_| pulls.latest_active());

    view! {
        <div class="pull-place">
            <Show when=move || active.with(Option::is_none)>
                <PullNameForm label=t!(models.model_name) chooses=true first />
            </Show>
            <For each=move || active.get() key=Clone::clone let:model>
                <div class="pull">
                    <PullProgress model=model.clone() />
                    <button type="button" on:click=move |_| pulls.stop(&model)>
                        {t!(models.stop_pulling)}
                    </button>
                </div>
            </For>
        </div>
    }
}

/// The form for the name of a model to pull. A name that is refused stays in the field.
#[component]
pub fn PullNameForm(
    /// The field's accessible name.
    label: &'static str,
    /// Whether the open chat takes the model.
    chooses: bool,
    /// What is said of names, until one is refused. Without it the form says why the pull failed that was asked for last.
    #[prop(optional)]
    hint: Option<Signal<String>>,
    /// The name that the form begins with.
    #[prop(optional)]
    first: &'static str,
) -> impl IntoView {
    let (chats, pulls) = (use_kernel().chats(), Pulls::expect());
    let name = RwSignal::new(first.to_owned());
    let refused = RwSignal::new(None::<Fault>);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let model = name.with_untracked(|name| name.trim().to_owned());
        if model.is_empty() {
            return;
        }
        let chat = chooses.then(|| chats.open_id_untracked());
        let started = pulls.start(pulls.named(&model), chat);
        if started.is_ok() {
            name.set(String::new());
        }
        refused.set(started.err());
    };
    let is_invalid = move || hint.is_some() && refused.with(Option::is_some);
    let words = move |hint: Signal<String>| {
        let refused = refused.with(|fault| fault.as_ref().map(Fault::to_string));
        refused.unwrap_or_else(|| hint.get())
    };
    let fault = Memo::new(move |_| refused.get().or_else(|| pulls.latest_fault()));
    let below = match hint {
        Some(hint) => view! {
            <p class="models-hint" id=HINT_ID role="status">
                {move || words(hint)}
            </p>
        }
        .into_any(),
        None => view! {
            <ShowLet some=fault let:fault>
                <PullFault fault />
            </ShowLet>
        }
        .into_any(),
    };

    view! {
        <form class="field-row" on:submit=submit>
            <input
                aria-label=label
                aria-describedby=hint.map(|_| HINT_ID)
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
        {below}
    }
}
