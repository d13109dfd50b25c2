//! The place above the composer for what was just done and can be undone.

use super::Toast;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The live region in which a toast comes and goes. It goes after a while, but not while it is being used, and
/// at once when what it says is no longer so. Ctrl+Z and the trash undo the same without it.
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
            // Another toast is another element, so that the pointer over it counts anew.
            <For each=move || toast.get() key=Clone::clone let:toast>
                <Toast toast />
            </For>
        </div>
    }
}
