//! The part of the page that an on-screen keyboard leaves. Where the browser makes the page smaller itself, as the viewport
//! in index.html asks for, there is nothing to do; Safari lays the keyboard over the page.

use crate::console::LogError;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{EventTarget, HtmlElement};

// web-sys has it only among its unstable interfaces.
#[wasm_bindgen]
extern "C" {
    type ViewportWindow;
    #[wasm_bindgen(method, getter, js_name = visualViewport)]
    fn visual_viewport(this: &ViewportWindow) -> Option<VisualViewport>;

    #[derive(Clone)]
    #[wasm_bindgen(extends = EventTarget)]
    type VisualViewport;
    #[wasm_bindgen(method, getter)]
    fn height(this: &VisualViewport) -> f64;
    #[wasm_bindgen(method, getter, js_name = offsetTop)]
    fn offset_top(this: &VisualViewport) -> f64;
    #[wasm_bindgen(method, getter)]
    fn scale(this: &VisualViewport) -> f64;
}

/// What is covered is a keyboard from so many CSS pixels on; less is the bar of a browser that slides in.
const MIN_KEYBOARD_PX: f64 = 100.0;

/// Tells the styles the height that a keyboard leaves, and how far the page is pushed up.
pub fn follow_visual_viewport() {
    let window: ViewportWindow = window().unchecked_into();
    let Some(viewport) = window.visual_viewport() else {
        return;
    };
    let target: &EventTarget = viewport.as_ref();
    for event in ["resize", "scroll"] {
        let followed = viewport.clone();
        // Lives as long as the page.
        let listener = Closure::<dyn Fn()>::new(move || record(&followed)).into_js_value();
        target
            .add_event_listener_with_callback(event, listener.unchecked_ref())
            .log_error();
    }
}

fn record(viewport: &VisualViewport) {
    let Some(root) = document().document_element() else {
        return;
    };
    let style = root.unchecked_into::<HtmlElement>().style();
    let height = window()
        .inner_height()
        .ok()
        .and_then(|height| height.as_f64());
    let covered = height.unwrap_or_default() - viewport.height();
    // Who has enlarged the page with two fingers sees a part of it on purpose.
    let is_covered = covered >= MIN_KEYBOARD_PX && (viewport.scale() - 1.0).abs() < 0.01;
    let lengths = [
        ("--seen-height", viewport.height()),
        ("--seen-top", viewport.offset_top()),
    ];
    for (name, length) in lengths {
        match is_covered {
            true => style.set_property(name, &format!("{length}px")).log_error(),
            false => style.remove_property(name).map(drop).log_error(),
        }
    }
}
