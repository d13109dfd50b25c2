//! The positions of the stops of the window's upper edge on the page.

use crate::transcript::row::RowList;
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, Policy};
use sash_stores::Kernel;

/// The stop at which the window begins.
pub fn edge(kernel: Kernel) -> usize {
    kernel
        .steering()
        .window
        .with_untracked(|window| window.edge)
}

/// The rule of the open chat.
pub fn policy(kernel: Kernel) -> Policy {
    kernel.chats().open_settings().policy().get_untracked()
}

/// The distance from the top of the list to the edge at a stop, in pixels.
pub fn offset_of(kernel: Kernel, list: RowList, stop: usize) -> i32 {
    let id = kernel
        .steering()
        .window
        .with_untracked(|window| window.stops.get(stop).map(|stop| stop.id));
    let offset = id.and_then(|id| list.offset_of(id));
    offset.unwrap_or_else(|| list.end())
}

/// The stop nearest to a distance from the top of the list.
pub fn nearest(kernel: Kernel, list: RowList, height: i32) -> usize {
    let (mut low, mut high) = (
        0,
        kernel.steering().chosen.with_untracked(|w| w.stops.len()),
    );
    while low < high {
        let middle = low.midpoint(high);
        if offset_of(kernel, list, middle) < height {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let above = low.saturating_sub(1);
    let [upper, lower] = [above, low].map(|stop| offset_of(kernel, list, stop));
    if height - upper < lower - height {
        above
    } else {
        low
    }
}

/// The policy that puts the edge at a stop.
pub fn policy_at(kernel: Kernel, stop: usize) -> Policy {
    let window = kernel.steering().window;
    let at = window.with_untracked(|window| window.stops.get(stop).map(|stop| stop.policy));
    at.unwrap_or_else(|| match policy(kernel) {
        Policy::Exchanges(_) => Policy::Exchanges(0),
        _ => Policy::Messages(0),
    })
}
