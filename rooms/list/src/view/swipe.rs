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

/// Where a finger came down, and whether it may close the list; otherwise it may open it.
#[derive(Clone, Copy)]
struct Swipe {
    along: f64,
    down: f64,
    closes: bool,
}

/// Opens the list by a swipe from the edge of the page, and closes it by one back.
pub fn use_drawer_swipe(kernel: Kernel) {
    let swipe = StoredValue::new(None::<Swipe>);
    let shown = kernel.view().chats_shown;
    _ = use_event_listener(document(), ev::touchstart, move |event: TouchEvent| {
        let begun = place(&event).filter(|_| event.touches().length() == 1 && page::is_narrow());
        let closes = shown.get_untracked();
        let begun =
            begun.filter(|(along, _)| (closes || *along <= EDGE_PX) && !is_for_others(&event));
        swipe.set_value(begun.map(|(along, down)| Swipe {
            along,
            down,
            closes,
        }));
    });
    _ = use_event_listener(document(), ev::touchend, move |event: TouchEvent| {
        let began = swipe.try_update_value(Option::take).flatten();
        if let (Some(began), Some((along, down))) = (began, place(&event)) {
            let way = match began.closes {
                true => began.along - along,
                false => along - began.along,
            };
            if way >= WAY_PX && way > 2.0 * (down - began.down).abs() {
                shown.set(!began.closes);
            }
        }
    });
    _ = use_event_listener(document(), ev::touchcancel, move |_| swipe.set_value(None));
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
