//! A line that is typed elsewhere.

use super::use_copied;
use leptos::prelude::*;
use sash_browser_kit::clipboard;
use sash_ui_kit::IconButton;

/// A line that is typed elsewhere, with a button that copies it.
#[component]
pub fn CopyLine(
    /// The line.
    text: String,
    /// The name of the button.
    label: &'static str,
) -> impl IntoView {
    let (icon, follow) = use_copied();
    // A break after the hyphens of a flag would make two words of it.
    let words = text.split(' ').map(|word| {
        view! {
            <span class="unbroken">{word.to_owned()}</span>
            " "
        }
    });
    let line = words.collect_view();
    let copy = move |_| follow(Box::pin(clipboard::copy(text.clone())));

    view! {
        <div class="copy-line" dir="ltr">
            <code>{line}</code>
            <IconButton label icon on:click=copy />
        </div>
    }
}
