//! Single elements and texts of an answer.

use wasm_bindgen::UnwrapThrowExt;
use web_sys::{Element, Text};

/// An element with attributes; empty ones are left out.
pub(crate) fn with(tag: &str, attributes: &[(&str, &str)]) -> Element {
    // Neither can fail: all tags and attribute names are constants of this folder.
    let element = document().create_element(tag).unwrap_throw();
    for (name, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
        element.set_attribute(name, value).unwrap_throw();
    }
    element
}

pub(crate) fn append(parent: &Element, child: &web_sys::Node) {
    // Cannot fail: the child is new and has no other parent.
    parent.append_child(child).unwrap_throw();
}

/// A text.
pub(crate) fn text_node(text: &str) -> Text {
    document().create_text_node(text)
}

fn document() -> web_sys::Document {
    let document = web_sys::window().and_then(|window| window.document());
    document.unwrap_throw()
}

/// An element that scrolls sideways and can be focused by keyboard. It is a group and not a region, because
/// regions are landmarks, of which a page should have few, each with a unique name.
pub(crate) fn scroller(tag: &str, class: &str, label: &str) -> Element {
    let attributes = [
        ("class", class),
        ("tabindex", "0"),
        ("role", "group"),
        ("aria-label", label),
    ];
    with(tag, &attributes)
}
