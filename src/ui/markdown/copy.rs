//! "Copy code": one listener for a whole answer.

use crate::browser::clipboard;
use leptos::prelude::set_timeout;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Copies the code whose button was clicked, if it was one, and says so beside it.
pub(super) fn clicked(event: leptos::ev::MouseEvent) {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let button = target.and_then(|target| target.closest("button.copy").ok().flatten());
    let Some(figure) = button.and_then(|button| button.closest("figure").ok().flatten()) else {
        return;
    };
    let find = |what| figure.query_selector(what).ok().flatten();
    let (Some(code), Some(status)) = (find("code"), find(".code-status")) else {
        return;
    };
    leptos::task::spawn_local(async move {
        let copied = clipboard::copy(text_of(&code)).await;
        status.set_text_content(Some(if copied { "Copied" } else { "Could not copy" }));
        set_timeout(
            move || status.set_text_content(None),
            Duration::from_secs(2),
        );
    });
}

/// The code without the marks for hidden characters, and without the characters: what is pasted
/// does what it looks like.
pub(super) fn text_of(code: &Element) -> String {
    let mut text = String::new();
    let mut next = code.first_child();
    while let Some(child) = next {
        if child.node_type() == web_sys::Node::TEXT_NODE {
            text.push_str(&child.text_content().unwrap_or_default());
        }
        next = child.next_sibling();
    }
    text
}
