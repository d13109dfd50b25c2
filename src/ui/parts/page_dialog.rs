//! A page over the chat.

use super::{Announcer, IconButton, IconName, on_closed, use_modal};
use crate::ui::stores::use_stores;
use leptos::html::{Dialog, H2};
use leptos::prelude::*;
use sash_wire::SubPage;
use sash_words::t;

/// A page over the chat: a dialog that is open while the page's address is shown. Its content is built when it
/// opens and removed when it closes.
#[component]
pub fn PageDialog(
    /// The page.
    page: SubPage,
    /// Its class besides `sub-page`.
    class: &'static str,
    /// The id of its heading.
    title_id: &'static str,
    /// Its heading.
    title: &'static str,
    /// The element of its heading.
    #[prop(optional)]
    title_ref: NodeRef<H2>,
    /// What is below the heading.
    children: ChildrenFn,
) -> impl IntoView {
    let sub_page = use_stores().view.sub_page;
    let shown = Memo::new(move |_| sub_page.get() == Some(page));
    let close = move || {
        if sub_page.get_untracked() == Some(page) {
            sub_page.set(None);
        }
    };
    let dialog = NodeRef::<Dialog>::new();
    use_modal(dialog, shown.into());

    view! {
        <dialog
            node_ref=dialog
            class="dialog page-dialog"
            aria-labelledby=title_id
            on:close=on_closed(dialog, close)
        >
            <IconButton
                label=t!(common.close)
                icon=IconName::Close
                class="page-close"
                on:click=move |_| close()
            />
            <Show when=move || shown.get()>
                <div class=format!("sub-page {class}")>
                    <h2 id=title_id node_ref=title_ref tabindex="-1">
                        {title}
                    </h2>
                    <div class="sub-page-body">{children()}</div>
                </div>
                // The page's own live regions are inert while the dialog is open.
                <Announcer />
            </Show>
        </dialog>
    }
}
