//! The keys of the list of chats.

use super::list_focus::ListFocus;
use crate::{ChatList, ListRow, SectionKind};
use leptos::prelude::*;
use sash_ui_kit::along_line;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// How many rows Page Up and Page Down go.
const PAGE_ROWS: usize = 10;

/// Walks the rows, selects chats, opens and closes folders. Only keys pressed on a row itself count, not those in its
/// menu or its field. `reveal` scrolls to the row with a number.
pub fn on_list_key(
    event: &KeyboardEvent,
    list: ChatList,
    focus: ListFocus,
    reveal: &impl Fn(usize),
) {
    let is_selecting = list.selected.with_untracked(Option::is_some);
    let key = event.key();
    if key == "Escape" && is_selecting && !event.default_prevented() {
        event.prevent_default();
        list.set_selecting(false);
        return;
    }
    let target = event.target().and_then(|to| to.dyn_into::<Element>().ok());
    let on_row = target.is_some_and(|to| to.class_list().contains("row-button"));
    let number = focus.number.get_untracked();
    let (true, Some(at)) = (on_row && !event.alt_key(), number) else {
        return;
    };
    let rows = list.rows.get_untracked();
    let row = rows.get(at).copied();
    let with_ctrl = event.ctrl_key() || event.meta_key();
    match along_line(&key) {
        "a" | "A" if with_ctrl && is_selecting => list.select_all(),
        _ if with_ctrl => return,
        " " if event.shift_key() => match row.and_then(ListRow::chat) {
            Some(chat) => list.select_to(chat),
            None => return,
        },
        way @ ("ArrowLeft" | "ArrowRight") => match row {
            Some(ListRow::Heading(kind)) => set_closed(list, kind, way == "ArrowLeft"),
            Some(ListRow::Chat(_, true)) if way == "ArrowLeft" => {
                let heading = |row: &ListRow| matches!(row, ListRow::Heading(_));
                if let Some(to) = rows.iter().take(at).rposition(heading) {
                    walk(&rows, to, focus, reveal);
                }
            }
            _ => return,
        },
        "Delete" if is_selecting => {
            list.delete_selected();
            focus.focus_number(at);
        }
        _ => {
            let Some(to) = goal(&rows, at, &key) else {
                return;
            };
            if event.shift_key() {
                let passed = rows.get(at.min(to)..=at.max(to)).unwrap_or_default();
                list.add(passed.iter().filter_map(|row| row.chat()));
            }
            walk(&rows, to, focus, reveal);
        }
    }
    event.prevent_default();
}

/// The row that a key leads to.
fn goal(rows: &[ListRow], at: usize, key: &str) -> Option<usize> {
    let takes_focus = |number: &usize| rows.get(*number).is_some_and(|row| row.takes_focus());
    let last = rows.len().saturating_sub(1);
    let down = |from: usize| (from..=last).find(takes_focus);
    let up = |from: usize| (0..=from).rev().find(takes_focus);
    match key {
        "ArrowDown" => down(at + 1),
        "ArrowUp" => at.checked_sub(1).and_then(up),
        "PageDown" => down((at + PAGE_ROWS).min(last)).or_else(|| up(last)),
        "PageUp" => up(at.saturating_sub(PAGE_ROWS)).or_else(|| down(0)),
        "Home" => down(0),
        "End" => up(last),
        _ => None,
    }
}

fn walk(rows: &[ListRow], to: usize, focus: ListFocus, reveal: &impl Fn(usize)) {
    if let Some(row) = rows.get(to) {
        reveal(to);
        focus.focus(*row);
    }
}

/// Shows or hides the chats of a section.
pub fn set_closed(list: ChatList, kind: SectionKind, closed: bool) {
    match kind {
        SectionKind::Folder(id) => list.close_folder(id, closed),
        SectionKind::Archived => list.archive_shown.set(!closed),
        _ => {}
    }
}
