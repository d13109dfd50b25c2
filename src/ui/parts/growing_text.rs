//! A text that grows at its end.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Text;

/// A text in an element of its own, with automatic direction. New text is appended to the text node:
/// replacing the node's data, as `{move || text.get()}` does, would remove the reader's selection.
#[component]
pub fn GrowingText(
    /// The class of the element.
    class: &'static str,
    /// The whole text so far.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    let first = text.get_untracked();
    let shown = StoredValue::new(first.clone());
    Effect::new(move || {
        let node = place
            .get()
            .and_then(|place| place.first_child()?.dyn_into::<Text>().ok());
        let Some(node) = node else { return };
        text.with(|text| {
            shown.update_value(|shown| {
                match text.strip_prefix(shown.as_str()) {
                    Some("") => {}
                    // Appending cannot fail.
                    Some(new) => drop(node.append_data(new)),
                    None => node.set_data(text),
                }
                shown.clone_from(text);
            });
        });
    });
    view! { <div class=class dir="auto" node_ref=place>{first}</div> }
}
