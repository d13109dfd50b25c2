//! The chat's title, which can be edited in place, and the menu of the chat's actions.

use crate::browser::focus_refs::FocusRefs;
use crate::parts::{RenameField, words_with_unsaved};
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::keys::is_text_field;
use sash_browser_kit::page;
use sash_log::DraftField;
use sash_stores::ChatEvent;
use sash_ui_kit::{IconButton, IconName, Menu, MenuItem};
use sash_words::t;
use web_sys::KeyboardEvent;

/// The heading, or a field while the title is edited.
#[component]
pub fn ChatTitle() -> impl IntoView {
    let kernel = use_kernel();
    let renaming = kernel.view().renaming;
    let title = move || kernel.chats().open_title();
    let begun = Memo::new(move |_| kernel.chats().path.with(|path| !path.is_empty()));
    // The next chat has another title, and who comes back does not go on.
    kernel.chats().events().on(move |event| {
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
                    id=kernel.chats().open_id_untracked()
                    renaming
                />
            </Show>
            <Menu label=t!(header.chat_menu) id="chat-menu">
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
    let kernel = use_kernel();
    let empty = kernel.chats().path.with_untracked(Vec::is_empty);
    let chat = kernel.chats().open_id_untracked();
    let is_temporary = kernel.chats().is_temporary_untracked(chat);

    view! {
        <MenuItem
            icon=IconName::Clock
            label=t!(common.new_temporary_chat)
            on_select=move || kernel.chats().begin_temporary()
        />
        {is_temporary
            .then(|| {
                view! {
                    <MenuItem
                        icon=IconName::Bookmark
                        label=t!(common.keep_this_chat)
                        disabled=empty
                        on_select=move || kernel.chats().keep_temporary(chat)
                    />
                }
            })}
        <MenuItem
            icon=IconName::Text
            label=untrack(|| {
                words_with_unsaved(kernel.drafts(), t!(header.system_prompt), DraftField::System)
            })
            on_select=move || kernel.view().system_shown.set(true)
        />
        <MenuItem
            icon=IconName::Pencil
            label=t!(common.rename)
            disabled=empty
            on_select=move || renaming.set(true)
        />
        {use_places().chat_menu.view()}
        <MenuItem
            icon=IconName::Trash
            label=t!(header.delete_this_chat)
            disabled=empty
            on_select=move || kernel.answers().delete_chat(chat)
        />
    }
}

/// Leaves out everything above, from the menu of the chat.
#[component]
pub fn StartAfreshItem() -> impl IntoView {
    let kernel = use_kernel();
    view! {
        <MenuItem
            icon=IconName::Cut
            label=t!(common.start_afresh_here)
            disabled=kernel.chats().path.with_untracked(Vec::is_empty)
            on_select=move || kernel.steering().clear_window()
        />
    }
}
