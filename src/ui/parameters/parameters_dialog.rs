//! The dialog with the parameters.

use super::parameter_list::ParameterList;
use crate::ui::parts::Dialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The dialog with the parameters of the open chat.
#[component]
pub fn ParametersDialog() -> impl IntoView {
    let stores = use_stores();

    view! {
        <Dialog class="parameters" title="Parameters" shown=stores.view.parameters_shown>
            <ParameterList />
        </Dialog>
    }
}
