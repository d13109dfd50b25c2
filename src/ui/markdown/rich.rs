//! An answer for the clipboard: as Markdown for what takes plain text, as rich text for what takes that.

use super::Renderer;
use super::build::with;
use crate::browser::clipboard;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Copies the answer that stands beside the heading with that id and was written as `markdown`; tells whether it worked.
/// `None` where there is none.
#[must_use]
pub fn copy_beside(heading: &str, markdown: String) -> Option<impl Future<Output = bool> + use<>> {
    let heading = web_sys::window()?.document()?.get_element_by_id(heading)?;
    let place = heading.parent_element()?;
    let place = place.query_selector(".markdown").ok()??;
    Some(copy(place, markdown))
}

async fn copy(place: Element, markdown: String) -> bool {
    // One that is still being built is built anew as a whole: a browser lets nothing be copied later.
    let html = match place.has_attribute("aria-busy") {
        true => html_of(&whole(&markdown)),
        false => html_of(&place),
    };
    clipboard::copy_rich(markdown, html).await
}

/// All of an answer, outside the page.
fn whole(markdown: &str) -> Element {
    let place = with("div", &[]);
    let mut renderer = Renderer::new(place.clone());
    renderer.add(markdown, false);
    renderer.go_to_end();
    place
}

/// What is shown, as HTML for other programs: without what only this page needs.
fn html_of(place: &Element) -> String {
    let Some(copy) = place.clone_node_with_deep(true).ok() else {
        return String::new();
    };
    let copy: Element = copy.unchecked_into();
    while let Ok(Some(part)) = copy.query_selector(".part") {
        while let Some(block) = part.first_child() {
            // Both are in the copy.
            let _ = copy.insert_before(&block, Some(&part));
        }
        part.remove();
    }
    strip(&copy);
    // In the page an answer's headings stand below its own, which is the third.
    let html = copy.inner_html();
    [("h4", "h1"), ("h5", "h2"), ("h6", "h3")]
        .into_iter()
        .fold(html, |html, (here, there)| {
            html.replace(&format!("<{here}"), &format!("<{there}"))
                .replace(&format!("</{here}>"), &format!("</{there}>"))
        })
}

/// Takes out of a copy what is ours and not the answer's: buttons, names of hosts and notes, and all attributes but those
/// that say something. A formula is left as it is.
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
                // Taking away cannot fail.
                let _ = child.remove_attribute(&name);
            }
        }
        strip(&child);
    }
}
