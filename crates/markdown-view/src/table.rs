//! Long tables: rows in pieces with independent layout. A browser examines all rows of a table when one is
//! added; with 2,000 rows that took most of a frame.

use crate::element::{append, with};
use sash_browser_kit::console::LogError;
use sash_markdown::{Node, PIECE};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The class around a table whose columns have fixed widths, so that the browser treats its pieces as tables
/// of their own.
const LONG_TABLE_CLASS: &str = "table long";
/// The least width of such a column in pixels, because later cells may be longer.
const MIN_COLUMN_PX: i32 = 80;

/// A new piece of a table.
pub(crate) fn piece(table: &Element) -> Element {
    let body = with("tbody", &[]);
    append(table, &body);
    body
}

/// Changes the rows of a table in `scroll` from `old` to `new`; `patch` does that for one piece.
pub(crate) fn patch_rows(
    scroll: &Element,
    old: &[Node],
    new: &[Node],
    patch: impl Fn(&Element, &[Node], &[Node]),
) {
    let Some(table) = scroll.first_element_child() else {
        return;
    };
    if new.len() > PIECE && new.len() > old.len() {
        fix_column_widths(scroll, &table);
    }
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let first = same / PIECE;
    // Search from the end, where changes occur.
    let count = old.len().div_ceil(PIECE);
    let mut next = table.last_element_child().filter(|_| first < count);
    for _ in first + 1..count {
        next = next.and_then(|body| body.previous_element_sibling());
    }
    let rows = |all: &[Node], at: usize| at.min(all.len())..(at + PIECE).min(all.len());
    for at in (first * PIECE..old.len().max(new.len())).step_by(PIECE) {
        let fresh = next.is_none();
        let body = next.unwrap_or_else(|| piece(&table));
        next = body.next_element_sibling();
        if at > 0 && at >= new.len() {
            body.remove();
            continue;
        }
        patch(&body, &old[rows(old, at)], &new[rows(new, at)]);
        if fresh {
            copy_column_widths(&table, body);
        }
    }
}

/// The cells of the first row of a piece.
fn cells(body: Option<Element>) -> impl Iterator<Item = HtmlElement> {
    let row = body.and_then(|body| body.first_element_child());
    let first = row.and_then(|row| row.first_element_child());
    std::iter::successors(first, Element::next_element_sibling).map(JsCast::unchecked_into)
}

/// Copies the widths of the first piece's columns to another piece, if they are fixed.
fn copy_column_widths(table: &Element, body: Element) {
    for (cell, first) in cells(Some(body)).zip(cells(table.first_element_child())) {
        if let Some(width) = first.get_attribute("width") {
            cell.set_attribute("width", &width).log_error();
        }
    }
}

/// Fixes the present widths of the columns, and widens them if there is room. Does nothing for a table that
/// is not laid out, because it has no widths.
fn fix_column_widths(scroll: &Element, table: &Element) {
    // Reading its width makes the browser lay out the whole table.
    if scroll.get_attribute("class").as_deref() == Some(LONG_TABLE_CLASS) {
        return;
    }
    let room = scroll.client_width();
    if room == 0 {
        return;
    }
    // The widest column gives up what the narrow ones gain, so that a table that fits continues to fit.
    let mut excess = -room;
    let mut widest = 0;
    let mut widths = Vec::new();
    for cell in cells(table.first_element_child()) {
        let width = (cell.offset_width() + 1).max(MIN_COLUMN_PX);
        excess += width;
        widths.push(width);
        if width > widths[widest] {
            widest = widths.len() - 1;
        }
    }
    if excess > 0 && table.client_width() <= room {
        widths[widest] = (widths[widest] - excess).max(MIN_COLUMN_PX);
    }
    for (cell, width) in cells(table.first_element_child()).zip(widths) {
        cell.set_attribute("width", &width.to_string()).log_error();
    }
    let mut next = table.first_element_child();
    while let Some(body) = next {
        next = body.next_element_sibling();
        copy_column_widths(table, body);
    }
    scroll.set_attribute("class", LONG_TABLE_CLASS).log_error();
}
