//! What a screen reader hears.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The two regions that a screen reader reads out, status and alert. They are always there; tokens never touch
/// them.
#[component]
pub fn Announcer() -> impl IntoView {
    let stores = use_stores();

    view! {
        <div>
            <div role="status" class="visually-hidden">
                {move || stores.notices.status.get()}
            </div>
            <div role="alert" class="visually-hidden">
                {move || stores.notices.alert.get()}
            </div>
        </div>
    }
}
