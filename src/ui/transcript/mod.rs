//! The transcript: the branch that is being read, and the sash in its margin.

mod actions;
mod afresh;
mod edit;
mod foot;
mod message;
mod near;
mod note;
mod receipt;
mod said;
mod sash;
mod thinking;
mod versions;
mod welcome;

use super::app::session;
use super::dom::{El, button, el, live};
use super::panel::SystemLine;
use super::parts::{Icon, icon};
use crate::browser::page::{self, Follower};
use afresh::{Row, afresh, rows};
use leptos::prelude::*;
use message::message_view;
use near::Near;
pub use receipt::facts_of;
use said::Unfolded;
use sash::{Marks, sash};
use std::rc::Rc;
use web_sys::Event;
use welcome::welcome;

/// Goes to the end of the transcript, if that is where the reader is.
pub type Follow = Rc<dyn Fn()>;

/// The transcript, and the way back to its end.
pub fn transcript() -> El {
    let session = session();
    let follower = Follower::default();
    let at_end = RwSignal::new(true);
    let empty = Memo::new(move |_| session.path.with(Vec::is_empty));
    let log = el("section")
        .class("transcript")
        .attr("id", "conversation")
        .attr("role", "log")
        .attr("aria-label", "Conversation")
        .attr("aria-live", "off")
        .attr("tabindex", "0");
    let place = log.element();
    let scroller = log.html();
    let gutters = page::Watched::new(&place, Box::new(move || page::note_gutters(&scroller)));
    StoredValue::new_local(gutters);
    let follow: Follow = {
        let (follower, place) = (follower.clone(), place.clone());
        Rc::new(move || {
            let (follower, place) = (follower.clone(), place.clone());
            request_animation_frame(move || follower.follow(&place));
        })
    };
    let jump = {
        let (follower, place) = (follower.clone(), place.clone());
        move || {
            follower.jump(&place);
            // The transcript may be gone by then.
            _ = at_end.try_set(true);
        }
    };
    // The panel makes the column narrower, and its text longer.
    let keep_place = Rc::clone(&follow);
    live(move || {
        session.panel_shown.track();
        keep_place();
    });
    // And to the line that was just drawn below it.
    let drawn = Memo::new(move |_| {
        let last = session.path.with(|path| path.last().copied());
        last.is_some() && session.window.with(|window| window.cleared == last)
    });
    let to_line = jump.clone();
    live(move || {
        if drawn.get() {
            request_animation_frame(to_line.clone());
        }
    });
    let messages = el("div").class("messages");
    let (near, above, below) = Near::new(session, &log, &messages, &follower);
    let (edge_log, edges) = (log.html(), Rc::clone(&near));
    let messages = messages
        .when(
            move || !empty.get(),
            move || sash(session, edge_log.clone(), &edges),
        )
        .child(above);
    let marks = Marks::new(session);
    let aligned = marks.clone();
    let unfolded = Unfolded::new(session);
    let rows = Memo::new(move |_| rows(session));
    let (scrolled, chosen, arranged) = (Rc::clone(&near), Rc::clone(&near), near);
    let keys = move || {
        session.path.with(|path| aligned.align(path));
        session.goal.track();
        chosen.moved.track();
        chosen.rows(rows.get())
    };
    let view = move |row: &Row| match row {
        Row::Message(id) => message_view(*id, &marks, &follow, unfolded),
        Row::Afresh(id) => afresh(session, *id),
    };
    let log = log
        .on("scroll", move |_: Event| {
            at_end.set(follower.scrolled(&place));
            scrolled.scrolled();
        })
        .choose(
            move || empty.get(),
            // The level between the chat's title and its messages.
            |empty| {
                Some(if *empty {
                    welcome()
                } else {
                    el("h2").class("visually-hidden").text("Conversation")
                })
            },
        )
        .view(view! { <SystemLine /> })
        .child(messages.each_then(keys, view, move || arranged.arranged()))
        .child(below);
    let back = move || {
        button("jump")
            .child(icon(Icon::Down))
            .text("Jump to latest")
            .click(jump.clone())
    };
    el("div").class("transcript-place").child(log).child(
        el("div")
            .class("jump-place")
            .when(move || !at_end.get(), back),
    )
}
