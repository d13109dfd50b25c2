//! The form that all dialogs have.

use crate::{IconButton, IconName, on_closed, use_modal};
use leptos::html;
use leptos::prelude::*;
use sash_words::t;

/// How wide a dialog is where the window has the room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialogWidth {
    /// A choice, a short form.
    Narrow,
    /// Text, and fields below each other.
    #[default]
    Medium,
    /// Tables and columns.
    Wide,
}

impl DialogWidth {
    const fn class(self) -> &'static str {
        match self {
            Self::Narrow => "dialog-narrow",
            Self::Medium => "dialog-medium",
            Self::Wide => "dialog-wide",
        }
    }
}

/// A modal dialog that is open while `shown` is true: its title and "Close" stay at the top. The content is a
/// `dialog-body`, which scrolls, and for actions a `dialog-foot`, which stays in view.
#[component]
pub fn DialogFrame(
    /// Its class besides those of the form.
    class: &'static str,
    /// The id of its title.
    #[prop(into)]
    title_id: String,
    /// Its title.
    #[prop(into)]
    title: Signal<String>,
    /// The element of its title.
    #[prop(optional)]
    title_ref: NodeRef<html::H2>,
    /// Whether focus begins at the title: where the content is there to be read, or its first control acts at once.
    #[prop(optional)]
    focus_title: bool,
    /// How wide it is.
    #[prop(optional)]
    width: DialogWidth,
    /// Whether it is open.
    #[prop(into)]
    shown: Signal<bool>,
    /// Called when the person has closed it.
    #[prop(into)]
    on_close: Callback<()>,
    /// What is below the title.
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    use_modal(dialog, shown);
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };

    view! {
        <dialog
            node_ref=dialog
            class=format!("dialog {} {class}", width.class())
            aria-labelledby=title_id
            on:close=on_closed(dialog, move || on_close.run(()))
        >
            <h2 id=title_id.clone() node_ref=title_ref dir="auto" tabindex="-1" autofocus=focus_title>
                {title}
            </h2>
            {children()}
            // The last one, so that focus begins in the content.
            <IconButton
                label=t!(common.close)
                icon=IconName::Close
                class="dialog-close"
                on:click=close
            />
        </dialog>
    }
}
