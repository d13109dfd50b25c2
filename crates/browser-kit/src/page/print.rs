//! Printing the page.

use crate::console::LogError;
use leptos::ev;
use leptos::prelude::*;
use leptos_use_event_listener::use_event_listener;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlImageElement};

/// Opens the browser's print dialog. Returns when it is closed, or at once where the browser does not wait for it.
pub fn print() {
    window().print().log_error();
}

/// While the page is printed, its title is this one: browsers name the file after it.
pub fn use_print_title(title: impl Fn() -> String + 'static) {
    let former = StoredValue::new(None::<String>);
    _ = use_event_listener(window(), ev::beforeprint, move |_| {
        let document = document();
        former.update_value(|former| _ = former.get_or_insert_with(|| document.title()));
        document.set_title(&title());
    });
    _ = use_event_listener(window(), ev::afterprint, move |_| {
        if let Some(title) = former.try_update_value(Option::take).flatten() {
            document().set_title(&title);
        }
    });
}

/// Whether all images in an element are there.
#[must_use]
pub fn are_images_complete(element: &Element) -> bool {
    let Ok(images) = element.query_selector_all("img") else {
        return true;
    };
    let mut images = (0..images.length()).filter_map(|at| images.get(at));
    images.all(|image| {
        let image = image.dyn_ref::<HtmlImageElement>();
        image.is_none_or(HtmlImageElement::complete)
    })
}
