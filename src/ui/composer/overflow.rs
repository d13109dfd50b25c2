//! A request that does not fit: both numbers, and what can be done about it.

use crate::browser::page;
use crate::ui::composer::grouped;
use crate::ui::dom::{El, button, el, live};
use crate::ui::parts::{Icon, icon_button};
use crate::ui::session::{Asked, Overflow, Session};
use leptos::prelude::*;
use sash_chat::window::Fit;

/// The line above the composer; empty where all fits. `send` sends the draft.
pub fn overflow_line(session: Session, send: impl Fn() + Clone + 'static) -> El {
    let shown = Memo::new(move |_| {
        let chat = session.open_id();
        session
            .overflow
            .get()
            .filter(|overflow| overflow.chat == chat)
    });
    // A draft that was made shorter needs no advice any more. While the model is not loaded it is held against
    // the room it had.
    live(move || {
        let room = shown.with(|o| {
            let draft = o.as_ref().filter(|o| o.guessed && o.asked == Asked::Draft);
            draft.map(|o| o.context)
        });
        let Some(room) = room else {
            return;
        };
        let now = session.context().unwrap_or(room);
        if Fit::of(session.fit().1, Some(now)) != Fit::Over {
            session.overflow.set(None);
        }
    });
    el("div").choose(
        move || shown.get(),
        move |overflow| {
            let overflow = overflow.as_ref()?;
            let words = el("p").attr("role", "alert").text(&sentence(overflow));
            let unloaded = move || session.context().is_none();
            Some(
                el("div")
                    .class("overflow")
                    .child(words)
                    .child(
                        el("div")
                            .attr("role", "status")
                            .when(unloaded, was_unloaded),
                    )
                    .child(offers(session, overflow, send.clone())),
            )
        },
    )
}

fn sentence(overflow: &Overflow) -> String {
    let (tokens, room) = (grouped(overflow.tokens), grouped(overflow.context));
    if overflow.guessed {
        format!(
            "This needs about {tokens} tokens, and the model has room for {room}. Nothing was sent."
        )
    } else {
        format!(
            "Ollama counted {tokens} tokens and refused the request: the model has room for {room}. Nothing was cut."
        )
    }
}

fn was_unloaded() -> El {
    el("p").text("The model has left the memory since. How much it has room for is known again when it is loaded.")
}

fn offers(session: Session, overflow: &Overflow, send: impl Fn() + 'static) -> El {
    let asked = overflow.asked;
    let again = match asked {
        Asked::Question(_) => " and ask again",
        _ => "",
    };
    let recalled = overflow.recalled.clone();
    let ask_again = move || {
        if let Asked::Question(question) = asked {
            session.answer(question, recalled.clone());
        }
        match asked {
            Asked::Version(question) => page::focus(&format!("edit-{question}")),
            _ => page::focus("prompt"),
        }
    };
    let offer = |words: String, act: Box<dyn Fn()>| {
        let ask_again = ask_again.clone();
        button("").text(&words).click(move || {
            act();
            ask_again();
        })
    };
    let (tight, larger) = (overflow.clone(), session.larger_context(overflow));
    let shrink = session.shrink_helps(overflow).then(|| {
        offer(
            format!("Shrink the window{again}"),
            Box::new(move || session.shrink_window(&tight)),
        )
    });
    let left = |tokens: &u64| overflow.tokens.saturating_sub(*tokens);
    let largest = session.largest(overflow);
    let largest = largest.filter(|(_, tokens)| left(tokens) < overflow.context);
    let mute = largest.map(|(id, tokens)| {
        offer(
            format!(
                "Mute the largest message{again} (about {} tokens)",
                grouped(tokens)
            ),
            Box::new(move || session.mute(id, true)),
        )
    });
    let raise = larger.map(|tokens| {
        offer(
            format!(
                "Raise the context to {}{again} (reloads the model)",
                grouped(tokens)
            ),
            Box::new(move || session.raise_context(tokens)),
        )
    });
    let leave = match asked {
        Asked::Question(question) => Some(
            button("")
                .text("Leave this question out from now on")
                .click(move || {
                    session.mute(question, true);
                    session.overflow.set(None);
                    page::focus("prompt");
                }),
        ),
        _ => None,
    };
    let anyway = match asked {
        Asked::Draft | Asked::Question(_) if overflow.guessed => {
            let ask_again = ask_again.clone();
            Some(button("link").text("Send anyway").click(move || {
                if asked == Asked::Draft {
                    send();
                }
                ask_again();
            }))
        }
        _ => None,
    };
    let close = icon_button("Close", Icon::Close).click(move || {
        session.overflow.set(None);
        page::focus("prompt");
    });
    el("div")
        .class("overflow-offers")
        .maybe(shrink)
        .maybe(mute)
        .maybe(raise)
        .maybe(leave)
        .maybe(anyway)
        .child(close)
}
