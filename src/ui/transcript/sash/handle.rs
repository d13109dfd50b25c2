//! The handle at the upper edge of the window, and what lies behind it.

use super::drag::Drag;
use super::edge::{policy_at, top_of};
use crate::browser::page;
use crate::ui::composer::{grouped, plural};
use crate::ui::dom::{El, el, live};
use crate::ui::session::Session;
use crate::ui::transcript::near::Near;
use leptos::prelude::*;
use sash_chat::{Id, Policy};
use std::cell::Cell;
use std::rc::Rc;
use web_sys::{HtmlElement, KeyboardEvent, PointerEvent};

/// A line across the transcript at the upper edge. It never takes room: it lies where the edge is.
pub fn sash(session: Session, log: HtmlElement, near: &Rc<Near>) -> El {
    let line = el("div").class("sash");
    keep_in_place(session, &line, near);
    let shown = (log.clone(), line.html(), Rc::new(Cell::new(0)));
    let handle = handle(session, &Drag::new(session, log, Rc::clone(near))).on(
        "keydown",
        move |event: KeyboardEvent| {
            // A key that moved it.
            if event.default_prevented() {
                let runs = shown.2.replace(FRAMES) > 0;
                if !runs {
                    into_view(shown.clone());
                }
            }
        },
    );
    line.child(handle).choose(
        move || behind(session),
        |n| Some(left(*n)).filter(|_| *n > 0),
    )
}

/// What is said once, where it is so: nothing is lost, and nothing of it is sent.
fn left(behind: usize) -> El {
    let stay = if behind == 1 { "stays" } else { "stay" };
    el("p")
        .class("sash-behind")
        .text(&plural(behind, "older message"))
        .child(el("span").text(&format!(" {stay} in this chat,")))
        .text(" not sent")
}

/// How many messages the window has left behind.
fn behind(session: Session) -> usize {
    session.window.with(|window| {
        if window.stops.is_empty() {
            // Begun afresh: the line above says so.
            return 0;
        }
        let first = window.stops.get(window.edge).map(|stop| stop.id);
        let before = |ids: &[Id]| {
            ids.iter()
                .position(|id| Some(*id) == first)
                .unwrap_or(ids.len())
        };
        session.path.with(|path| before(path)) - before(&window.ids())
    })
}

/// Follows the edge, and whatever moves the messages.
fn keep_in_place(session: Session, line: &El, near: &Rc<Near>) {
    let (element, near) = (line.html(), Rc::clone(near));
    let (placed, list) = (near.placed, near.list());
    let stands = Cell::new(None);
    let place = move || {
        let edge = session.window.with_untracked(|window| window.edge);
        let top = top_of(session, &near, edge);
        // An answer grows with each frame, nearly always below it.
        if stands.replace(Some(top)) == Some(top) {
            return;
        }
        // A length is always a valid one.
        let _ = element.style().set_property("top", &format!("{top}px"));
    };
    let place = Rc::new(place);
    let again = Rc::clone(&place);
    live(move || {
        session.window.track();
        session.path.track();
        placed.track();
        // After the messages themselves are there, and still before this frame is painted.
        let place = Rc::clone(&place);
        leptos::task::spawn_local(async move { place() });
    });
    StoredValue::new_local(page::Watched::new(&list, Box::new(move || again())));
}

fn handle(session: Session, drag: &Rc<Drag>) -> El {
    let slider = el("div").class("sash-handle");
    let element = slider.html();
    let [taken, moved, left, lost, keyed] = [(); 5].map(|()| Rc::clone(drag));
    let held = drag.held;
    let count = move |all: bool| {
        session.window.with(|window| {
            let at = if all { 0 } else { window.edge };
            window.stops.get(at).map_or(0, |stop| stop.messages)
        })
    };
    slider
        .attr("role", "slider")
        .attr("tabindex", "0")
        .attr("aria-label", "Messages in the window")
        .attr("aria-orientation", "vertical")
        .attr("aria-valuemin", "0")
        .live_attr("aria-valuemax", move || count(true).to_string())
        .live_attr("aria-valuenow", move || count(false).to_string())
        .live_attr("aria-valuetext", move || words(session, count(false)))
        .attr(
            "title",
            "The window's upper edge: drag it, or move it with the arrow keys",
        )
        .flag("data-held", move || held.get())
        .flag("hidden", move || {
            session.window.with(|w| w.stops.is_empty())
        })
        .on("pointerdown", move |event: PointerEvent| {
            // Else the drag would select the conversation.
            event.prevent_default();
            // Refused only for a pointer that is gone.
            let _ = element.set_pointer_capture(event.pointer_id());
            let _ = element.focus();
            taken.take(&event);
        })
        .on("pointermove", move |event: PointerEvent| {
            moved.moved(&event)
        })
        .on("pointerup", move |event: PointerEvent| {
            left.moved(&event);
            left.leave();
        })
        .on("lostpointercapture", move |_: PointerEvent| {
            lost.take_back();
        })
        .on("keydown", move |event: KeyboardEvent| {
            let done = match event.key().as_str() {
                "Escape" => keyed.take_back(),
                key => key_pressed(session, key, event.repeat()),
            };
            if done {
                event.prevent_default();
            }
        })
        .child(el("i"))
}

/// How long the edge is kept in view after a key: messages that come near take their true size only then.
const FRAMES: u32 = 20;

/// Scrolls no further than it takes to see the edge.
fn into_view((log, line, left): (HtmlElement, HtmlElement, Rc<Cell<u32>>)) {
    const ROOM: i32 = 40;
    request_animation_frame(move || {
        let (top, seen, high) = (
            line.offset_top(),
            log.scroll_top() as i32,
            log.client_height(),
        );
        if top < seen + ROOM {
            log.set_scroll_top((top - ROOM).into());
        } else if top + ROOM > seen + high {
            log.set_scroll_top((top + ROOM - high).into());
        }
        left.update(|left| left.saturating_sub(1));
        if left.get() > 0 {
            into_view((log, line, left));
        }
    });
}

fn words(session: Session, messages: usize) -> String {
    let all = session.path.with(Vec::len);
    let policy = session.open.with(|chat| chat.head.policy);
    let counted = format!("{} of {}", grouped(messages as u64), plural(all, "message"));
    match policy {
        Policy::Exchanges(n) => format!("{}, {counted}", plural(n as usize, "exchange")),
        Policy::Everything => format!("Everything, {counted}"),
        Policy::Steady { .. } => format!("Steady, {counted}"),
        Policy::Tokens(n) => format!("{counted}, at most {} tokens", grouped(u64::from(n))),
        Policy::Fits => format!("Everything that fits, {counted}"),
        Policy::Messages(_) => counted,
    }
}

/// Moves the edge by key. Whether the key was one that does.
fn key_pressed(session: Session, key: &str, repeats: bool) -> bool {
    let (edge, stops) = session
        .window
        .with_untracked(|window| (window.edge, window.stops.len()));
    let to = match key {
        "ArrowUp" | "ArrowRight" => edge.saturating_sub(1),
        "ArrowDown" | "ArrowLeft" => edge + 1,
        "PageUp" => edge.saturating_sub(10),
        "PageDown" => edge + 10,
        "Home" => 0,
        "End" => stops,
        _ => return false,
    };
    let to = to.min(stops);
    if key == "Home" {
        session.set_policy(Policy::Everything);
    } else if to != edge {
        let policy = policy_at(session, to);
        if repeats {
            session.slide_policy(policy);
        } else {
            session.set_policy(policy);
        }
    }
    true
}
