//! A long code, cut at ends of lines into parts that a browser lays out for themselves: of 5,000 lines as one part
//! each slice of spans would have it break all lines again.

use super::super::block::is_mark;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Node, Text};

/// Lines of a part.
const LINES: usize = 200;

/// Whether the code came in parts (`Tag::Lines`): long code does, and its beginning stands before them.
pub(super) fn has_parts(code: &Element) -> bool {
    code.last_element_child().is_some_and(|last| is_part(&last))
}

fn is_part(node: &Node) -> bool {
    let element = node.dyn_ref::<Element>();
    element.is_some_and(|element| element.class_name() == "lines")
}

/// Puts into `part` what stands before the first part, and gives all of them.
fn rest_in(code: &Element, part: Element) -> Option<Vec<Element>> {
    code.insert_before(&part, code.first_child().as_ref())
        .ok()?;
    while let Some(node) = part.next_sibling().filter(|node| !is_part(node)) {
        part.append_child(&node).ok()?;
    }
    let mut parts = vec![part];
    while let Some(next) = parts.last()?.next_element_sibling() {
        parts.push(next);
    }
    Some(parts)
}

/// Cuts the code, unless it came in parts, and gives the parts.
pub(super) fn parts(code: &Element) -> Option<Vec<Element>> {
    let document = web_sys::window()?.document()?;
    let part = || {
        let part = document.create_element("span").ok()?;
        part.set_class_name("lines");
        Some(part)
    };
    if has_parts(code) {
        return rest_in(code, part()?);
    }
    let mut parts = vec![part()?];
    let mut lines = 0;
    let first = code.first_child();
    code.insert_before(parts.first()?, first.as_ref()).ok()?;
    while let Some(node) = parts.last()?.next_sibling() {
        let end = match is_mark(&node) {
            true => None,
            false => cut(&node, &mut lines),
        };
        // The rest of the text is the next node.
        parts.last()?.append_child(&node).ok()?;
        if let Some(rest) = end {
            lines = 0;
            parts.push(part()?);
            code.insert_before(parts.last()?, Some(&rest)).ok()?;
        }
    }
    Some(parts)
}

/// Cuts a text where a part has enough lines, if it holds that many and something after them; gives the rest.
fn cut(node: &Node, lines: &mut usize) -> Option<Node> {
    let text: &Text = node.unchecked_ref();
    let mut at = 0;
    for unit in text.data().encode_utf16() {
        at += 1;
        *lines += usize::from(unit == u16::from(b'\n'));
        if unit == u16::from(b'\n') && *lines >= LINES {
            return match at < text.length() {
                true => text.split_text(at).ok().map(Node::from),
                false => None,
            };
        }
    }
    None
}
