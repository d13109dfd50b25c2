//! What a screen reader hears: two regions that are always there. Tokens never touch them.

use crate::ui::app::session;
use crate::ui::dom::{El, el};
use leptos::prelude::*;

/// The status and the alert.
pub fn announcer() -> El {
    let session = session();
    let region = |role| el("div").attr("role", role).class("visually-hidden");
    el("div")
        .child(region("status").live_text(move || session.status.get()))
        .child(region("alert").live_text(move || session.alert.get()))
}
