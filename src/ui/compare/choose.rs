//! Which other window the question is asked with. One press asks.

use crate::ui::composer::{grouped, plural};
use crate::ui::dom::{El, button, el};
use crate::ui::panel::policy_words;
use crate::ui::session::{Asked, Other, Session, WhatIf, excerpt};
use leptos::prelude::*;
use sash_chat::{Id, Policy};

/// Of those that come to the same messages the first is offered.
const RULES: [Policy; 7] = [
    Policy::Messages(0),
    Policy::Everything,
    Policy::Messages(1),
    Policy::Messages(3),
    Policy::Messages(6),
    Policy::Messages(12),
    Policy::Messages(24),
];

/// How many of the messages it read can be left out from here: the newest ones.
const MOST: usize = 50;

/// The rules, and the messages that were read.
pub fn choose(session: Session, answer: Id) -> El {
    let (question, receipt) = session.asked(answer).unwrap_or((answer, None));
    let mut read = receipt.map_or_else(Vec::new, |receipt| receipt.sent);
    read.retain(|id| *id != question);
    // With what it read, the question would only be asked again.
    let mut known = vec![read.clone()];
    let mut rules = el("ul");
    let own = session.open.with_untracked(|chat| chat.head.policy);
    for policy in RULES.into_iter().chain([own]) {
        let other = Other::Rule(policy);
        let would = session.would_read(answer, other);
        if known.contains(&would) {
            continue;
        }
        let count = match would.len() {
            0 => String::new(),
            n => plural(n, "message"),
        };
        rules = rules.child(ask(session, answer, other, &policy_words(policy), &count));
        known.push(would);
    }
    let alone = read.is_empty() && known.len() == 1;
    let mut without = el("ul");
    for id in read.iter().rev().take(MOST).rev() {
        if let Some(message) = session.message(*id) {
            let text = format!("“{}”", excerpt(&message.content, &[]));
            without = without.child(ask(session, answer, Other::Without(*id), &text, ""));
        }
    }
    let overflow = session.overflow;
    let too_large = move || {
        overflow.with(|overflow| {
            let trial = overflow
                .as_ref()
                .filter(|o| matches!(o.asked, Asked::Trial(_)));
            trial.map(|o| (o.tokens, o.context))
        })
    };
    // It is told here and nowhere else.
    on_cleanup(move || {
        if untrack(too_large).is_some() {
            overflow.set(None);
        }
    });
    el("div")
        .class("what-if-choose")
        .child(el("p").text(match alone {
            true => "No message before this question can go with it.",
            false => "The question is asked again with another window. The first answer stays until you choose.",
        }))
        .choose(too_large, |over| {
            over.map(|(tokens, context)| {
                el("p").class("note note-failed").attr("role", "alert").text(&format!(
                    "That may not fit: about {} tokens, with room for {}. Press it once more to ask all the same.",
                    grouped(tokens),
                    grouped(context)
                ))
            })
        })
        .maybe((!alone).then(|| el("h3").text("What if it had read…")))
        .child(rules)
        .maybe((!read.is_empty()).then(|| el("h3").text("… or what it read, without")))
        .child(without)
}

fn ask(session: Session, answer: Id, other: Other, name: &str, count: &str) -> El {
    let ask = button("choice")
        .child(el("span").attr("dir", "auto").text(name))
        .text(" ")
        .child(el("span").class("count").text(count))
        .click(move || {
            if !session.try_other(answer, other) && !untrack(|| session.may_ask()) {
                session.what_if.set(WhatIf::Closed);
            }
        });
    el("li").child(ask)
}
