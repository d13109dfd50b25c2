//! What a button that copies shows afterwards.

use super::IconName;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::Notices;
use std::time::Duration;

/// How long the tick is shown.
const TICK_TIME: Duration = Duration::from_secs(2);

/// The icon of a button that copies: a tick for two seconds after it has copied.
#[derive(Clone, Copy)]
pub struct Copied {
    notices: &'static Notices,
    /// The copies whose ticks are shown.
    shown: RwSignal<u32>,
}

impl Copied {
    /// Shows the icon for copying.
    pub fn new() -> Self {
        Self {
            notices: use_stores().notices,
            shown: RwSignal::new(0),
        }
    }

    /// The icon.
    pub fn icon(self) -> Signal<IconName> {
        let icon = move || match self.shown.get() {
            0 => IconName::Copy,
            _ => IconName::Tick,
        };
        Signal::derive(icon)
    }

    /// Shows and announces whether a text was copied.
    pub fn note(self, copied: bool) {
        self.notices.note_copied(copied);
        // The row may be gone by now.
        if copied && self.shown.try_update(|shown| *shown += 1).is_some() {
            let end = move || _ = self.shown.try_update(|shown| *shown -= 1);
            set_timeout(end, TICK_TIME);
        }
    }
}
