//! What a screen reader hears: two regions that are always there. Tokens never touch them.

use crate::ui::app::session;
use leptos::prelude::*;

/// The status and the alert.
#[component]
pub fn Announcer() -> impl IntoView {
    let session = session();
    view! {
        <div role="status" class="visually-hidden">{move || session.status.get()}</div>
        <div role="alert" class="visually-hidden">{move || session.alert.get()}</div>
    }
}
