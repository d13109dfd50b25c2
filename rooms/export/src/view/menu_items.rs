//! Entries of the menu of the open chat that save it.

use super::share::Sharing;
use crate::ShareScope;
use leptos::prelude::*;
use sash_ui_kit::{IconName, MenuItem};
use sash_view::stores::use_kernel;
use sash_words::t;

/// The chat on paper or as a file. Disabled without messages; where it has branches, all of them can be saved.
#[component]
pub fn SaveItems() -> impl IntoView {
    let kernel = use_kernel();
    let sharing = Sharing::expect();
    let chats = kernel.chats();
    let chat = chats.open_id_untracked();
    let empty = chats.path.with_untracked(Vec::is_empty);
    let has_branches = chats.forks.with_untracked(|forks| !forks.is_empty());
    let running = untrack(|| kernel.answers().is_busy(chat));

    view! {
        <MenuItem
            icon=IconName::Printer
            label=t!(export.print)
            disabled=empty
            on_select=move || kernel.view().print_asked.notify()
        />
        <MenuItem
            icon=IconName::Share
            label=if has_branches { t!(export.share_branch) } else { t!(export.share_chat) }
            disabled=empty || running
            on_select=move || sharing.share(chat, ShareScope::Branch)
        />
        {has_branches
            .then(|| {
                view! {
                    <MenuItem
                        icon=IconName::Share
                        label=t!(export.share_all_branches)
                        disabled=running
                        on_select=move || sharing.share(chat, ShareScope::AllBranches)
                    />
                }
            })}
    }
}
