//! The chat's title, which can be edited in place, and the menu of the chat's actions.

use crate::browser::focus_refs::FocusRefs;
use crate::ui::export::share;
use crate::ui::parts::{RenameField, words_with_unsaved};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_browser_kit::keys::is_text_field;
use sash_browser_kit::page;
use sash_log::DraftField;
use sash_state::ChatEvent;
use sash_transfer::ShareScope;
use sash_ui_kit::{IconButton, IconName, Menu, MenuItem};
use sash_words::t;
use web_sys::KeyboardEvent;

/// The heading, or a field while the title is edited.
#[component]
pub fn ChatTitle() -> impl IntoView {
    let stores = use_stores();
    let renaming = stores.view().renaming;
    let title = move || stores.chats().open_title();
    let begun = Memo::new(move |_| stores.chats().path.with(|path| !path.is_empty()));
    // The next chat has another title, and who comes back does not go on.
    stores.chats().events().on(move |event| {
        if *event == ChatEvent::Left {
            renaming.set(false);
        }
    });
    let heading = FocusRefs::expect().chat_title;
    let on_keydown = move |event: KeyboardEvent| {
        // After a click elsewhere, focus stays there.
        if is_text_field(event.target()) && matches!(&*event.key(), "Enter" | "Escape") {
            page::focus_soon(heading);
        }
    };
    let on_dblclick = move |_| {
        if begun.get_untracked() {
            renaming.set(true);
        }
    };

    view! {
        <div class="title-place" on:keydown=on_keydown>
            <h1
                id="chat-title"
                dir="auto"
                node_ref=heading
                tabindex="-1"
                hidden=move || renaming.get()
                on:dblclick=on_dblclick
            >
                {title}
            </h1>
            <Show when=move || renaming.get()>
                <RenameField
                    id=stores.chats().open_id_untracked()
                    renaming
                />
            </Show>
            <Menu label=t!(header.this_chat) id="chat-menu">
                <ChatMenuItems renaming />
            </Menu>
            <Show when=move || begun.get() && !renaming.get()>
                <IconButton
                    label=t!(header.rename_this_chat)
                    icon=IconName::Pencil
                    class="title-change"
                    on:click=move |_| renaming.set(true)
                />
            </Show>
        </div>
    }
}

/// The actions of the chat. Those that need a message are disabled in an empty chat.
#[component]
fn ChatMenuItems(
    /// Whether the title is being edited.
    renaming: RwSignal<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let empty = stores.chats().path.with_untracked(Vec::is_empty);
    let chat = stores.chats().open_id_untracked();
    let has_branches = stores
        .chats()
        .forks
        .with_untracked(|forks| !forks.is_empty());
    let running = untrack(|| stores.answers().is_busy(chat));

    let is_temporary = stores.chats().is_temporary_untracked(chat);

    view! {
        <MenuItem
            icon=IconName::Clock
            label=t!(common.new_temporary_chat)
            on_select=move || stores.chats().begin_temporary()
        />
        {is_temporary
            .then(|| {
                view! {
                    <MenuItem
                        icon=IconName::Bookmark
                        label=t!(common.keep_this_chat)
                        disabled=empty
                        on_select=move || stores.chats().keep_temporary(chat)
                    />
                }
            })}
        <MenuItem
            icon=IconName::Text
            label=untrack(|| {
                words_with_unsaved(
                    t!(header.system_prompt),
                    stores.drafts().has_field(DraftField::System),
                )
            })
            on_select=move || stores.view().system_shown.set(true)
        />
        <MenuItem
            icon=IconName::Pencil
            label=t!(common.rename)
            disabled=empty
            on_select=move || renaming.set(true)
        />
        <MenuItem
            icon=IconName::Pencil
            label=t!(header.title_by_the_model_entry)
            disabled=empty
            on_select=move || stores.titles().open()
        />
        <MenuItem
            icon=IconName::Cut
            label=t!(common.start_afresh_here)
            disabled=empty
            on_select=move || stores.steering().clear_window()
        />
        <MenuItem
            icon=IconName::Printer
            label=t!(header.print)
            disabled=empty
            on_select=move || stores.view().print_asked.notify()
        />
        <MenuItem
            icon=IconName::Share
            label=if has_branches { t!(header.share_this_branch_as_a_file) } else { t!(common.share_as_a_file) }
            disabled=empty || running
            on_select=move || share(stores, chat, ShareScope::Branch)
        />
        {has_branches
            .then(|| {
                view! {
                    <MenuItem
                        icon=IconName::Share
                        label=t!(header.share_all_branches_as_a_file)
                        disabled=running
                        on_select=move || share(stores, chat, ShareScope::AllBranches)
                    />
                }
            })}
        <MenuItem
            icon=IconName::Trash
            label=t!(header.delete_this_chat)
            disabled=empty
            on_select=move || stores.answers().delete_chat(chat)
        />
    }
}
