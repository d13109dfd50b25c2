//! A selection that holds formulas, copied: their source as plain text, MathML as rich text. What a browser itself
//! takes from a formula is its glyphs, of which nobody can make the formula again.

use wasm_bindgen::prelude::*;
use web_sys::{ClipboardEvent, Element, HtmlElement, Node, Range};

/// Listens from now on.
pub fn listen() {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    let listener = Closure::<dyn Fn(ClipboardEvent)>::new(|event: ClipboardEvent| {
        // A selection without a formula is the browser's.
        let _ = copied(&event);
    });
    // Every document has this event.
    let _ = document.add_event_listener_with_callback("copy", listener.as_ref().unchecked_ref());
    // For as long as the page lives.
    listener.forget();
}

fn copied(event: &ClipboardEvent) -> Option<()> {
    let target: Element = event.target()?.dyn_into().ok()?;
    // A field has a selection of its own.
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

/// A copy of what is selected, in a place of its own; of a formula that is selected in part, all.
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

/// What stands in `place` as it reads, formulas as they were written. A browser says how it reads only of what is in
/// the page.
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
