//! One chat in the list.

use super::list_focus::ListFocus;
use super::row_menu::RowMenuItems;
use crate::{ChatList, ListRow};
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::keys::is_text_field;
use sash_chat::Id;
use sash_ui_kit::{LongPress, Menu};
use sash_view::parts::RenameField;
use sash_view::stores::use_kernel;
use sash_words::t;
use web_sys::{KeyboardEvent, MouseEvent};

/// A row of the list: opens its chat, renames it in place; all else is in its menu.
#[component]
pub fn ChatRow(
    /// The chat.
    id: Id,
    /// Whether it stands in a folder.
    in_folder: bool,
    /// The number of the row, from 1 on.
    number: Memo<usize>,
    /// How many rows the list has.
    total: Memo<usize>,
) -> impl IntoView {
    let chats = use_kernel().chats();
    let row = ListRow::Chat(id, in_folder);
    let focus = expect_context::<ListFocus>();
    let renaming = RwSignal::new(false);
    let button = NodeRef::<html::Button>::new();
    focus.follow(row, button);
    let on_keydown = move |event: KeyboardEvent| {
        // These keys close the field, so focus returns to the row. After a click elsewhere, focus stays there.
        if is_text_field(event.target()) && matches!(&*event.key(), "Enter" | "Escape") {
            request_animation_frame(move || focus.focus(row));
        } else if event.key() == "F2" {
            event.prevent_default();
            renaming.set(true);
        }
    };

    view! {
        <li
            class="chat-row"
            style:--at=move || (number.get() - 1).to_string()
            aria-posinset=move || number.get().to_string()
            aria-setsize=move || total.get().to_string()
            data-in-folder=in_folder.then_some("true")
            data-open=move || (chats.open_id() == id).to_string()
            on:keydown=on_keydown
            on:focusin=move |_| focus.record(row)
        >
            <Show
                when=move || renaming.get()
                fallback=move || view! { <ChatRowFace row id renaming button /> }
            >
                <RenameField id renaming />
            </Show>
        </li>
    }
}

/// A row while its chat is not being renamed.
#[component]
fn ChatRowFace(
    /// The row.
    row: ListRow,
    /// The chat.
    id: Id,
    /// Whether the chat is being renamed.
    renaming: RwSignal<bool>,
    /// The button that opens the chat.
    button: NodeRef<html::Button>,
) -> impl IntoView {
    let (kernel, list) = (use_kernel(), ChatList::expect());
    let focus = expect_context::<ListFocus>();
    let title = kernel.chats().title(id);
    let tabindex = move || focus.tabindex(row);
    let is_answering = move || kernel.answers().is_busy(id);
    let has_finished = move || kernel.chats().has_finished(id) && !is_answering();
    let menu_open = RwSignal::new(false);
    // While chats are selected a row has no menu.
    let press = LongPress::new(
        move || match list.selected.with_untracked(Option::is_some) {
            true => list.toggle(id),
            false => menu_open.set(true),
        },
    );
    let on_click = move |event: MouseEvent| {
        if press.was_long() {
            return;
        }
        if event.shift_key() {
            list.select_to(id);
        } else if list.selected.with_untracked(Option::is_some)
            || event.ctrl_key()
            || event.meta_key()
        {
            list.toggle(id);
        } else {
            kernel.chats().open_chat(id);
        }
    };
    let checked = move || {
        list.is_selecting()
            .then(|| list.is_selected(id).to_string())
    };

    view! {
        <div class="chat-face">
            <button
                type="button"
                class="row-button chat-open"
                node_ref=button
                tabindex=tabindex
                role=move || list.is_selecting().then_some("checkbox")
                aria-checked=checked
                aria-current=move || (kernel.chats().open_id() == id).then_some("true")
                on:click=on_click
                on:pointerdown=move |event| press.begin(&event)
                on:pointermove=move |event| press.move_to(&event)
                on:pointerup=move |_| press.end()
                on:pointercancel=move |_| press.end()
                on:touchend=move |event| press.on_touch_end(&event)
                on:contextmenu=move |event| press.on_context_menu(&event)
            >
                <Show when=move || list.is_selecting()>
                    <span class="chat-check" aria-hidden="true"></span>
                </Show>
                <span class="chat-title" dir="auto">{move || title.get()}</span>
                <Show when=is_answering>
                    <span>
                        <span class="pulse"></span>
                        <span class="visually-hidden">{t!(list.answering)}</span>
                    </span>
                </Show>
                <Show when=has_finished>
                    <span>
                        <span class="chat-dot"></span>
                        <span class="visually-hidden">{t!(list.finished)}</span>
                    </span>
                </Show>
            </button>
            <Show when=move || !list.is_selecting()>
                <span class="chat-actions">
                    <Menu
                        label=Signal::derive(move || t!(list.more_of, title = title.get()))
                        id=format!("chat-more-{id}")
                        tabindex=Signal::derive(tabindex)
                        open=menu_open
                    >
                        <RowMenuItems id renaming />
                    </Menu>
                </span>
            </Show>
        </div>
    }
}
