//! The heading of a section of the list; folders and the archive can be closed.

use super::list_focus::ListFocus;
use crate::{ChatList, ListRow, SectionKind};
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_chat::{Folder, Id};
use sash_ui_kit::{Icon, IconName, Menu, MenuItem};
use sash_view::stores::use_kernel;
use sash_words::t;

/// The row with the name of a section.
#[component]
pub fn HeadingRow(
    /// The section.
    kind: SectionKind,
    /// The number of the row, from 1 on.
    number: Memo<usize>,
    /// How many rows the list has.
    total: Memo<usize>,
) -> impl IntoView {
    let row = ListRow::Heading(kind);
    let focus = expect_context::<ListFocus>();

    view! {
        <li
            class="list-heading"
            style:--at=move || (number.get() - 1).to_string()
            aria-posinset=move || number.get().to_string()
            aria-setsize=move || total.get().to_string()
            on:focusin=move |_| focus.record(row)
        >
            {match row.takes_focus() {
                true => view! { <ClosableHeading kind /> }.into_any(),
                false => view! { <h2>{words(kind)}</h2> }.into_any(),
            }}
        </li>
    }
}

/// The name of a section that has no name of its own.
fn words(kind: SectionKind) -> String {
    match kind {
        SectionKind::Pinned => t!(list.pinned).to_owned(),
        SectionKind::Today => t!(list.today).to_owned(),
        SectionKind::Yesterday => t!(list.yesterday).to_owned(),
        SectionKind::LastWeek => t!(list.last_7_days).to_owned(),
        SectionKind::Month(year, month) => clock::month(year, month),
        SectionKind::ByName => t!(common.chats).to_owned(),
        SectionKind::Archived => t!(list.archived).to_owned(),
        SectionKind::Folder(_) => String::new(),
    }
}

/// A heading that opens and closes its section. That of a folder has a menu.
#[component]
fn ClosableHeading(
    /// The section.
    kind: SectionKind,
) -> impl IntoView {
    let (kernel, list) = (use_kernel(), ChatList::expect());
    let row = ListRow::Heading(kind);
    let focus = expect_context::<ListFocus>();
    let button = NodeRef::<html::Button>::new();
    focus.follow(row, button);
    let folder = Memo::new(move |_| match kind {
        SectionKind::Folder(id) => kernel
            .chats()
            .folders
            .with(|all| all.iter().find(|folder| folder.id == id).cloned()),
        _ => None,
    });
    let name = Memo::new(move |_| {
        folder
            .get()
            .map_or_else(|| words(kind), |folder| folder.name)
    });
    let section = Memo::new(move |_| {
        list.sections.with(|all| {
            let found = all.iter().find(|section| section.kind == kind);
            found.map_or((0, false), |section| {
                (section.chats.len(), section.is_closed)
            })
        })
    });
    let count = move || section.get().0;
    let is_closed = move || section.get().1;
    let tabindex = move || focus.tabindex(row);
    let has_settings = move || folder.with(|f| f.as_ref().is_some_and(Folder::has_settings));

    view! {
        <h2>
            <button
                type="button"
                class="row-button section-open"
                node_ref=button
                tabindex=tabindex
                aria-expanded=move || (!is_closed()).to_string()
                on:click=move |_| list.close(kind, !untrack(is_closed))
            >
                <Icon name=IconName::Right />
                <span class="chat-title" dir="auto">{move || name.get()}</span>
                <Show when=has_settings>
                    <span class="visually-hidden">{t!(list.folder_has_settings)}</span>
                </Show>
                <span class="section-count">{move || count().to_string()}</span>
            </button>
        </h2>
        {match kind {
            SectionKind::Folder(id) => {
                let menu = view! {
                    <span class="chat-actions">
                        <Menu
                            label=Signal::derive(move || t!(list.more_of, title = name.get()))
                            id=format!("folder-more-{id}")
                            tabindex=Signal::derive(tabindex)
                        >
                            <FolderMenuItems id />
                        </Menu>
                    </span>
                };
                Some(menu)
            }
            _ => None,
        }}
    }
}

/// What can be done with a folder.
#[component]
fn FolderMenuItems(
    /// The folder.
    id: Id,
) -> impl IntoView {
    let (kernel, list) = (use_kernel(), ChatList::expect());
    let focus = expect_context::<ListFocus>();
    let (is_first, is_last) = kernel.chats().folders.with_untracked(|all| {
        let is = |folder: Option<&Folder>| folder.is_some_and(|folder| folder.id == id);
        (is(all.first()), is(all.last()))
    });

    view! {
        <MenuItem
            icon=IconName::Plus
            label=t!(list.new_chat_here)
            on_select=move || kernel.chats().begin_chat_in(id)
        />
        <MenuItem
            icon=IconName::Pencil
            label=t!(list.edit_folder)
            on_select=move || list.editing.set(Some(Some(id)))
        />
        <MenuItem
            icon=IconName::Up
            label=t!(list.move_up)
            disabled=is_first
            on_select=move || list.shift_folder(id, false)
        />
        <MenuItem
            icon=IconName::Down
            label=t!(list.move_down)
            disabled=is_last
            on_select=move || list.shift_folder(id, true)
        />
        <MenuItem icon=IconName::Trash label=t!(list.delete_folder) on_select=move || focus.keep_place(|| list.delete_folder(id)) />
    }
}
