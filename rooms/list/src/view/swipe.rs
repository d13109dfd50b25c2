//! The list of chats on a narrow page is opened and closed by a swipe.

use leptos::ev;
use leptos::prelude::*;
use leptos_use_event_listener::use_event_listener;
use sash_browser_kit::page;
use sash_stores::Kernel;
use wasm_bindgen::JsCast;
use web_sys::{Element, TouchEvent};

/// How far from the edge of the page a swipe that opens begins, in CSS pixels. Systems take the outermost for
/// themselves.
const EDGE_PX: f64 = 48.0;
/// How far a finger moves along the line, in CSS pixels.
const WAY_PX: f64 = 56.0;
/// What a finger moves itself, or scrolls sideways.
const OTHERS: &str = "[role=slider], input, textarea, select, pre, .table, .formula, dialog, .menu";

/// Opens the list by a swipe from the edge of the page, and closes it by one back.
pub fn use_drawer_swipe(kernel: Kernel) {
    // Where the finger came down.
    let start = StoredValue::new(None::<(f64, f64)>);
    let shown = kernel.view().chats_shown;
    _ = use_event_listener(document(), ev::touchstart, move |event: TouchEvent| {
        let begun = place(&event).filter(|(along, _)| {
            let can_begin = shown.get_untracked() || *along <= EDGE_PX;
            can_begin
                && event.touches().length() == 1
                && page::is_narrow()
                && !is_for_others(&event)
        });
        start.set_value(begun);
    });
    _ = use_event_listener(document(), ev::touchend, move |event: TouchEvent| {
        let began = start.try_update_value(Option::take).flatten();
        if let (Some(began), Some((along, down))) = (began, place(&event)) {
            let is_shown = shown.get_untracked();
            let way = match is_shown {
                true => began.0 - along,
                false => along - began.0,
            };
            if way >= WAY_PX && way > 2.0 * (down - began.1).abs() {
                shown.set(!is_shown);
            }
        }
    });
}

/// Where the finger is: how far along the line from its beginning, and how far down.
fn place(event: &TouchEvent) -> Option<(f64, f64)> {
    let touch = event.changed_touches().get(0)?;
    let x = f64::from(touch.client_x());
    let along = match sash_words::language().direction {
        "rtl" => page::width() - x,
        _ => x,
    };
    Some((along, f64::from(touch.client_y())))
}

fn is_for_others(event: &TouchEvent) -> bool {
    let target = event.target().and_then(|at| at.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest(OTHERS).is_ok_and(|found| found.is_some()))
}
