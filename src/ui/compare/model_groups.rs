//! The installed models by engine.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::SettingsStoreFields;
use sash_state::models::models_to_choose;
use sash_wire::ModelInfo;

/// The models, those used last first, under the name of their engine where there are several.
#[component]
pub fn ModelGroups<F, V>(
    /// A row of the list, by its model.
    row: F,
) -> impl IntoView
where
    F: Fn(ModelInfo) -> V + Copy + Send + 'static,
    V: IntoView + 'static,
{
    let stores = use_stores();
    let groups = Memo::new(move |_| {
        let recent = stores.settings.current.recent_models().get();
        let models = stores.engine.models;
        let models = models.with(|models| models_to_choose(models, &recent, ""));
        let mut groups: Vec<(Option<String>, Vec<ModelInfo>)> = Vec::new();
        for model in models {
            match groups
                .iter_mut()
                .find(|(engine, _)| *engine == model.engine)
            {
                Some((_, models)) => models.push(model),
                None => groups.push((model.engine.clone(), vec![model])),
            }
        }
        groups
    });
    let group = move |(engine, models): (Option<String>, Vec<ModelInfo>)| {
        let title = stores.engine.shown_name(engine.as_deref());
        let rows = models
            .into_iter()
            .map(|model| view! { <li>{row(model)}</li> });
        view! {
            {title.map(|title| view! { <h3>{title}</h3> })}
            <ul>{rows.collect_view()}</ul>
        }
    };

    move || groups.get().into_iter().map(group).collect_view()
}
