//! Announcements to screen readers.

use crate::stores::use_kernel;
use leptos::prelude::*;

/// The two live regions, polite and assertive. They always exist; streamed tokens never change them. The polite one has
/// no role, as all regions of the page that are mostly empty: Orca reads an empty `status` as “status bar” on the way
/// through the page.
#[component]
pub fn Announcer() -> impl IntoView {
    let kernel = use_kernel();

    view! {
        <div>
            <div aria-live="polite" aria-atomic="true" class="visually-hidden">
                {move || kernel.notices().status.get()}
            </div>
            <div role="alert" class="visually-hidden">
                {move || kernel.notices().alert.get()}
            </div>
        </div>
    }
}
