//! What a block of code holds, as `ui::markdown` made it.

use wasm_bindgen::JsCast;
use web_sys::Element;

/// What the caption calls the language of a block: a name of the table, or what the model wrote.
pub(super) fn language_of(figure: &Element) -> String {
    let name = figure.query_selector(".code-language").ok().flatten();
    name.and_then(|name| name.text_content())
        .unwrap_or_default()
}

/// The element that holds a block's code.
pub(super) fn code_of(figure: &Element) -> Option<Element> {
    figure.query_selector("code").ok().flatten()
}

/// The ending of its language's files; `None` where the language is none that we know.
pub(super) fn ending_of(figure: &Element) -> Option<String> {
    figure.get_attribute("data-ending")
}

/// The code without the marks for hidden characters, and without the characters: what is pasted
/// does what it looks like.
pub(super) fn text_of(code: &web_sys::Node) -> String {
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

/// Whether a node of the code is a mark for hidden characters: no text of the model's.
pub(super) fn is_mark(node: &web_sys::Node) -> bool {
    let element = node.dyn_ref::<Element>();
    element.is_some_and(|element| element.class_name() == "hidden-mark")
}
