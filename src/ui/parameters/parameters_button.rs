//! The button that opens the parameters.

use crate::ui::parts::{IconButton, IconName, plural};
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// Opens the parameters of the open chat; its title says how many are set.
#[component]
pub fn ParametersButton() -> impl IntoView {
    let stores = use_stores();
    let count = Memo::new(move |_| stores.steering.count_parameters());
    let title = move || match count.get() {
        0 => "Parameters of the model".to_owned(),
        set => format!("Parameters of the model: {} set", plural(set, "value")),
    };

    view! {
        <IconButton
            label="Parameters"
            icon=IconName::Sliders
            attr:id="parameters-button"
            attr:aria-haspopup="dialog"
            attr:title=title
            attr:data-set=move || (count.get() > 0).then_some("true")
            on:click=move |_| stores.view.parameters_shown.set(true)
        />
    }
}
