//! What goes with the next prompt, in words; pressed, it opens the choice of rules.

use super::policy_menu::policy_menu;
use crate::browser::page;
use crate::ui::app::session;
use crate::ui::dom::{El, button, el};
use crate::ui::panel::fit_words;
use leptos::prelude::*;
use sash_chat::Policy;
use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, KeyboardEvent, Node};

/// "Sends 3 of 42 messages · about 512 of 4,096 tokens"
pub fn window_line() -> El {
    let session = session();
    let text = move || {
        let all = session.path.with(Vec::len);
        let (sent, before) = session.window.with(|window| {
            let before = usize::from(window.question_before().is_some());
            (window.entries.len() - before, before)
        });
        let (fit, tokens) = session.fit();
        if all == 0 {
            let begins = sends(session.open.with(|chat| chat.head.policy));
            return match session.draft.with(|draft| draft.trim().is_empty()) {
                true => begins,
                false => format!("{begins} · about {}", plural(tokens as usize, "token")),
            };
        }
        let mut messages = format!(
            "Sends {} of {}",
            grouped(sent as u64),
            plural(all, "message")
        );
        if before > 0 {
            messages += " and the question before";
        }
        match session.context() {
            Some(context) => {
                let (_, warning) = fit_words(fit);
                let dot = if warning.is_empty() { "" } else { " · " };
                format!(
                    "{messages} · about {} of {} tokens{dot}{warning}",
                    grouped(tokens),
                    grouped(context)
                )
            }
            None => format!("{messages} · about {}", plural(tokens as usize, "token")),
        }
    };
    let open = RwSignal::new(false);
    let line = button("window-line")
        .attr("id", "window-line")
        .attr("aria-haspopup", "dialog")
        .live_attr("aria-expanded", move || open.get().to_string())
        .live_attr("title", move || {
            match session.context() {
                Some(_) => "Choose what goes with each question",
                None => "Choose what goes with each question. The model is not loaded yet, so how much it has room for is not known",
            }
            .to_owned()
        })
        .live_attr("data-fit", move || fit_words(session.fit().0).0.to_owned())
        .live_text(text)
        .click(move || open.update(|open| *open = !*open));
    let place = el("div").class("window-line-place");
    let around = place.element();
    place
        .on("focusout", move |event: FocusEvent| {
            let to = event
                .related_target()
                .and_then(|to| to.dyn_into::<Node>().ok());
            // Focus that goes nowhere may come back: the tab was left, or a text was clicked.
            if to.is_some_and(|to| !around.contains(Some(&to))) {
                open.set(false);
            }
        })
        .on("keydown", move |event: KeyboardEvent| {
            if event.key() == "Escape" && open.get_untracked() {
                event.prevent_default();
                open.set(false);
                page::focus("window-line");
            }
        })
        .child(line)
        .when(move || open.get(), move || policy_menu(session, open))
}

/// What a rule will send, where there is nothing to be sent yet.
fn sends(policy: Policy) -> String {
    let what = match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            return "Sends each question alone".to_owned();
        }
        Policy::Messages(1) => "the last message".to_owned(),
        Policy::Messages(n) => format!("the last {}", plural(n as usize, "message")),
        Policy::Exchanges(1) => "the last exchange".to_owned(),
        Policy::Exchanges(n) => format!("the last {}", plural(n as usize, "exchange")),
        Policy::Steady { grow_to, .. } => format!("up to {}", plural(grow_to as usize, "message")),
        Policy::Tokens(n) => format!("up to {}", plural(n as usize, "token")),
        Policy::Fits => "everything that fits".to_owned(),
        Policy::Everything => "the whole chat".to_owned(),
    };
    format!("Sends {what} with each question")
}

/// So many of something.
pub fn plural(n: usize, word: &str) -> String {
    if n == 1 {
        format!("1 {word}")
    } else {
        format!("{} {word}s", grouped(n as u64))
    }
}

/// A number in groups of three digits.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
