//! The page of models as a dialog.

use super::ids::TITLE_ID;
use super::models_page::ModelsPage;
use crate::ui::parts::{IconButton, IconName, use_modal};
use crate::ui::stores::use_stores;
use leptos::html::Dialog;
use leptos::prelude::*;

/// The dialog with the page of models. The page is built when the dialog opens and removed when it closes;
/// pulls and loads go on.
#[component]
pub fn ModelsDialog() -> impl IntoView {
    let stores = use_stores();
    let shown = stores.models.shown;
    let dialog = NodeRef::<Dialog>::new();
    use_modal(dialog, shown.into());
    let note_close = move |_| {
        // The `close` event arrives later; the dialog may be open again by then.
        if dialog.get_untracked().is_some_and(|dialog| !dialog.open()) {
            shown.set(false);
        }
    };

    view! {
        <dialog
            node_ref=dialog
            class="dialog models-dialog"
            aria-labelledby=TITLE_ID
            on:close=note_close
        >
            <IconButton
                label="Close"
                icon=IconName::Close
                class="models-close"
                on:click=move |_| shown.set(false)
            />
            <Show when=move || shown.get()>
                <ModelsPage />
                // The page's own live regions are inert while the dialog is open.
                <div role="status" class="visually-hidden">
                    {move || stores.notices.status.get()}
                </div>
                <div role="alert" class="visually-hidden">
                    {move || stores.notices.alert.get()}
                </div>
            </Show>
        </dialog>
    }
}
