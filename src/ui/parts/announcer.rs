//! What a screen reader hears.

use crate::ui::app::use_session;
use leptos::prelude::*;

/// The two regions that a screen reader reads out, status and alert. They are always there; tokens never touch
/// them.
#[component]
pub fn Announcer() -> impl IntoView {
    let session = use_session();

    view! {
        <div>
            <div role="status" class="visually-hidden">
                {move || session.status.get()}
            </div>
            <div role="alert" class="visually-hidden">
                {move || session.alert.get()}
            </div>
        </div>
    }
}
