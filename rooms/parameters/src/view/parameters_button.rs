//! The parameters, in the header.

use leptos::prelude::*;
use sash_ui_kit::{IconButton, IconName};
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// Opens the parameters of the open chat; its title says how many are set.
#[component]
pub fn ParametersButton() -> impl IntoView {
    let kernel = use_kernel();
    let count = Memo::new(move |_| kernel.steering().count_parameters());
    let title = move || match count.get() {
        0 => t!(parameters.model_parameters).to_owned(),
        n => t!(parameters.values_set, values = count::values(n)),
    };

    view! {
        <IconButton
            label=t!(common.parameters)
            icon=IconName::Sliders
            attr:id="parameters-button"
            attr:aria-haspopup="dialog"
            attr:title=title
            attr:data-set=move || (count.get() > 0).then_some("true")
            on:click=move |_| kernel.commands().run("parameters")
        >
            <span class="button-word">{t!(common.parameters)}</span>
        </IconButton>
    }
}
