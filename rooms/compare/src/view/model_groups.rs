//! The installed models by engine.

use leptos::prelude::*;
use sash_stores::{SettingsStoreFields, models_to_choose};
use sash_view::stores::use_kernel;
use sash_wire::ModelInfo;
use sash_words::t;

/// The models, those used last first, under the name of their engine where there are several; behind them those of the
/// engines that do not answer.
#[component]
pub fn ModelGroups<F, V>(
    /// A row of the list, by its model and whether the engine of that does not answer.
    row: F,
) -> impl IntoView
where
    F: Fn(ModelInfo, bool) -> V + Copy + Send + 'static,
    V: IntoView + 'static,
{
    let kernel = use_kernel();
    let engine = kernel.engine();
    let groups = Memo::new(move |_| {
        let recent = kernel.settings().current.recent_models().get();
        let models = engine.models;
        let models = models.with(|models| models_to_choose(models, &recent, ""));
        let away = models_to_choose(&engine.away_models(), &recent, "");
        let mut groups: Vec<(Option<String>, Vec<ModelInfo>)> = Vec::new();
        for model in models.into_iter().chain(away) {
            match groups
                .iter_mut()
                .find(|(engine, _)| *engine == model.engine)
            {
                Some((_, models)) => models.push(model),
                None => groups.push((model.engine.clone(), vec![model])),
            }
        }
        let named = groups.into_iter().map(|(of_engine, models)| {
            let is_away = engine.is_away(of_engine.as_deref());
            (engine.shown_name(of_engine.as_deref()), is_away, models)
        });
        let unknown = engine.away_without_models().into_iter();
        let unknown = unknown.map(|name| (Some(name), true, Vec::new()));
        named.chain(unknown).collect::<Vec<_>>()
    });
    let group = move |(title, is_away, models): (Option<String>, bool, Vec<ModelInfo>)| {
        let note = is_away.then(|| {
            view! { <span class="count">" · " {t!(common.not_reachable)}</span> }
        });
        let has_rows = !models.is_empty();
        let rows = models
            .into_iter()
            .map(|model| view! { <li>{row(model, is_away)}</li> });
        let rows = rows.collect_view();
        view! {
            {title.map(|title| view! { <h3>{title} {note}</h3> })}
            {has_rows.then(|| view! { <ul>{rows}</ul> })}
        }
    };

    move || groups.get().into_iter().map(group).collect_view()
}
