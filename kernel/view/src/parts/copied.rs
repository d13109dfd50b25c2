//! The sign that a button that copies shows afterwards.

use crate::stores::use_kernel;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use_timeout_fn::{UseTimeoutFnReturn, use_timeout_fn};
use sash_ui_kit::IconName;

/// How long the tick is shown, in milliseconds.
const TICK_MS: f64 = 2_000.0;

/// The icon of a button that copies, and what follows the copying: it announces whether a text was copied, and shows a
/// tick for two seconds.
pub fn use_copied() -> (Signal<IconName>, impl Fn(LocalBoxFuture<'static, bool>)) {
    let notices = use_kernel().notices();
    let UseTimeoutFnReturn {
        is_pending, start, ..
    } = use_timeout_fn(|()| (), TICK_MS);
    let icon = Signal::derive(move || match is_pending.get() {
        false => IconName::Copy,
        true => IconName::Tick,
    });
    let follow = move |copying: LocalBoxFuture<'static, bool>| {
        let start = start.clone();
        spawn_local(async move {
            let copied = copying.await;
            notices.announce_copied(copied);
            if copied {
                start(());
            }
        });
    };
    (icon, follow)
}
