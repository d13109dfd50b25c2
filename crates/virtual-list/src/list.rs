//! The list as a component.

use crate::{ListRow, Virtualizer, print};
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use_event_listener::use_event_listener;
use leptos_use_resize_observer::use_resize_observer;
use std::rc::Rc;

/// More rows than this take a second or more.
const LONG_PRINT_ROWS: usize = 300;

/// A list of rows of which only those near the screen are mounted.
#[component]
pub fn VirtualList<R: ListRow>(
    /// The handle of the list.
    virtualizer: Virtualizer<R>,
    /// The rows; each occurs once.
    rows: Memo<Vec<R>>,
    /// Builds a row: one element.
    view: impl Fn(R) -> AnyView + 'static,
    /// Estimates the height of a row that was never on the page, in a list of this width, both in pixels.
    estimate_height: impl Fn(R, i32) -> i32 + 'static,
    /// Called when all rows are mounted because the browser prints them: what is missing in one must come now.
    on_print: impl Fn() + 'static,
    /// Notifies to print the rows.
    print_asked: Trigger,
    /// Called when so many rows are to be mounted before they are printed that it takes a while.
    on_long_print: impl Fn() + 'static,
    /// Content that overlays the rows.
    children: Children,
) -> impl IntoView {
    let list = virtualizer.list;
    let update = Rc::new(move |rows| {
        untrack(|| virtualizer.update(rows, &view, &estimate_height));
    });
    // The browser lays out the sheets as soon as the listener returns: an effect would mount the rows too late.
    _ = use_event_listener(window(), ev::beforeprint, {
        let update = Rc::clone(&update);
        move |_| {
            virtualizer.set_printing(Some(usize::MAX));
            update(rows.get_untracked());
            on_print();
        }
    });
    _ = use_event_listener(window(), ev::afterprint, move |_| {
        virtualizer.set_printing(None);
        virtualizer.near_changed.notify();
    });
    let print = {
        let update = Rc::clone(&update);
        move || {
            if rows.with_untracked(Vec::len) > LONG_PRINT_ROWS {
                on_long_print();
            }
            let update = Rc::clone(&update);
            spawn_local(print::print(virtualizer, rows, move |rows| update(rows)));
        }
    };
    Effect::watch(move || print_asked.track(), move |(), _, _| print(), false);
    Effect::new(move || {
        virtualizer.near_changed.track();
        virtualizer.goal.track();
        if list.get().is_some() {
            update(rows.get());
        }
    });
    use_resize_observer(list, move |_, _| virtualizer.on_resize());
    view! {
        <div class="messages" node_ref=list>
            {children()}
            <div class="space" aria-hidden="true" node_ref=virtualizer.above></div>
        </div>
        <div class="space" aria-hidden="true" node_ref=virtualizer.below></div>
    }
}
