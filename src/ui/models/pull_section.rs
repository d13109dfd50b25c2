//! The pulls.

use crate::ui::ollama::{PullFault, PullNameForm, PullProgress};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::PullState;
use sash_wire::Fault;
use sash_words::t;

/// The form for a name, and all pulls that are not complete.
#[component]
pub fn PullSection() -> impl IntoView {
    let pulls = use_stores().pulls;
    let names = Memo::new(move |_| {
        let names = |all: &Vec<PullState>| {
            let names = all.iter().map(|pull| pull.model.clone());
            names.collect::<Vec<_>>()
        };
        pulls.all.with(names)
    });
    let refused = RwSignal::new(None::<Fault>);
    let hint = move || {
        refused
            .with(|fault| fault.as_ref().map(Fault::to_string))
            .unwrap_or_else(|| t!(models.by_its_name_in_ollamas_library).to_owned())
    };

    view! {
        <section aria-labelledby="pull-section-title">
            <h3 id="pull-section-title">{t!(common.pull)}</h3>
            <PullNameForm
                label=t!(models.name_of_a_model_to_pull)
                hint_id="pull-hint"
                refused
                start=move |model| pulls.start(model)
            />
            <p class="models-hint" id="pull-hint" role="status">
                {hint}
            </p>
            <ul class="pulls">
                <For each=move || names.get() key=Clone::clone let:model>
                    <PullRow model />
                </For>
            </ul>
        </section>
    }
}

/// A pull with its bars, why it failed, and the buttons that stop, resume and remove it.
#[component]
fn PullRow(
    /// The name of the model.
    model: String,
) -> impl IntoView {
    let pulls = use_stores().pulls;
    let name = StoredValue::new(model.clone());
    let is_active =
        Memo::new(move |_| name.with_value(|name| pulls.with(name, PullState::is_active)));
    let fault =
        Memo::new(move |_| name.with_value(|name| pulls.with(name, |p| p.fault().cloned())));
    let can_resume =
        Memo::new(move |_| name.with_value(|name| pulls.with(name, PullState::can_resume)));
    let words = move || match is_active.get() {
        true => t!(common.stop),
        false => t!(models.resume),
    };
    let toggle = move |_| {
        name.with_value(|name| match is_active.get_untracked() {
            true => pulls.stop(name),
            // The name was checked when it was first asked for, or is refused by the server.
            false => _ = pulls.start(name),
        });
    };

    view! {
        <li class="pull">
            <PullProgress model=model.clone() />
            <ShowLet some=fault let:fault>
                <PullFault fault />
            </ShowLet>
            <div class="panel-buttons">
                <Show when=move || is_active.get() || can_resume.get()>
                    <button
                        type="button"
                        aria-label=move || name.with_value(|name| format!("{} {name}", words()))
                        on:click=toggle
                    >
                        {words}
                    </button>
                </Show>
                <Show when=move || !is_active.get()>
                    <button
                        type="button"
                        aria-label=name.with_value(|name| t!(models.remove, name = &name))
                        on:click=move |_| name.with_value(|name| pulls.remove(name))
                    >
                        {t!(common.remove)}
                    </button>
                </Show>
            </div>
        </li>
    }
}
