//! A dialog controlled by a signal.

use super::{on_closed, use_modal};
use leptos::either::Either;
use leptos::html;
use leptos::prelude::*;
use sash_words::t;

/// A modal dialog that is open while `shown` is true. Its content is built when it opens, and scrolls between the
/// heading and the buttons.
#[component]
pub fn Dialog(
    /// Its class besides `dialog`; the id of its heading begins with it.
    class: &'static str,
    /// Its heading.
    title: &'static str,
    /// Whether it is open.
    shown: RwSignal<bool>,
    /// Saves what the dialog holds: it has "Cancel" and "Save" then, and "Done" otherwise. Only "Save" calls it.
    #[prop(optional, into)]
    on_save: Option<Callback<()>>,
    /// Whether focus begins at the heading, because the content is there to be read.
    #[prop(optional)]
    is_text: bool,
    /// The content between the heading and the buttons.
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
            <h2 id=id.clone() tabindex=is_text.then_some("-1") autofocus=is_text>
                {title}
            </h2>
            <div class="dialog-body">
                <Show when=move || shown.get()>{children()}</Show>
            </div>
            <form method="dialog" class="dialog-foot">
                {match on_save {
                    None => Either::Left(view! { <button class="primary">{t!(parts.done)}</button> }),
                    Some(save) => {
                        Either::Right(
                            view! {
                                <button>{t!(common.cancel)}</button>
                                <button class="primary" on:click=move |_| save.run(())>
                                    {t!(parts.save)}
                                </button>
                            },
                        )
                    }
                }}
            </form>
        </dialog>
    }
}
