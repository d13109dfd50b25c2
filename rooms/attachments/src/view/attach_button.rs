//! The button that adds files.

use super::add_files;
use crate::Adding;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::file;
use sash_ui_kit::{Icon, IconName};
use sash_view::browser::focus_refs::FocusRefs;
use sash_words::t;
use web_sys::Event;

/// The button below the prompt field that opens the browser's choice of files: images, text and documents.
#[component]
pub fn AttachButton() -> impl IntoView {
    let adding = Adding::expect();
    let field = NodeRef::<html::Input>::new();
    let prompt = FocusRefs::expect().prompt;
    let open = move |_| {
        if let Some(field) = field.get_untracked() {
            // The same file can be chosen again after it was removed.
            field.set_value("");
            field.click();
        }
    };
    let title = move || match adding.kernel.attachments().sees.get() {
        true => t!(attachments.accepted_with_images),
        false => {
            t!(attachments.accepted_without_images)
        }
    };
    let on_change = move |event: Event| add_files(adding, prompt, file::all_chosen(&event));

    view! {
        <div class="attach-place">
            <button type="button" class="attach" title=title on:click=open>
                <Icon name=IconName::File />
                <span class="attach-words">{t!(attachments.add_files)}</span>
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
