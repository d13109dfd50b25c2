//! Announcements to screen readers.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The two live regions, status and alert. They always exist; streamed tokens never change them.
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
