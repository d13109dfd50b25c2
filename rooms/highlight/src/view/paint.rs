//! Wraps pieces of code in spans of fixed classes. The text itself never changes.

use crate::HighlightClass;
use leptos::prelude::document;
use sash_browser_kit::console::LogError;
use sash_browser_kit::{clock, page};
use sash_markdown_view::code::{is_mark, text_of};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{AddEventListenerOptions, Document, Element, Node, Text};

/// Pieces that are wrapped before the page gets its turn: about 5 ms.
const SLICE_PIECES: usize = 400;

/// Wraps the code of a block, for all of which these are the runs. Does the first slice at once, so that a short block that
/// returns is never shown plain, and the others when the page has time. Does nothing if the runs are empty or do not fit the
/// code.
pub fn paint(code: Element, runs: Rc<str>) {
    let lengths = runs.split(' ').filter_map(read);
    let length: usize = lengths.map(|(_, length)| length as usize).sum();
    if length > 0 && length == text_of(&code).encode_utf16().count() {
        let painting = Painting {
            next: None,
            parts: Vec::new(),
            code,
            runs,
            at: 0,
            class: None,
            left: 0,
        };
        painting.go_on();
    }
}

/// A block that is being highlighted.
struct Painting {
    code: Element,
    runs: Rc<str>,
    /// The position in the encoded runs, in bytes, and the rest of the current run: its class, and its length
    /// in UTF-16 code units.
    at: usize,
    class: Option<char>,
    left: u32,
    /// Where the text without spans begins: in the first of these parts, at this node.
    parts: Vec<Element>,
    next: Option<Node>,
}

impl Painting {
    fn go_on(mut self) {
        if self.is_selected() {
            return hold(self);
        }
        if self.parts.is_empty() {
            self.parts = parts_of(&self.code).unwrap_or_default();
            self.parts.reverse();
            self.next = self.parts.last().and_then(|part| part.first_child());
        }
        if self.slice(&document()).is_some() {
            spawn_local(async move {
                clock::pause().await;
                self.go_on();
            });
        }
    }

    /// Wraps pieces until the slice ends; `None` when all are wrapped.
    fn slice(&mut self, document: &Document) -> Option<()> {
        let mut made = 0;
        while made < SLICE_PIECES {
            let Some(node) = self.next.take() else {
                self.parts.pop();
                self.next = self.parts.last()?.first_child();
                continue;
            };
            if is_mark(&node) {
                self.next = node.next_sibling();
                continue;
            }
            let text: &Text = node.unchecked_ref();
            let length = text.length();
            let mut done = 0;
            while done < length && made < SLICE_PIECES {
                if self.left == 0 {
                    self.read()?;
                }
                let count = self.left.min(length - done);
                let piece = text.substring_data(done, count).ok()?;
                let child: Node = match self.class {
                    None => document.create_text_node(&piece).into(),
                    Some(letter) => {
                        let span = document.create_element("span").ok()?;
                        span.set_class_name(&format!("tok-{letter}"));
                        span.set_text_content(Some(&piece));
                        span.into()
                    }
                };
                // The same piece of the old text is removed at the end of this slice, so it is never painted
                // twice.
                self.parts
                    .last()?
                    .insert_before(&child, Some(&node))
                    .log_error();
                done += count;
                self.left -= count;
                made += 1;
            }
            if done < length {
                text.delete_data(0, done).log_error();
                self.next = Some(node);
            } else {
                self.next = node.next_sibling();
                self.parts.last()?.remove_child(&node).log_error();
            }
        }
        Some(())
    }

    /// Reads the next run, if there is one.
    fn read(&mut self) -> Option<()> {
        let rest = self.runs.get(self.at..)?;
        let run = rest.split(' ').next()?;
        self.at += run.len() + 1;
        (self.class, self.left) = read(run)?;
        Some(())
    }

    /// Whether part of the code is selected: adding spans would break the selection.
    fn is_selected(&self) -> bool {
        page::is_selected(&self.code)
    }
}

/// The class of a run, if it is known, and its length.
fn read(run: &str) -> Option<(Option<char>, u32)> {
    let digits = run.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letter = run.chars().next().filter(char::is_ascii_lowercase);
    let known = letter.filter(|letter| {
        HighlightClass::ALL
            .iter()
            .any(|class| class.letter() == *letter)
    });
    Some((known, digits.parse().ok()?))
}

/// Holds a painting until the selection changes.
fn hold(painting: Painting) {
    let go_on = Closure::once_into_js(move || painting.go_on());
    let once = AddEventListenerOptions::new();
    once.set_once(true);
    document()
        .add_event_listener_with_callback_and_add_event_listener_options(
            "selectionchange",
            go_on.unchecked_ref(),
            &once,
        )
        .log_error();
}

/// The parts of a code block, in order, each with a layout of its own (`Tag::Lines`): with 5,000 lines in one part, each
/// slice of spans would make the browser break all lines again. A block without parts is a single one; otherwise the
/// text before the others is wrapped into the first part.
fn parts_of(code: &Element) -> Option<Vec<Element>> {
    if !code.last_element_child().is_some_and(|last| is_part(&last)) {
        return Some(vec![code.clone()]);
    }
    let first = code.owner_document()?.create_element("span").ok()?;
    first.set_class_name("lines");
    code.insert_before(&first, code.first_child().as_ref())
        .ok()?;
    while let Some(node) = first.next_sibling().filter(|node| !is_part(node)) {
        first.append_child(&node).ok()?;
    }
    let mut parts = vec![first];
    while let Some(next) = parts.last()?.next_element_sibling() {
        parts.push(next);
    }
    Some(parts)
}

fn is_part(node: &Node) -> bool {
    let element = node.dyn_ref::<Element>();
    element.is_some_and(|element| element.class_name() == "lines")
}
