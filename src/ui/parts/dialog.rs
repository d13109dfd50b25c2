//! A dialog controlled by a signal.

use super::{on_closed, use_modal};
use leptos::html;
use leptos::prelude::*;

/// A modal dialog that is open while `shown` is true. Its content is built when it opens.
#[component]
pub fn Dialog(
    /// Its class besides `dialog`; the id of its heading begins with it.
    class: &'static str,
    /// Its heading.
    title: &'static str,
    /// Whether it is open.
    shown: RwSignal<bool>,
    /// The content between the heading and "Done".
    children: ChildrenFn,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let id = format!("{class}-title");
    use_modal(dialog, shown.into());

    view! {
        <dialog
            class=format!("dialog {class}")
            aria-labelledby=id
            node_ref=dialog
            on:close=on_closed(dialog, move || shown.set(false))
        >
            <h2 id=id.clone()>{title}</h2>
            <Show when=move || shown.get()>{children()}</Show>
            <form method="dialog" class="dialog-foot">
                <button class="primary">"Done"</button>
            </form>
        </dialog>
    }
}
