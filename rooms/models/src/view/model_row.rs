//! A row of the list of installed models.

use super::delete_question::DeleteQuestion;
use super::memory_button::MemoryButton;
use super::words::{cell, title};
use crate::{Models, SortColumn};
use leptos::html::Button;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_ui_kit::{IconButton, IconName};
use sash_view::stores::use_kernel;
use sash_wire::{EngineAction, ModelInfo, short_name};
use sash_words::t;

/// The id of the button that shows the details of a model.
pub fn details_id(model: &ModelId) -> String {
    format!("details-of-{}", model.key())
}

/// An installed model: its facts, the way to its details, *Load* or *Unload*, and *Delete*, which asks first
/// and is absent where the engine keeps its models.
#[component]
pub fn ModelRow(
    /// The model.
    model: ModelInfo,
) -> impl IntoView {
    let kernel = use_kernel();
    let models = Models::expect();
    let id = model.id();
    let of_it = StoredValue::new(id.clone());
    let delete_button = NodeRef::<Button>::new();
    let short = short_name(&model.name).to_owned();
    let can_load = model.can_chat() && !model.remote;
    let size = model.size;
    let facts = SortColumn::ALL.into_iter().skip(1).map(|column| {
        view! {
            <td role="cell" data-label=title(column) data-column=format!("{column:?}")>
                {cell(column, &model)}
            </td>
        }
    });
    let facts = facts.collect_view();
    let is_asked = Memo::new(move |_| {
        let doubtful = models.doubtful.get();
        of_it.with_value(|model| doubtful.as_ref() == Some(model))
    });
    let engine_name = id.engine.clone();
    let is_fixed = model.is_fixed;
    let can_delete = Memo::new(move |_| {
        let engine = engine_name.as_deref();
        !is_fixed && kernel.engine().can(EngineAction::Delete, engine)
    });
    let failed = model
        .failed_to_load
        .then(|| view! { <span class="models-hint">{t!(models.load_failed)}</span> });
    let engine = move || {
        let name = kernel.engine().shown_name(id.engine.as_deref())?;
        let words = t!(models.on_engine, name = &name);
        Some(view! { <span class="models-hint">{words}</span> })
    };
    let cloud = model
        .remote
        .then(|| view! { <span class="models-hint">{t!(models.cloud_leaves_this_machine)}</span> });

    view! {
        <tr role="row" class="model-row">
            <th role="rowheader" scope="row">
                <button
                    type="button"
                    class="link"
                    id=of_it.with_value(details_id)
                    on:click=move |_| of_it.with_value(|model| models.show(model))
                >
                    {short.clone()}
                </button>
                {engine}
                {cloud}
                {failed}
            </th>
            {facts}
            <td role="cell" class="model-actions">
                <MemoryButton model=of_it.get_value() can_load />
                <Show when=move || can_delete.get()>
                    <IconButton
                        label=t!(models.delete_model, short = &short)
                        icon=IconName::Trash
                        button_ref=delete_button
                        on:click=move |_| models.doubtful.set(Some(of_it.get_value()))
                    />
                </Show>
            </td>
        </tr>
        <Show when=move || is_asked.get()>
            <tr role="row" class="model-question">
                <td role="cell" colspan=(SortColumn::ALL.len() + 1).to_string()>
                    <DeleteQuestion model=of_it.get_value() size asked_by=delete_button />
                </td>
            </tr>
        </Show>
    }
}
