//! The page of models.

use super::installed_list::InstalledList;
use super::loaded_models::LoadedModels;
use super::model_details::ModelDetailsView;
use super::problem_note::ProblemNote;
use super::pull_section::PullSection;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The page of models: the details of one, or what is loaded, pulled and installed. It asks Ollama while it
/// is shown.
#[component]
pub fn ModelsPage() -> impl IntoView {
    let stores = use_stores();
    let models = stores.models;
    models.begin();
    on_cleanup(move || models.end());
    Effect::new(move |before: Option<u32>| {
        let completed = stores.pulls.completed.get();
        if before.is_some_and(|before| before != completed) {
            models.refresh();
        }
        completed
    });
    let open = Memo::new(move |_| {
        models
            .open
            .with(|open| open.as_ref().map(|open| open.model.clone()))
    });

    view! {
        <ProblemNote />
        <For each=move || open.get() key=Clone::clone let:model>
            <ModelDetailsView model />
        </For>
        <Show when=move || open.with(Option::is_none)>
            <LoadedModels />
            <PullSection />
            <InstalledList />
        </Show>
    }
}
