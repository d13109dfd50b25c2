//! The line at the upper edge of the window.

use super::handle::SashHandle;
use super::stops::{edge, offset_of};
use crate::stores::use_kernel;
use crate::transcript::row::RowList;
use leptos::html::{Div, Section};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use_resize_observer::use_resize_observer;
use sash_stores::Kernel;

/// A line across the transcript at the upper edge of the window, with its handle. It overlays the rows and
/// takes no room.
#[component]
pub fn Sash(
    /// The element that scrolls the messages.
    scroller: NodeRef<Section>,
    /// The messages.
    list: RowList,
    /// Whether the edge is being dragged.
    held: RwSignal<bool>,
) -> impl IntoView {
    let kernel = use_kernel();
    let line = NodeRef::<Div>::new();
    let offset = edge_offset(kernel, list);
    view! {
        <div
            class="sash"
            node_ref=line
            style:top=move || offset.get().map(|offset| format!("{offset}px"))
        >
            <SashHandle scroller list line held />
        </div>
    }
}

/// The distance of the edge from the top of the list, in pixels. Follows the edge and every move of the
/// messages.
fn edge_offset(kernel: Kernel, list: RowList) -> RwSignal<Option<i32>> {
    let offset = RwSignal::new(None);
    let measure = move || {
        let now = Some(offset_of(kernel, list, edge(kernel)));
        // Set it only if it changed: an answer grows with each frame, nearly always below the edge. The sash
        // may be removed by then.
        if offset.try_get_untracked().is_some_and(|known| known != now) {
            offset.set(now);
        }
    };
    Effect::new(move || {
        kernel.steering().chosen.track();
        kernel.chats().path.track();
        list.placed.track();
        // After the messages are in place, and before this frame is painted.
        spawn_local(async move { measure() });
    });
    use_resize_observer(list.list, move |_, _| measure());
    offset
}
