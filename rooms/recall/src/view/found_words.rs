//! Leads from a found message to the words in it, and marks them with the CSS Custom Highlight API.

use crate::AllChats;
use leptos::html::Section;
use leptos::prelude::*;
use sash_browser_kit::console::LogError;
use sash_browser_kit::page::mark;
use sash_chat::Id;
use sash_search::SearchQuery;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::transcript::UnfoldedQuestions;
use sash_virtual_list::AutoScroll;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::{Element, Node, Range, Text};

/// The name of the highlight in the stylesheet.
const HIGHLIGHT: &str = "found";
/// How long the words stay marked.
const MARK_TIME: Duration = Duration::from_secs(8);
/// Elements within a line: a word may go on behind them.
const INLINE: &str = "a, b, code, del, em, i, ins, mark, s, span, strong, sub, sup, u";
/// How many frames the words are waited for: a long answer is built in several tasks.
const MAX_FRAMES: u32 = 60;

/// Scrolls to the words that a search found, once the message is shown. Shows nothing itself.
#[component]
pub fn FoundWords() -> impl IntoView {
    let all_chats = AllChats::expect();
    let log = FocusRefs::expect().conversation;
    let scroll = expect_context::<AutoScroll>();
    let unfolded = expect_context::<UnfoldedQuestions>();
    Effect::new(move || {
        if let Some((id, query)) = all_chats.found.get() {
            all_chats.found.update_untracked(|found| *found = None);
            unfolded.unfold(id);
            scroll_to_found_words(log, scroll, id, query, MAX_FRAMES);
        }
    });
}

fn scroll_to_found_words(
    log: NodeRef<Section>,
    scroll: AutoScroll,
    id: Id,
    query: Arc<SearchQuery>,
    frames: u32,
) {
    request_animation_frame(move || {
        // `data-shown`: the message was scrolled into view and has focus.
        let shown = format!("article[data-shown][aria-labelledby=h-{id}] .message-text");
        let text = document().query_selector(&shown).ok().flatten();
        let scroller = log.try_get_untracked().flatten();
        let is_found = match (text, scroller) {
            (Some(text), Some(scroller)) => show_found(&scroller, &text, &query),
            _ => false,
        };
        if is_found {
            scroll.record_jump();
        } else if frames > 0 {
            scroll_to_found_words(log, scroll, id, query, frames - 1);
        }
    });
}

/// Scrolls `scroller` to the first words of `query` in an element, and marks all of them for a while. Returns whether
/// there are any.
fn show_found(scroller: &Element, element: &Element, query: &SearchQuery) -> bool {
    let mut parts = Vec::new();
    let mut text = String::new();
    collect(element, &mut text, &mut parts);
    let ranges: Vec<Range> = query
        .matches(&text)
        .into_iter()
        .filter_map(|at| {
            let range = Range::new().ok()?;
            let (node, offset) = place(&parts, &text, at.start)?;
            range.set_start(node, offset).ok()?;
            let (node, offset) = place(&parts, &text, at.end)?;
            range.set_end(node, offset).ok()?;
            Some(range)
        })
        .collect();
    let Some(first) = ranges.first() else {
        return false;
    };
    unfold(first);
    scroll_to_range(scroller, first);
    // Without the API the words are scrolled to all the same.
    if mark(HIGHLIGHT, &ranges).is_some() {
        set_timeout(|| _ = mark(HIGHLIGHT, &[]), MARK_TIME);
    }
    true
}

/// Appends the text below a node, and where each text node of it begins. Blocks are told apart by a line end.
fn collect(node: &Node, text: &mut String, parts: &mut Vec<(usize, Text)>) {
    let mut next = node.first_child();
    while let Some(child) = next {
        next = child.next_sibling();
        if let Some(element) = child.dyn_ref::<Element>() {
            let is_inline = element.matches(INLINE).unwrap_or_default();
            collect(&child, text, parts);
            if !is_inline {
                text.push('\n');
            }
        } else if let Ok(part) = child.dyn_into::<Text>() {
            let data = part.data();
            parts.push((text.len(), part));
            text.push_str(&data);
        }
    }
}

/// The text node that has the byte `at` of the collected text, and the offset in it.
fn place<'a>(parts: &'a [(usize, Text)], text: &str, at: usize) -> Option<(&'a Text, u32)> {
    let which = parts.partition_point(|(start, _)| *start < at.max(1));
    let (start, node) = parts.get(which.checked_sub(1)?)?;
    let before = text.get(*start..at)?;
    let offset = before.encode_utf16().count() as u32;
    Some((node, offset.min(node.length())))
}

/// Opens what is folded around a range.
fn unfold(range: &Range) {
    let node = range.start_container().ok();
    let mut around = node.and_then(|node| node.parent_element());
    while let Some(element) = around {
        if element.matches("details:not([open])").unwrap_or_default() {
            element.set_attribute("open", "").log_error();
        }
        around = element.parent_element();
    }
}

/// Scrolls a range to the middle of the scroller, unless it is in view.
fn scroll_to_range(scroller: &Element, range: &Range) {
    let (view, found) = (
        scroller.get_bounding_client_rect(),
        range.get_bounding_client_rect(),
    );
    if found.top() < view.top() || found.bottom() > view.bottom() {
        let middle = view.top() + view.height() / 2.0;
        let top = scroller.scroll_top() + found.top() - middle;
        scroller.set_scroll_top(top);
    }
}
