//! The button that adds files.

use super::add::add_files;
use crate::browser::file;
use crate::ui::parts::{Icon, IconName};
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use web_sys::Event;

/// The button below the prompt field that opens the browser's choice of files: images, text and documents.
#[component]
pub fn AttachButton() -> impl IntoView {
    let stores = use_stores();
    let field = NodeRef::<html::Input>::new();
    let open = move |_| {
        if let Some(field) = field.get_untracked() {
            // The same file can be chosen again after it was removed.
            field.set_value("");
            field.click();
        }
    };
    let title = move || match stores.attachments.sees.get() {
        true => "Images, text, PDF or Word documents; or drop them on the page",
        false => {
            "Text, PDF or Word documents; or drop them on the page. This model does not see images"
        }
    };
    let on_change = move |event: Event| add_files(stores, file::all_chosen(&event));

    view! {
        <div class="attach-place">
            <button type="button" class="attach" title=title on:click=open>
                <Icon name=IconName::File />
                <span class="attach-words">"Add files"</span>
            </button>
            <input
                type="file"
                class="visually-hidden"
                tabindex="-1"
                aria-hidden="true"
                multiple
                node_ref=field
                on:change=on_change
            />
        </div>
    }
}
