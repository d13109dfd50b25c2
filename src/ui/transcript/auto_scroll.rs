//! The end of the transcript, where a growing answer is followed.

use leptos::html::Section;
use leptos::prelude::*;
use web_sys::HtmlElement;

/// How near to the end still counts as there, in pixels.
const END_TOLERANCE: i32 = 48;

/// Follows the end of a scrolled element while the reader is there, and leaves it alone otherwise.
#[derive(Clone, Copy)]
pub struct AutoScroll {
    scroller: NodeRef<Section>,
    /// Whether the reader left the end.
    away: StoredValue<bool>,
    /// Where the element was scrolled to when last looked at.
    last_top: StoredValue<i32>,
    /// Whether the reader is at the end.
    pub at_end: RwSignal<bool>,
}

impl AutoScroll {
    /// For the element that scrolls.
    pub fn new(scroller: NodeRef<Section>) -> Self {
        Self {
            scroller,
            away: StoredValue::new(false),
            last_top: StoredValue::new(0),
            at_end: RwSignal::new(true),
        }
    }

    /// Takes note of where the reader is; tells whether they are at the end. Only scrolling up leaves the end: text
    /// that came since the last frame puts the end further away too.
    pub fn note_position(self) -> bool {
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
    pub fn note_jump(self) {
        if self.scroller().is_some() {
            // From below: whatever is not the end was left.
            self.last_top.set_value(i32::MAX);
            self.away.set_value(false);
            self.at_end.set(self.note_position());
        }
    }

    /// The reader scrolled.
    pub fn on_scroll(self) {
        self.at_end.set(self.note_position());
    }

    /// Whether the reader is at the end, as last looked at.
    pub fn is_at_end(self) -> bool {
        !self.away.get_value()
    }

    /// Goes to the end in the next frame, if the reader is there. They may have left since the last event told.
    pub fn follow(self) {
        request_animation_frame(move || self.follow_now());
    }

    fn follow_now(self) {
        let Some(scroller) = self.scroller() else {
            return;
        };
        if self.note_position() {
            scroller.set_scroll_top(scroller.scroll_height().into());
            self.last_top.set_value(scroller.scroll_top() as i32);
        }
    }

    /// Goes to the end and stays there.
    pub fn jump(self) {
        if self.scroller().is_some() {
            self.away.set_value(false);
            self.last_top.set_value(0);
            self.follow_now();
            self.at_end.set(true);
        }
    }

    /// The element, unless the transcript is gone: frames and timers end later than it does.
    fn scroller(self) -> Option<HtmlElement> {
        self.scroller.try_get_untracked().flatten()
    }
}
