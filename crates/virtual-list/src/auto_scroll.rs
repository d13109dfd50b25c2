//! Automatic scrolling at the end of a list.

use leptos::html::Section;
use leptos::prelude::*;
use web_sys::HtmlElement;

/// Distance to the end that still counts as the end, in pixels.
const END_TOLERANCE: i32 = 48;

/// Follows the end of a scrolling element while the reader is there, and does nothing otherwise.
#[derive(Clone, Copy)]
pub struct AutoScroll {
    scroller: NodeRef<Section>,
    /// Whether the reader has left the end.
    away: StoredValue<bool>,
    /// The last known scroll position.
    last_top: StoredValue<i32>,
    /// Whether the reader is at the end.
    pub at_end: RwSignal<bool>,
}

impl AutoScroll {
    /// Automatic scrolling of this element.
    pub fn new(scroller: NodeRef<Section>) -> Self {
        Self {
            scroller,
            away: StoredValue::new(false),
            last_top: StoredValue::new(0),
            at_end: RwSignal::new(true),
        }
    }

    /// Updates the reader's position; returns whether it is at the end. Only scrolling up leaves the end,
    /// because new text also increases the distance to it.
    pub fn record_position(self) -> bool {
        let Some(scroller) = self.scroller() else {
            return true;
        };
        let top = scroller.scroll_top() as i32;
        let below = scroller.scroll_height() - top - scroller.client_height();
        let up = top < self.last_top.get_value();
        self.last_top.set_value(top);
        if below <= END_TOLERANCE {
            self.away.set_value(false);
        } else if up {
            self.away.set_value(true);
        }
        self.is_at_end()
    }

    /// The reader was brought to another place: they are at its end or they are not, from wherever they came.
    pub fn record_jump(self) {
        if self.scroller().is_some() {
            // From below: whatever is not the end was left.
            self.last_top.set_value(i32::MAX);
            self.away.set_value(false);
            self.at_end.set(self.record_position());
        }
    }

    /// The reader scrolled.
    pub fn on_scroll(self) {
        self.at_end.set(self.record_position());
    }

    /// Whether the reader was at the end at the last update.
    pub fn is_at_end(self) -> bool {
        !self.away.get_value()
    }

    /// Scrolls to the end in the next frame if the reader is there. The reader may have left since the last
    /// event.
    pub fn follow(self) {
        request_animation_frame(move || self.follow_now());
    }

    fn follow_now(self) {
        let Some(scroller) = self.scroller() else {
            return;
        };
        if self.record_position() {
            scroller.set_scroll_top(scroller.scroll_height().into());
            self.last_top.set_value(scroller.scroll_top() as i32);
        }
    }

    /// Scrolls to the end and follows it.
    pub fn jump(self) {
        if self.scroller().is_some() {
            self.away.set_value(false);
            self.last_top.set_value(0);
            self.follow_now();
            self.at_end.set(true);
        }
    }

    /// The element, unless the list was removed: frames and timers may run after that. Whoever gave the reference may have
    /// it for longer.
    fn scroller(self) -> Option<HtmlElement> {
        let is_removed = self.last_top.is_disposed();
        self.scroller
            .try_get_untracked()
            .flatten()
            .filter(|_| !is_removed)
    }
}
