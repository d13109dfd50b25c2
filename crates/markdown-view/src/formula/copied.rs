//! Copying a selection with formulas: their source as plain text, MathML as rich text. A browser itself
//! copies only the glyphs, from which the formula cannot be recovered.

use leptos::ev;
use leptos::prelude::window_event_listener;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Element, HtmlElement, Node, Range};

/// Starts to listen, as long as the page lives.
pub fn listen() {
    window_event_listener(ev::Custom::new("copy"), |event| _ = copied(&event));
}

fn copied(event: &ClipboardEvent) -> Option<()> {
    let target: Element = event.target()?.dyn_into().ok()?;
    // Fields have a selection of their own.
    if event.default_prevented() || target.matches("input, textarea").ok()? {
        return None;
    }
    let place = selected()?;
    place.query_selector(".formula > math").ok()??;
    while let Some(ours) = place.query_selector("figcaption, .host").ok()? {
        ours.remove();
    }
    let html = place.inner_html();
    let plain = plain_of(&place)?;
    let data = event.clipboard_data()?;
    data.set_data("text/plain", &plain).ok()?;
    data.set_data("text/html", &html).ok()?;
    event.prevent_default();
    Some(())
}

/// A copy of the selection in an element of its own; a partly selected formula is included as a whole.
fn selected() -> Option<HtmlElement> {
    let window = web_sys::window()?;
    let selection = window.get_selection().ok()??;
    if selection.range_count() != 1 {
        return None;
    }
    let range: Range = selection.get_range_at(0).ok()?.clone_range();
    if let Some(formula) = formula_around(range.start_container().ok()?) {
        range.set_start_before(&formula).ok()?;
    }
    if let Some(formula) = formula_around(range.end_container().ok()?) {
        range.set_end_after(&formula).ok()?;
    }
    let place = window.document()?.create_element("div").ok()?;
    place.set_class_name("markdown copied");
    let content: Node = range.clone_contents().ok()?.into();
    place.append_child(&content).ok()?;
    place.dyn_into().ok()
}

fn formula_around(node: Node) -> Option<Element> {
    let element = node.dyn_into().or_else(|node: Node| {
        let parent = node.parent_element();
        parent.ok_or(node)
    });
    element.ok()?.closest(".formula").ok()?
}

/// The rendered text of `place`, with formulas as their source. The element must be in the page, because a
/// browser renders text only there.
fn plain_of(place: &HtmlElement) -> Option<String> {
    while let Some(math) = place.query_selector(".formula > math").ok()? {
        let formula = math.parent_element()?;
        formula.set_text_content(formula.get_attribute("data-source").as_deref());
    }
    let body = place.owner_document()?.body()?;
    body.append_child(place).ok()?;
    let plain = place.inner_text();
    place.remove();
    Some(plain)
}
