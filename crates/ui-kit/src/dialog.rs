//! A dialog controlled by a signal.

use crate::{DialogFrame, DialogWidth};
use leptos::prelude::*;
use sash_words::t;

/// Whether a dialog is open, and how it is closed: a signal of its own, or what is derived of another one.
#[derive(Clone, Copy)]
pub struct DialogState {
    shown: Signal<bool>,
    close: Callback<()>,
}

impl DialogState {
    /// Open while `shown` is true; `close` makes it false.
    pub fn new(
        shown: impl Fn() -> bool + Send + Sync + 'static,
        close: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self {
            shown: Signal::derive(shown),
            close: Callback::new(move |()| close()),
        }
    }
}

impl From<RwSignal<bool>> for DialogState {
    fn from(shown: RwSignal<bool>) -> Self {
        Self::new(move || shown.get(), move || shown.set(false))
    }
}

/// A modal dialog that is open while `shown` says so. Its content is built when it opens, and scrolls between the
/// title and the buttons.
#[component]
pub fn Dialog(
    /// Its class besides `dialog`; the id of its title begins with it.
    class: &'static str,
    /// Its title.
    title: &'static str,
    /// Whether it is open.
    #[prop(into)]
    shown: DialogState,
    /// How wide it is.
    #[prop(optional)]
    width: DialogWidth,
    /// Saves what the dialog holds: it has "Cancel" and "Save" then. Only "Save" calls it.
    #[prop(optional, into)]
    on_save: Option<Callback<()>>,
    /// Throws away what the dialog holds. Only "Cancel" calls it, not Escape nor "Close".
    #[prop(optional, into)]
    on_cancel: Option<Callback<()>>,
    /// Whether focus begins at the title.
    #[prop(optional)]
    focus_title: bool,
    /// The content.
    children: ChildrenFn,
) -> impl IntoView {
    let children = StoredValue::new(children);
    let DialogState { shown, close } = shown;
    let foot = on_save.map(|save| {
        view! {
            <form method="dialog" class="dialog-foot">
                <button on:click=move |_| {
                    if let Some(cancel) = on_cancel {
                        cancel.run(());
                    }
                }>{t!(common.cancel)}</button>
                <button class="primary" on:click=move |_| save.run(())>
                    {t!(parts.save)}
                </button>
            </form>
        }
    });

    view! {
        <DialogFrame
            class
            title_id=format!("{class}-title")
            title
            focus_title
            width
            shown
            on_close=close
        >
            <div class="dialog-body">
                <Show when=move || shown.get()>{children.with_value(|children| children())}</Show>
            </div>
            {foot}
        </DialogFrame>
    }
}
