//! A dialog that follows a signal.

use super::{El, el, live};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlDialogElement};

/// A modal dialog that is open while `shown` says so. What stands in it is made when it opens.
pub fn dialog(
    class: &str,
    title: &str,
    shown: RwSignal<bool>,
    body: impl Fn() -> El + 'static,
) -> El {
    let id = format!("{class}-title");
    let dialog = el("dialog");
    let element: HtmlDialogElement = dialog.element().unchecked_into();
    let closing = element.clone();
    let dialog = dialog
        .class(&format!("dialog {class}"))
        .attr("aria-labelledby", &id)
        // It is told later, and may be open again by then.
        .on("close", move |_: Event| {
            if !closing.open() {
                shown.set(false);
            }
        })
        .child(el("h2").attr("id", &id).text(title))
        .when(move || shown.get(), body)
        .child(
            el("form")
                .attr("method", "dialog")
                .class("dialog-foot")
                .child(el("button").class("primary").text("Done")),
        );
    live(move || match shown.get() {
        // Only a dialog that is not in the page refuses, and one that is open already.
        true if !element.open() => _ = element.show_modal(),
        false if element.open() => element.close(),
        _ => {}
    });
    dialog
}
