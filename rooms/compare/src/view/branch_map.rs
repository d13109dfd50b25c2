//! The map of a chat's branches.

use crate::Compare;
use crate::branches::{BranchRow, branch_map};
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_browser_kit::console::LogError;
use sash_chat::excerpt;
use sash_ui_kit::{Dialog, DialogWidth, ListEnds, along_line, walk};
use sash_view::parts::speaker;
use sash_view::stores::use_kernel;
use sash_words::{count, t};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

/// The most steps by which a row is indented.
const MAX_INDENTS: usize = 12;

/// The dialog: all places where the chat forks, as a tree. Choosing a version shows its branch.
#[component]
pub fn BranchMapDialog() -> impl IntoView {
    let shown = Compare::expect().branches_shown;

    view! {
        <Dialog class="branch-map" title=t!(compare.branches) shown width=DialogWidth::Narrow>
            <BranchTree />
        </Dialog>
    }
}

#[component]
fn BranchTree() -> impl IntoView {
    let kernel = use_kernel();
    let map = kernel
        .chats()
        .open
        .with_untracked(|chat| branch_map(&chat.tree, chat.head.at));
    let tree = NodeRef::<html::Ul>::new();
    // Tab stops at one row.
    let last_shown = map.rows.iter().rposition(|row| row.is_shown);
    let stop = RwSignal::new(last_shown.unwrap_or_default());
    let levels: Vec<usize> = map.rows.iter().map(|row| row.level).collect();
    let step = move |to: usize| {
        stop.set(to);
        let rows = tree.get_untracked().map(|tree| tree.children());
        let row = rows.and_then(|rows| rows.item(u32::try_from(to).unwrap_or_default()));
        if let Some(row) = row.and_then(|row| row.dyn_into::<HtmlElement>().ok()) {
            row.focus().log_error();
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let at = stop.get_untracked();
        let level = |at: usize| levels.get(at).copied().unwrap_or_default();
        let to = match along_line(&event.key()) {
            "ArrowRight" => at + usize::from(level(at + 1) > level(at)),
            "ArrowLeft" => {
                let parent = (0..at).rev().find(|before| level(*before) < level(at));
                parent.unwrap_or(at)
            }
            "PageDown" | "PageUp" => return,
            key => match walk(key, at, levels.len(), ListEnds::Stop) {
                Some(to) => to,
                None => return,
            },
        };
        event.prevent_default();
        step(to);
    };
    let left_out = map.left_out;
    let rows = map.rows.into_iter().enumerate();
    let rows = rows.map(|(at, row)| view! { <Branch row at stop /> });

    view! {
        <p class="hint-line">{t!(compare.branch_map_hint)}</p>
        <ul role="tree" aria-label=t!(compare.branches) node_ref=tree on:keydown=on_key>
            {rows.collect_view()}
        </ul>
        {(left_out > 0)
            .then(|| {
                view! {
                    <p class="hint-line">{t!(compare.more_versions, count = left_out as u64)}</p>
                }
            })}
    }
}

/// A version: its first words, who wrote it, when, and how much follows.
#[component]
fn Branch(
    /// The row.
    row: BranchRow,
    /// Its place in the tree.
    at: usize,
    /// The row at which Tab stops.
    stop: RwSignal<usize>,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let id = row.id;
    let message = kernel.chats().message(id)?;
    let choose = move || {
        compare.branches_shown.set(false);
        kernel
            .chats()
            .show_message(kernel.chats().open_id_untracked(), Some(id));
    };
    let on_key = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            choose();
        }
    };
    let edited = match message.edited {
        Some(_) => t!(transcript.comma_edited_by_you),
        None => "",
    };
    let place = format!("{}/{} · ", row.place, row.versions);
    let author = speaker(&message).to_owned();
    let facts = format!(
        "{edited} · {} · {}",
        clock::date(message.created),
        count::messages(row.messages)
    );

    let item = view! {
        <li
            class="branch"
            role="treeitem"
            tabindex=move || if stop.get() == at { "0" } else { "-1" }
            aria-posinset=row.place
            aria-setsize=row.versions
            aria-selected=row.is_shown.to_string()
            style=("--level", row.level.min(MAX_INDENTS).to_string())
            on:click=move |_| choose()
            on:focus=move |_| stop.set(at)
            on:keydown=on_key
        >
            <span class="branch-words" dir="auto">{excerpt(&message, &[])}</span>
            <span class="count">
                {place}
                <bdi>{author}</bdi>
                {facts}
            </span>
        </li>
    };
    // The macro does not know this attribute.
    Some(item.attr("aria-level", row.level.to_string()))
}
