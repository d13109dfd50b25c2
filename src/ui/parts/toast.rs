//! The line above the composer with something to undo. It goes after a while, but not while it is being used, and
//! at once when what it says is no longer so. Ctrl+Z and the trash undo the same without it.

use super::{Icon, icon_button};
use crate::ui::app::session;
use crate::ui::dom::{El, button, el, live};
use crate::ui::session::{Session, Toast, Undo};
use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use web_sys::{Event, MouseEvent};

/// How long the line stays when nobody points at it and focus is elsewhere.
const SHOWN_FOR: Duration = Duration::from_secs(10);

/// The line.
pub fn toast_line() -> El {
    let session = session();
    let toast = session.toast;
    live(move || {
        let undo = toast.with(|toast| toast.as_ref().and_then(|toast| toast.undo));
        if undo.is_some_and(|undo| !session.is_done(undo)) {
            toast.set(None);
        }
    });
    el("div")
        .class("toast-place")
        .attr("role", "status")
        .choose(
            move || toast.get(),
            move |toast| Some(line(session, toast.as_ref()?)),
        )
}

fn line(session: Session, toast: &Toast) -> El {
    let close = icon_button("Close", Icon::Close).click(move || session.toast.set(None));
    let timer = Timer::new(session);
    let [pointed, left, focused, blurred, used] = [(); 5].map(|()| Rc::clone(&timer));
    let undo = toast.undo.map(|undo| {
        button("").text("Undo").click(move || {
            // Focus goes with the line: it belongs on what came back.
            let focused = used.focused.get();
            session.undo_offer(undo);
            if let Undo::Removed(_, id) = undo
                && focused
            {
                session.reveal(id);
            }
        })
    });
    el("div")
        .class("toast")
        // A press must not take focus from a field: what the field does when it is left could replace this line
        // before the click arrives.
        .on("mousedown", |event: MouseEvent| event.prevent_default())
        .on("pointerenter", move |_: Event| {
            pointed.hold(&pointed.pointed)
        })
        .on("pointerleave", move |_: Event| left.release(&left.pointed))
        .on("focusin", move |_: Event| focused.hold(&focused.focused))
        .on("focusout", move |_: Event| {
            blurred.release(&blurred.focused)
        })
        .child(el("span").text(&toast.text))
        .maybe(undo)
        .child(close)
}

/// Takes the line away when its time is over.
struct Timer {
    session: Session,
    pointed: Cell<bool>,
    focused: Cell<bool>,
    /// Counts starts and stops: a time that was begun before the last of them is void.
    turn: Cell<u32>,
}

impl Timer {
    fn new(session: Session) -> Rc<Self> {
        let timer = Rc::new(Self {
            session,
            pointed: Cell::new(false),
            focused: Cell::new(false),
            turn: Cell::new(0),
        });
        timer.start();
        let kept = StoredValue::new_local(Rc::clone(&timer));
        on_cleanup(move || _ = kept.try_with_value(|timer| timer.stop()));
        timer
    }

    fn start(self: &Rc<Self>) {
        let turn = self.stop();
        let timer = Rc::clone(self);
        let over = move || {
            if timer.turn.get() == turn {
                timer.session.toast.set(None);
            }
        };
        set_timeout(over, SHOWN_FOR);
    }

    fn stop(&self) -> u32 {
        self.turn.set(self.turn.get().wrapping_add(1));
        self.turn.get()
    }

    fn hold(&self, by: &Cell<bool>) {
        by.set(true);
        self.stop();
    }

    fn release(self: &Rc<Self>, by: &Cell<bool>) {
        by.set(false);
        if !self.pointed.get() && !self.focused.get() {
            self.start();
        }
    }
}
