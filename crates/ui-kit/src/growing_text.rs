//! A text that grows at its end.

use leptos::html::Div;
use leptos::prelude::*;
use sash_markdown::visible;
use wasm_bindgen::JsCast;
use web_sys::Text;

/// A text in an element of its own, with automatic direction and hidden characters described. Only new text is read,
/// and appended to the text node: the whole would cost more with each frame, and replacing the node's data, as
/// `{move || text.get()}` does, would remove the reader's selection.
#[component]
pub fn GrowingText(
    /// The class of the element.
    class: &'static str,
    /// The whole text so far.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    let (first, length) = text.with_untracked(|text| (visible(text), text.len()));
    Effect::new(move |shown: Option<usize>| {
        let shown = shown.unwrap_or(length);
        let node = place
            .get()
            .and_then(|place| place.first_child()?.dyn_into::<Text>().ok());
        let Some(node) = node else { return shown };
        text.with(|text| {
            match text.get(shown..) {
                Some("") => {}
                // Appending cannot fail.
                Some(more) => drop(node.append_data(&visible(more))),
                // Another text began.
                None => node.set_data(&visible(text)),
            }
            text.len()
        })
    });
    view! { <div class=class dir="auto" node_ref=place>{first}</div> }
}
