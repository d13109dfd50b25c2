//! Reads the parts of a code block.

use wasm_bindgen::JsCast;
use web_sys::Element;

/// The language name in a block's caption: a name of the table, or the model's own.
#[must_use]
pub fn language_of(figure: &Element) -> String {
    let name = figure.query_selector(".code-language").ok().flatten();
    name.and_then(|name| name.text_content())
        .unwrap_or_default()
}

/// The element that holds a block's code.
#[must_use]
pub fn code_of(figure: &Element) -> Option<Element> {
    figure.query_selector("code").ok().flatten()
}

/// The file extension of its language; `None` for an unknown language.
#[must_use]
pub fn ending_of(figure: &Element) -> Option<String> {
    figure.get_attribute("data-ending")
}

/// The code without hidden characters and their marks, so that pasted code does what it looks like.
#[must_use]
pub fn text_of(code: &web_sys::Node) -> String {
    let mut text = String::new();
    let mut next = code.first_child();
    while let Some(child) = next {
        if child.node_type() == web_sys::Node::TEXT_NODE {
            text.push_str(&child.text_content().unwrap_or_default());
        } else if !is_mark(&child) {
            text.push_str(&text_of(&child));
        }
        next = child.next_sibling();
    }
    text
}

/// Whether a node of the code is a mark for hidden characters and not text of the model.
#[must_use]
pub fn is_mark(node: &web_sys::Node) -> bool {
    let element = node.dyn_ref::<Element>();
    element.is_some_and(|element| element.class_name() == "hidden-mark")
}
