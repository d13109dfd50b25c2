//! The list as a component.

use super::Virtualizer;
use crate::browser::page;
use crate::ui::transcript::row::Row;
use leptos::prelude::*;

/// A list of rows of which only those near the screen are mounted.
#[component]
pub fn VirtualList(
    /// The handle of the list.
    virtualizer: Virtualizer,
    /// The rows; each occurs once.
    rows: Memo<Vec<Row>>,
    /// Builds a row: one element.
    view: impl Fn(Row) -> AnyView + 'static,
    /// Estimates the height of a row that was never on the page, in a list of this width, both in pixels.
    estimate_height: impl Fn(Row, i32) -> i32 + 'static,
    /// Content that overlays the rows.
    children: Children,
) -> impl IntoView {
    let list = virtualizer.list;
    Effect::new(move || {
        virtualizer.near_changed.track();
        virtualizer.goal.track();
        virtualizer.whole.track();
        if list.get().is_some() {
            let rows = rows.get();
            untrack(|| virtualizer.update(rows, &view, &estimate_height));
        }
    });
    // The observer lives until the effect ends.
    Effect::new(move |_| {
        let list = list.get()?;
        let on_resize = Box::new(move || virtualizer.on_resize());
        Some(page::SizeObserver::new(&list, on_resize))
    });
    view! {
        <div class="messages" node_ref=list>
            {children()}
            <div class="space" aria-hidden="true" node_ref=virtualizer.above></div>
        </div>
        <div class="space" aria-hidden="true" node_ref=virtualizer.below></div>
    }
}
