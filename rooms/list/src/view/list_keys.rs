//! The keys of the list of chats.

use super::list_focus::ListFocus;
use crate::{ChatList, ListRow};
use leptos::prelude::*;
use sash_ui_kit::{ListEnds, along_line, walk};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

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
    let number = untrack(|| focus.number());
    let (true, Some(at)) = (on_row && !event.alt_key(), number) else {
        return;
    };
    let rows = list.rows.get_untracked();
    let go = |to: usize| {
        if let Some(row) = rows.get(to) {
            reveal(to);
            focus.focus(*row);
        }
    };
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
            Some(ListRow::Heading(kind)) => list.close(kind, way == "ArrowLeft"),
            Some(ListRow::Chat(_, true)) if way == "ArrowLeft" => {
                let heading = |row: &ListRow| matches!(row, ListRow::Heading(_));
                if let Some(to) = rows.iter().take(at).rposition(heading) {
                    go(to);
                }
            }
            _ => return,
        },
        "Delete" if is_selecting => focus.keep_place(|| list.delete_selected()),
        _ => {
            let Some(to) = goal(&rows, at, &key) else {
                return;
            };
            if event.shift_key() {
                let passed = rows.get(at.min(to)..=at.max(to)).unwrap_or_default();
                list.add(passed.iter().filter_map(|row| row.chat()));
            }
            go(to);
        }
    }
    event.prevent_default();
}

/// The row that a key leads to from the one at a number: one that can have the focus.
fn goal(rows: &[ListRow], at: usize, key: &str) -> Option<usize> {
    let numbers = (0..).zip(rows).filter(|(_, row)| row.takes_focus());
    let numbers: Vec<usize> = numbers.map(|(number, _)| number).collect();
    let from = numbers.iter().position(|number| *number == at)?;
    let to = walk(key, from, numbers.len(), ListEnds::Stop)?;
    let to = *numbers.get(to)?;
    // The other keys reveal the row even if it is the first or the last one, which may be scrolled out of view.
    (to != at || !key.starts_with("Arrow")).then_some(to)
}
