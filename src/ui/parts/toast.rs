//! The line at the foot with something to undo. It stays until it is closed or replaced: no time
//! limits on people.

use super::{Icon, icon_button};
use crate::ui::app::session;
use crate::ui::dom::{El, button, el};
use crate::ui::session::Undo;

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
                    button("").text("Undo").click(move || match undo {
                        Undo::Deleted(chat) => session.restore_chat(chat),
                        Undo::Step => _ = session.undo_step(),
                    })
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
