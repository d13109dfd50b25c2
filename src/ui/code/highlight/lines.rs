//! The parts of a long code block, each with a layout of its own (`Tag::Lines`): with 5,000 lines in one
//! part, each slice of spans would make the browser break all lines again.

use wasm_bindgen::prelude::*;
use web_sys::{Element, Node};

/// The parts of a code block, in order. A block without parts is a single one; otherwise the text before the
/// others is wrapped into the first part.
pub(super) fn parts(code: &Element) -> Option<Vec<Element>> {
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
