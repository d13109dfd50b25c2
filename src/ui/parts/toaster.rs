//! The place of toasts above the composer.

use super::Toast;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The live region of the toast. A toast disappears after a while, unless it is in use, and at once when its
/// message is outdated. Ctrl+Z and the trash undo the same.
#[component]
pub fn Toaster() -> impl IntoView {
    let stores = use_stores();
    let toast = stores.notices.toast;
    Effect::new(move || {
        let undo = toast.with(|toast| toast.as_ref().and_then(|toast| toast.undo));
        if undo.is_some_and(|undo| !stores.steering.is_done(undo)) {
            toast.set(None);
        }
    });

    view! {
        <div class="toast-place" role="status">
            // Another toast is another element, so that hovering is tracked anew.
            <For each=move || toast.get() key=Clone::clone let:toast>
                <Toast toast />
            </For>
        </div>
    }
}
