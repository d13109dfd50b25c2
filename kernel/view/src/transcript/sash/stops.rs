//! The positions of the stops of the window's upper edge on the page.

use crate::transcript::row::RowList;
use leptos::prelude::*;
use sash_chat::Policy;
use sash_stores::Kernel;

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
    let exchanges = kernel
        .chats()
        .open
        .with_untracked(|chat| matches!(chat.head.settings.policy, Policy::Exchanges(_)));
    let none = if exchanges {
        Policy::Exchanges(0)
    } else {
        Policy::Messages(0)
    };
    let policy = kernel
        .steering()
        .window
        .with_untracked(|window| window.stops.get(stop).map(|stop| stop.policy));
    policy.unwrap_or(none)
}
