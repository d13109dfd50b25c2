//! A long press with a finger.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{PointerEvent, TouchEvent};

/// How long a finger rests until it is a long press, in milliseconds.
const PRESS_MS: u32 = 500;
/// How far it may move meanwhile, in CSS pixels; further, the list is scrolled.
const MAX_MOVE_PX: f64 = 10.0;

/// Tells a long press from a tap. The click that may follow a long press does nothing else.
#[derive(Clone, Copy)]
pub struct LongPress {
    action: StoredValue<Box<dyn Fn()>, LocalStorage>,
    /// The timer and where the finger came down, while it rests.
    resting: StoredValue<Option<(Timeout, f64, f64)>, LocalStorage>,
    was_long: StoredValue<bool>,
}

impl LongPress {
    /// Calls `action` once a finger has rested long enough.
    pub fn new(action: impl Fn() + 'static) -> Self {
        Self {
            action: StoredValue::new_local(Box::new(action)),
            resting: StoredValue::new_local(None),
            was_long: StoredValue::new(false),
        }
    }

    /// A pointer came down.
    pub fn begin(self, event: &PointerEvent) {
        self.was_long.set_value(false);
        if event.pointer_type() != "touch" {
            return;
        }
        let timer = Timeout::new(PRESS_MS, move || {
            self.was_long.set_value(true);
            self.action.try_with_value(|action| action());
        });
        let rests = (timer, event.client_x(), event.client_y());
        self.resting.set_value(Some(rests));
    }

    /// A pointer moved.
    pub fn move_to(self, event: &PointerEvent) {
        let is_far = self.resting.with_value(|resting| {
            resting.as_ref().is_some_and(|(_, x, y)| {
                let (dx, dy) = (event.client_x() - x, event.client_y() - y);
                dx.abs() > MAX_MOVE_PX || dy.abs() > MAX_MOVE_PX
            })
        });
        if is_far {
            self.end();
        }
    }

    /// The browser's own menu of a long press stays closed. That of the other mouse button does not.
    pub fn on_context_menu(self, event: &web_sys::MouseEvent) {
        let is_touch = event
            .dyn_ref::<PointerEvent>()
            .is_some_and(|event| event.pointer_type() == "touch");
        if is_touch || self.resting.with_value(Option::is_some) {
            event.prevent_default();
        }
    }

    /// The finger of a long press went up: no click follows, which would close what the press opened.
    pub fn on_touch_end(self, event: &TouchEvent) {
        if event.cancelable() && self.was_long() {
            event.prevent_default();
        }
    }

    /// The pointer went up, or away.
    pub fn end(self) {
        self.resting.set_value(None);
    }

    /// Whether the click that came is the end of a long press.
    pub fn was_long(self) -> bool {
        self.was_long.try_update_value(std::mem::take) == Some(true)
    }
}
