//! The sign that a button that copies shows afterwards.

use crate::stores::use_kernel;
use leptos::prelude::*;
use leptos_use_timeout_fn::{UseTimeoutFnReturn, use_timeout_fn};
use sash_ui_kit::IconName;

/// How long the tick is shown, in milliseconds.
const TICK_MS: f64 = 2_000.0;

/// The icon of a button that copies, and what is to be called with whether a text was copied: it announces that, and
/// shows a tick for two seconds.
pub fn use_copied() -> (Signal<IconName>, impl Fn(bool) + Clone) {
    let notices = use_kernel().notices();
    let UseTimeoutFnReturn {
        is_pending, start, ..
    } = use_timeout_fn(|()| (), TICK_MS);
    let icon = Signal::derive(move || match is_pending.get() {
        false => IconName::Copy,
        true => IconName::Tick,
    });
    let note = move |copied| {
        notices.announce_copied(copied);
        if copied {
            start(());
        }
    };
    (icon, note)
}
