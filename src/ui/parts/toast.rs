//! The line at the foot with something to undo. It stays until it is closed or replaced: no time
//! limits on people.

use super::{Icon, icon_button};
use crate::ui::app::session;
use crate::ui::dom::{El, button, el};

/// The line.
pub fn toast_line() -> El {
    let session = session();
    el("div")
        .class("toast-place")
        .attr("role", "status")
        .choose(
            move || session.toast.get(),
            move |toast| {
                let toast = toast.as_ref()?;
                let undo = toast.undo.map(|undo| {
                    button("")
                        .text("Undo")
                        .click(move || _ = session.undo_offer(undo))
                });
                let close =
                    icon_button("Close", Icon::Close).click(move || session.toast.set(None));
                Some(
                    el("div")
                        .class("toast")
                        .child(el("span").text(&toast.text))
                        .maybe(undo)
                        .child(close),
                )
            },
        )
}
