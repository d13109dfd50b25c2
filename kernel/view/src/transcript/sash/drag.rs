//! Drags the upper edge of the window: once a frame it moves to the stop nearest to the pointer. The change
//! is shown at once and written when the edge is dropped.

use super::stops::{edge, nearest, offset_of, policy, policy_at};
use crate::transcript::row::RowList;
use leptos::html::Section;
use leptos::prelude::*;
use sash_chat::{Id, Policy};
use sash_stores::Kernel;
use web_sys::PointerEvent;

/// How far the pointer may move in a click, in pixels.
const CLICK_TOLERANCE: i32 = 2;

/// The drag of the edge over the messages.
#[derive(Clone, Copy)]
pub struct Drag {
    kernel: Kernel,
    scroller: NodeRef<Section>,
    list: RowList,
    grip: StoredValue<Option<DragState>>,
    /// Whether the edge is being dragged.
    pub held: RwSignal<bool>,
}

/// A drag in progress.
#[derive(Clone, Copy)]
struct DragState {
    chat: Id,
    /// The policy at its start.
    policy: Policy,
    /// The stop at its start.
    stop: usize,
    /// Offset such that `list_y = offset + client_y + scroll_top`; it does not change when rows above get their
    /// measured height.
    offset: i32,
    /// The pointer's position in the viewport.
    client_y: i32,
    /// Whether the pointer has moved.
    moved: bool,
    /// How far the transcript was scrolled up because the pointer is near its border, in pixels.
    scrolled: i32,
}

impl Drag {
    /// No drag yet.
    pub fn new(
        kernel: Kernel,
        scroller: NodeRef<Section>,
        list: RowList,
        held: RwSignal<bool>,
    ) -> Self {
        // An empty chat has no handle that could be dropped.
        on_cleanup(move || _ = held.try_set(false));
        Self {
            kernel,
            scroller,
            list,
            grip: StoredValue::new(None),
            held,
        }
    }

    /// Starts a drag when the pointer is pressed.
    pub fn start(self, event: &PointerEvent) {
        let Some(scroller) = self.scroller.get_untracked() else {
            return;
        };
        if event.button() != 0 || !event.is_primary() {
            return;
        }
        let stop = edge(self.kernel);
        let client_y = event.client_y() as i32;
        let list_y = offset_of(self.kernel, self.list, stop);
        self.grip.set_value(Some(DragState {
            chat: self.kernel.chats().open_id_untracked(),
            policy: policy(self.kernel),
            stop,
            offset: list_y - client_y - scroller.scroll_top() as i32,
            client_y,
            moved: false,
            scrolled: 0,
        }));
        self.held.set(true);
        self.each_frame();
    }

    /// Handles a movement of the pointer.
    pub fn on_move(self, event: &PointerEvent) {
        let client_y = event.client_y() as i32;
        self.grip.update_value(|grip| {
            if let Some(grip) = grip {
                grip.moved |= (client_y - grip.client_y).abs() > CLICK_TOLERANCE;
                if grip.moved {
                    grip.client_y = client_y;
                }
            }
        });
    }

    /// Drops the edge: the shown policy is written as one step.
    pub fn drop(self) {
        self.follow_pointer();
        if self.state().is_some() {
            self.end();
            self.kernel.steering().set_policy(policy(self.kernel));
        }
    }

    /// Moves the edge back to where the drag started. Returns whether it was being dragged.
    pub fn cancel(self) -> bool {
        let grip = self.state();
        if let Some(grip) = grip {
            self.end();
            self.kernel.steering().show_policy(grip.policy);
        }
        grip.is_some()
    }

    fn end(self) {
        self.grip.set_value(None);
        self.held.set(false);
    }

    fn each_frame(self) {
        request_animation_frame(move || {
            if let Some(grip) = self.state() {
                self.scroll(grip);
                self.follow_pointer();
                self.each_frame();
            }
        });
    }

    /// The drag in progress, unless the chat has changed or the sash was removed.
    fn state(self) -> Option<DragState> {
        let grip = self.grip.try_get_value()??;
        if grip.chat != self.kernel.chats().open_id_untracked() {
            self.end();
            return None;
        }
        Some(grip)
    }

    /// Moves the edge to the pointer.
    fn follow_pointer(self) {
        let grip = self.state().filter(|grip| grip.moved);
        let Some((grip, scroller)) = grip.zip(self.scroller.get_untracked()) else {
            return;
        };
        let list_y = grip.offset + grip.client_y + scroller.scroll_top() as i32;
        let to = nearest(self.kernel, self.list, list_y);
        if edge(self.kernel) != to {
            // At its first stop the edge gets its first policy back.
            let policy = match to == grip.stop {
                true => grip.policy,
                false => policy_at(self.kernel, to),
            };
            self.kernel.steering().show_policy(policy);
        }
    }

    /// Scrolls the transcript as far as the pointer's place near its border says.
    fn scroll(self, grip: DragState) {
        let Some(scroller) = self.scroller.get_untracked() else {
            return;
        };
        // The transcript's container begins at the top of the page.
        let top = scroller.offset_top();
        let wanted = rim_scroll(grip.client_y, top, top + scroller.client_height());
        if grip.moved && wanted != grip.scrolled {
            let before = scroller.scroll_top() as i32;
            scroller.set_scroll_top((before + grip.scrolled - wanted).into());
            // At the first or last message it scrolls less far.
            let by = before - scroller.scroll_top() as i32;
            self.grip.update_value(|grip| {
                if let Some(grip) = grip {
                    grip.scrolled += by;
                }
            });
        }
    }
}

/// Distance to the upper or lower border of the transcript within which dragging scrolls it, in pixels.
const SCROLL_ZONE_PX: i32 = 44;
/// How far the transcript scrolls for each pixel of the way into that zone, and beyond the border.
const SCROLL_GAIN: i32 = 8;

/// How far the transcript has to be scrolled up (below zero: down) for a pointer at this height between its borders, in
/// pixels. Where the pointer rests, nothing moves: scrolling that went on by itself took the edge past twenty messages
/// in half a second.
fn rim_scroll(client_y: i32, top: i32, bottom: i32) -> i32 {
    let above = top + SCROLL_ZONE_PX - client_y;
    let below = client_y - (bottom - SCROLL_ZONE_PX);
    (above.max(0) - below.max(0)) * SCROLL_GAIN
}
