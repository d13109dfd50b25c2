//! A page over the chat.

use super::Announcer;
use crate::browser::focus_refs::FocusRefs;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::keys::has_fine_pointer;
use sash_browser_kit::page::focus_if_lost;
use sash_ui_kit::{DialogFrame, DialogWidth};
use sash_wire::SubPage;

/// A page over the chat: a dialog that is open while the page's address is shown. Its content is built when it
/// opens and removed when it closes.
#[component]
pub fn PageDialog(
    /// Its name in its address.
    page: &'static str,
    /// The class of its content.
    class: &'static str,
    /// The id of its title.
    title_id: &'static str,
    /// Its title.
    title: &'static str,
    /// How wide it is.
    #[prop(optional)]
    width: DialogWidth,
    /// What is below the title.
    children: ChildrenFn,
) -> impl IntoView {
    let sub_page = use_kernel().view().sub_page;
    let refs = FocusRefs::expect();
    let is_shown = move |now: &Option<SubPage>| now.as_ref().is_some_and(|now| now.name == page);
    let shown = Memo::new(move |_| sub_page.with(is_shown));
    let children = StoredValue::new(children);
    let close = move || {
        if sub_page.with_untracked(is_shown) {
            sub_page.set(None);
        }
        // Nothing opened a page that was there when Sash was loaded.
        match has_fine_pointer() {
            true => focus_if_lost(refs.prompt),
            false => focus_if_lost(refs.conversation),
        }
    };

    view! {
        <DialogFrame
            class="dialog-tall"
            title_id
            title
            focus_title=true
            width
            shown
            on_close=close
        >
            <Show when=move || shown.get()>
                <div class=format!("dialog-body sub-page {class}")>
                    {children.with_value(|children| children())}
                </div>
                // The page's own live regions are inert while the dialog is open.
                <Announcer />
            </Show>
        </DialogFrame>
    }
}
