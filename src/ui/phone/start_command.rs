//! How Sash is started for the network.

use crate::ui::parts::use_copied;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_browser_kit::clipboard;
use sash_ui_kit::IconButton;
use sash_words::t;

/// The command.
const COMMAND: &str = "sash --listen 0.0.0.0:7274 --token auto";

/// Says that Sash listens on this machine alone, and the command that changes it.
#[component]
pub fn StartCommand() -> impl IntoView {
    view! {
        <p>{t!(phone.listens_here_alone)}</p>
        <CopyLine text=COMMAND.to_owned() label=t!(phone.copy_the_command) />
        <p>{t!(phone.then_open_what_it_prints)}</p>
    }
}

/// A line that is typed elsewhere, with a button that copies it.
#[component]
pub fn CopyLine(
    /// The line.
    text: String,
    /// The name of the button.
    label: &'static str,
) -> impl IntoView {
    let (icon, announce_copied) = use_copied();
    // A break after the hyphens of a flag would make two words of it.
    let words = text.split(' ').map(|word| {
        view! {
            <span class="unbroken">{word.to_owned()}</span>
            " "
        }
    });
    let line = words.collect_view();
    let copy = move |_| {
        let (text, announce_copied) = (text.clone(), announce_copied.clone());
        spawn_local(async move { announce_copied(clipboard::copy(text).await) });
    };

    view! {
        <div class="copy-line" dir="ltr">
            <code>{line}</code>
            <IconButton label icon on:click=copy />
        </div>
    }
}
