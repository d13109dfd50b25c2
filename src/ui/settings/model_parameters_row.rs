//! The parameters of one model.

use crate::ui::parts::model_title;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_wire::parameter_text;

/// The parameters of one model, and the way back to the defaults.
#[component]
pub fn ModelParametersRow(
    /// The model's key.
    model: String,
) -> impl IntoView {
    let stores = use_stores();
    let name = model_title(stores.engine, &ModelId::from(model.as_str()));
    let label = format!("Reset the parameters of {name}");
    let model = StoredValue::new(model);
    let values = move || {
        let all =
            model.with_value(|key| stores.steering.parameters_of(&ModelId::from(key.as_str())));
        let words = all
            .iter()
            .map(|(name, value)| format!("{name} {}", parameter_text(value)));
        words.collect::<Vec<_>>().join(", ")
    };
    let reset = move |_| model.with_value(|model| stores.steering.reset_model(model));

    view! {
        <li>
            <strong>{name}</strong>
            <code>{values}</code>
            <button type="button" class="link" aria-label=label on:click=reset>
                "Reset"
            </button>
        </li>
    }
}
