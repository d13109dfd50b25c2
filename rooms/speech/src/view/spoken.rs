//! The text of an answer as it is read aloud, and where each part of it stands on the page.

use leptos::prelude::*;
use sash_browser_kit::page::mark;
use std::ops::Range;
use wasm_bindgen::JsCast;
use web_sys::{Element, Node, Text};

/// The name of the highlight in the stylesheet.
const HIGHLIGHT: &str = "spoken";
/// Elements within a line: a word may go on behind them.
const INLINE: &str = "a, b, code, del, em, i, ins, mark, s, span, strong, sub, sup, u";
/// What is not part of the text: controls, notes, and what is there for the eyes alone.
const UNSPOKEN: &str = "button, figcaption, .host, .note, [aria-hidden=true], .visually-hidden";

/// The words in the place of what cannot be spoken.
#[derive(Clone, Copy)]
pub struct LeftOut {
    /// For a block of code: a sentence.
    pub code: &'static str,
    /// For a formula: a part of a sentence.
    pub formula: &'static str,
}

/// The text, and the nodes that it was made of.
pub struct SpokenText {
    /// The text.
    pub text: String,
    /// Where each node's part of the text begins.
    parts: Vec<(usize, Node)>,
    left_out: LeftOut,
}

impl SpokenText {
    /// The text of an element.
    #[must_use]
    pub fn of(element: &Element, left_out: LeftOut) -> Self {
        let mut spoken = Self {
            text: String::new(),
            parts: Vec::new(),
            left_out,
        };
        spoken.collect(element);
        spoken
    }

    fn collect(&mut self, node: &Node) {
        let mut next = node.first_child();
        while let Some(child) = next {
            next = child.next_sibling();
            if let Some(text) = child.dyn_ref::<Text>() {
                let data = text.data();
                self.push(&child, &data);
                continue;
            }
            let Some(element) = child.dyn_ref::<Element>() else {
                continue;
            };
            let matches = |selector| element.matches(selector).unwrap_or_default();
            if matches("figure.code") {
                self.push(&child, self.left_out.code);
                self.text.push('\n');
            } else if element.local_name() == "math" {
                self.push(&child, self.left_out.formula);
            } else if !matches(UNSPOKEN) {
                self.collect(&child);
                if !matches(INLINE) {
                    self.text.push('\n');
                }
            }
        }
    }

    fn push(&mut self, node: &Node, words: &str) {
        self.parts.push((self.text.len(), node.clone()));
        self.text.push_str(words);
    }

    /// A part of the text, given in bytes, on the page. `None` if it is not there any more.
    #[must_use]
    pub fn range(&self, at: &Range<usize>) -> Option<web_sys::Range> {
        let range = document().create_range().ok()?;
        match self.place(at.start)? {
            (node, _, false) => range.set_start_before(node).ok()?,
            (node, start, true) => range.set_start(node, self.units(start..at.start)?).ok()?,
        }
        match self.place(at.end.checked_sub(1)?)? {
            (node, _, false) => range.set_end_after(node).ok()?,
            (node, start, true) => range.set_end(node, self.units(start..at.end)?).ok()?,
        }
        Some(range)
    }

    /// The node that has the byte `at` of the text, where its part begins, and whether it is a text node.
    fn place(&self, at: usize) -> Option<(&Node, usize, bool)> {
        let which = self.parts.partition_point(|(start, _)| *start <= at);
        let (start, node) = self.parts.get(which.checked_sub(1)?)?;
        Some((node, *start, node.has_type::<Text>()))
    }

    /// How many units of UTF-16, in which the browser counts, a part of the text has.
    fn units(&self, part: Range<usize>) -> Option<u32> {
        Some(self.text.get(part)?.encode_utf16().count() as u32)
    }
}

/// Marks a range as the one that is spoken, or none. Without the API nothing is marked.
pub fn mark_spoken(range: Option<&web_sys::Range>) {
    _ = mark(HIGHLIGHT, range.map_or(&[], std::slice::from_ref));
}

/// Whether something of a range is in the part of a scroller that is seen.
#[must_use]
pub fn is_in_view(scroller: &Element, range: &web_sys::Range) -> bool {
    let (view, found) = (
        scroller.get_bounding_client_rect(),
        range.get_bounding_client_rect(),
    );
    found.top() < view.bottom() && found.bottom() > view.top()
}

/// Scrolls a range to the upper third of the scroller, unless all of it is in view.
pub fn follow_range(scroller: &Element, range: &web_sys::Range) {
    let (view, found) = (
        scroller.get_bounding_client_rect(),
        range.get_bounding_client_rect(),
    );
    if found.top() < view.top() || found.bottom() > view.bottom() {
        let goal = view.top() + view.height() / 3.0;
        scroller.set_scroll_top(scroller.scroll_top() + found.top() - goal);
    }
}
