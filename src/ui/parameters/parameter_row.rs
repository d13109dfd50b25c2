//! The field of one parameter.

use super::parameter_field::ParameterField;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::{Parameter, parameter_text};

/// The field of one parameter of the open chat.
#[component]
pub fn ParameterRow(
    /// The parameter.
    parameter: &'static Parameter,
) -> impl IntoView {
    let stores = use_stores();
    let name = parameter.name;
    let of_model = Memo::new(move |_| stores.steering.model_parameter(name));
    let of_file = Memo::new(move |_| {
        let model = stores.steering.model.get()?;
        stores.engine.default_of(&model, name)
    });
    // Only Ollama’s own defaults are known.
    let is_ollama = Memo::new(move |_| {
        let model = stores.steering.model.get().unwrap_or_default();
        stores.engine.parameters(model.engine.as_deref()).is_none()
    });
    let value = Memo::new(move |_| {
        let own = stores.steering.parameter(name);
        own.as_ref().map(parameter_text)
    });
    let placeholder = move || match of_model.get() {
        Some(value) => format!("{} (in all chats with this model)", parameter_text(&value)),
        None => match of_file.get() {
            Some(value) => format!("{} by default for this model", value.replace('\n', ", ")),
            None if is_ollama.get() => format!("{} by default", parameter.default),
            None => "The engine’s default".to_owned(),
        },
    };
    let on_change = move |text: &str| {
        let value = parameter.parse(text)?;
        stores.steering.set_parameter(name, value);
        Ok(())
    };

    view! {
        <ParameterField
            name
            note=parameter.note
            is_list=parameter.is_list()
            value
            placeholder=Signal::derive(placeholder)
            on_change
        />
    }
}
