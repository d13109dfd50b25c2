//! "The model can't see this": the quiet line above the composer, and what was brought back by it.

use crate::browser::page;
use crate::ui::app::session;
use crate::ui::dom::{El, button, el, live};
use crate::ui::parts::{Icon, icon_button};
use crate::ui::session::{Session, excerpt};
use leptos::prelude::*;
use sash_chat::Id;
use sash_search::mention::Mention;
use web_sys::KeyboardEvent;

/// What is offered, and what goes along already.
pub fn mention_lines() -> El {
    let session = session();
    live(move || {
        session.draft.track();
        session.path.track();
        session.window.track();
        session.look_for_mention();
    });
    let offered = Memo::new(move |_| session.offered());
    el("div")
        .class("mentions")
        .each(
            // Not while it is muted, or on another branch.
            move || {
                let mut recalled = session.recalled.get();
                let goes = |id: &Id| session.window.with(|window| window.contains(*id));
                recalled.retain(goes);
                recalled
            },
            move |id| included(session, *id),
        )
        .choose(
            move || offered.get(),
            move |offer| offer.as_ref().map(|offer| offer_line(session, offer)),
        )
}

/// Alt+I, by its sign or by its place: with Alt held it writes other signs on some keyboards.
pub fn takes_offer(event: &KeyboardEvent) -> bool {
    event.alt_key() && !event.ctrl_key() && (event.key() == "i" || event.code() == "KeyI")
}

fn offer_line(session: Session, offer: &Mention) -> El {
    let id = offer.id;
    let path = session.path.get_untracked();
    let back = path.iter().rev().take_while(|other| **other != id).count() + 1;
    let back = match back {
        1 => "the last message".to_owned(),
        n => format!("{n} messages back"),
    };
    let include = button("")
        .attr("aria-keyshortcuts", "Alt+I")
        .text("Include it ")
        .child(el("kbd").text("Alt+I"))
        .click(move || {
            session.take_offer();
            page::focus("prompt");
        });
    let never = button("link")
        .attr(
            "title",
            "Suggest no older messages any more; the list of rules turns it on again",
        )
        .text("Don’t suggest any")
        .click(move || {
            session.change_settings(|settings| settings.no_offers = true);
            page::focus("prompt");
        });
    let close =
        icon_button("Not for this prompt", Icon::Close).click(move || session.dismiss_offer(id));
    el("div")
        .class("mention")
        .attr("role", "group")
        .attr("aria-label", "Suggestion")
        .on("keydown", move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.prevent_default();
                session.dismiss_offer(id);
            }
        })
        .child(
            quoted(session, "The model can't see this:", id, &offer.words)
                .text(&format!(" ({back})")),
        )
        .child(include)
        .child(never)
        .child(close)
}

fn included(session: Session, id: Id) -> El {
    let offer = session.mentions.offer.get_untracked();
    let words = offer
        .filter(|offer| offer.id == id)
        .map(|offer| offer.words);
    let words = words.unwrap_or_default();
    let out = button("").text("Leave it out").click(move || {
        session.recall(id, false);
        session.dismiss_offer(id);
    });
    el("div")
        .class("mention")
        .attr("role", "group")
        .attr("aria-label", "Included")
        .child(quoted(session, "Included for this prompt:", id, &words))
        .child(out)
}

/// The message in short; pressed, it is shown where it stands.
fn quoted(session: Session, words: &str, id: Id, found: &[String]) -> El {
    let text = session.message(id).map(|m| m.content).unwrap_or_default();
    let quote = button("link")
        .attr("title", "Show it in the transcript")
        .attr("dir", "auto")
        .text(&format!("“{}”", excerpt(&text, found)))
        .click(move || session.reveal(id));
    el("span").text(words).text(" ").child(quote)
}
