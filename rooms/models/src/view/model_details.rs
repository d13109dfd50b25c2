//! The details of a model.

use super::delete_question::DeleteQuestion;
use super::memory_button::MemoryButton;
use super::model_row::details_id;
use super::words::{cell, title};
use crate::{Models, SortColumn};
use leptos::html::{Button, H3};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::ModelId;
use sash_view::parts::failed_note;
use sash_view::stores::use_kernel;
use sash_wire::{EngineAction, ModelDetails};
use sash_words::t;

/// The facts and the texts of a model, read-only, and what can be done with it.
#[component]
pub fn ModelDetailsView(
    /// The model.
    model: ModelId,
) -> impl IntoView {
    let (kernel, models) = (use_kernel(), Models::expect());
    let of_it = StoredValue::new(model.clone());
    // Behind an address the details are there before the list.
    let info = Memo::new(move |_| {
        of_it
            .with_value(|model| models.info(model))
            .unwrap_or_default()
    });
    let can_delete = Memo::new(move |_| {
        let engine = of_it.with_value(|model| model.engine.clone());
        let is_fixed = info.with(|info| info.is_fixed);
        !is_fixed && kernel.engine().can(EngineAction::Delete, engine.as_deref())
    });
    let can_load = Signal::derive(move || info.with(|info| info.can_chat() && !info.remote));
    let facts = SortColumn::ALL.into_iter().skip(1).map(|column| {
        view! {
            <div>
                <dt>{title(column)}</dt>
                <dd>{move || info.with(|info| cell(column, info))}</dd>
            </div>
        }
    });
    let facts = facts.collect_view();
    let details = LocalResource::new(move || models.details(of_it.get_value()));
    let is_asked = move || of_it.with_value(|model| models.doubtful.get().as_ref() == Some(model));
    let back = move |_| {
        models.show_all();
        page::focus_id_soon(of_it.with_value(details_id));
    };
    let (heading, delete_button) = (NodeRef::<H3>::new(), NodeRef::<Button>::new());
    page::focus_on_load(heading);

    view! {
        <section class="model-details" aria-labelledby="model-name">
            <button type="button" class="link" on:click=back>
                {t!(models.all_models)}
            </button>
            <h3 id="model-name" node_ref=heading tabindex="-1">
                {model.name.clone()}
            </h3>
            <dl class="model-facts">{facts}</dl>
            <div class="model-actions">
                <MemoryButton model can_load />
                <Show when=move || can_delete.get()>
                    <button
                        type="button"
                        class="danger"
                        node_ref=delete_button
                        on:click=move |_| models.doubtful.set(Some(of_it.get_value()))
                    >
                        {t!(common.delete_question)}
                    </button>
                </Show>
            </div>
            <Show when=is_asked>
                <DeleteQuestion
                    model=of_it.get_value()
                    size=info.with(|info| info.size)
                    asked_by=delete_button
                />
            </Show>
            <ErrorBoundary fallback=failed_note>
                <Suspense fallback=|| {
                    view! { <p>{t!(common.asking_ollama)}</p> }
                }>{move || details.get().map(|details| details.map(details_view))}</Suspense>
            </ErrorBoundary>
        </section>
    }
}

/// The texts of a model.
fn details_view(details: ModelDetails) -> impl IntoView {
    view! {
        <div>
            <DetailsText title=t!(models.template) text=details.template />
            <DetailsText title=t!(common.system_prompt) text=details.system />
            <DetailsText title=t!(common.parameters) text=details.parameters />
            <DetailsText title=t!(models.licence) text=details.license />
            <DetailsText title=t!(models.modelfile) text=details.modelfile />
        </div>
    }
}

/// A text of a model, folded; a line that says so if there is none.
#[component]
fn DetailsText(
    /// Its title.
    title: &'static str,
    /// The text.
    text: String,
) -> impl IntoView {
    let is_empty = text.trim().is_empty();

    view! {
        <Show
            when=move || !is_empty
            fallback=move || view! { <p class="models-hint details-none">{title} {t!(models.none)}</p> }
        >
            <details class="details-text">
                <summary>{title}</summary>
                <pre tabindex="0" role="group" aria-label=title>
                    {text.clone()}
                </pre>
            </details>
        </Show>
    }
}
