//! Copies an answer to the clipboard: as Markdown (plain text) and as rich text.

use crate::element::with;
use crate::renderer::Renderer;
use sash_browser_kit::clipboard;
use sash_browser_kit::console::LogError;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Copies the answer in a row, whose source is `markdown`; resolves to whether it worked. `None` if the row has no
/// formatted answer.
#[must_use]
pub fn copy_within(row: &Element, markdown: String) -> Option<impl Future<Output = bool> + use<>> {
    let place = row.query_selector(".markdown").ok()??;
    Some(copy(place, markdown))
}

async fn copy(place: Element, markdown: String) -> bool {
    // If the answer is still being built, build it as a whole now: a browser does not allow copying later.
    let html = match place.has_attribute("aria-busy") {
        true => html_of(&whole(&markdown)),
        false => html_of(&place),
    };
    clipboard::copy_rich(markdown, html).await
}

/// Builds a whole answer outside the page.
fn whole(markdown: &str) -> Element {
    let place = with("div", &[]);
    let mut renderer = Renderer::new(place.clone());
    renderer.add(markdown, false);
    renderer.finish();
    place
}

/// The HTML of an answer for other programs, without the parts that only this page needs.
fn html_of(place: &Element) -> String {
    let Some(copy) = place.clone_node_with_deep(true).ok() else {
        return String::new();
    };
    let copy: Element = copy.unchecked_into();
    while let Ok(Some(part)) = copy.query_selector(".part") {
        while let Some(block) = part.first_child() {
            copy.insert_before(&block, Some(&part)).log_error();
        }
        part.remove();
    }
    strip(&copy);
    // In the page an answer's headings are below its own heading, which is an h3.
    let html = copy.inner_html();
    [("h4", "h1"), ("h5", "h2"), ("h6", "h3")]
        .into_iter()
        .fold(html, |html, (here, there)| {
            html.replace(&format!("<{here}"), &format!("<{there}"))
                .replace(&format!("</{here}>"), &format!("</{there}>"))
        })
}

/// Removes from a copy what is not part of the answer: buttons, host names, notes, and all attributes without
/// meaning. Formulas are left unchanged.
fn strip(element: &Element) {
    let mut next = element.first_element_child();
    while let Some(child) = next {
        next = child.next_element_sibling();
        if child
            .matches("figcaption, button, .host, .note")
            .unwrap_or(false)
        {
            child.remove();
            continue;
        }
        if child.local_name() == "math" {
            continue;
        }
        for name in child.get_attribute_names() {
            let name = name.as_string().unwrap_or_default();
            if !["href", "start", "dir", "scope"].contains(&name.as_str()) {
                child.remove_attribute(&name).log_error();
            }
        }
        strip(&child);
    }
}
