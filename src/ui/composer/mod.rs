//! The composer: where a prompt is written and sent, and the line that says what goes with it.

mod elsewhere;
mod mention;
mod overflow;
mod policy_menu;
mod window_line;

use super::app::session;
use super::dom::{El, el, live, typed};
use super::panel::limit_words;
use super::parts::{Icon, icon};
use super::session::Session;
use crate::chat::Id;
use crate::ui::signal::{Memo, RwSignal};
use elsewhere::elsewhere_line;
use leptos::prelude::*;
use litemap::LiteMap;
use mention::{mention_lines, takes_offer};
use overflow::overflow_line;
use std::cell::RefCell;
use web_sys::{Event, KeyboardEvent, MouseEvent};
use window_line::window_line;
pub use window_line::{grouped, plural};

/// The composer.
pub fn composer() -> El {
    let session = session();
    let draft = session.draft;
    let chat = Memo::new(move |_| session.open_id());
    let answering = Memo::new(move |_| session.answering.with(|all| all.contains_key(&chat.get())));
    keep_drafts(chat, draft);
    let act = move || act(session, chat.get_untracked(), draft);
    let area = el("textarea")
        .attr("id", "prompt")
        .attr("aria-label", "Message")
        .attr("aria-describedby", "composer-hint")
        .attr("placeholder", "Ask something")
        .attr("rows", "1")
        .value(move || draft.get())
        .on("input", move |event: Event| draft.set(typed(&event)))
        .on("keydown", move |event: KeyboardEvent| {
            if is_enter(&event) {
                event.prevent_default();
                if !event.repeat() && !answering.get_untracked() {
                    act();
                }
            }
        });
    let field = area.html();
    let hint = el("span")
        .attr("id", "composer-hint")
        .class("hint")
        .text("Enter sends, Shift+Enter breaks the line");
    let foot = el("div")
        .class("composer-foot")
        .child(window_line())
        .choose(
            move || limit_words(session),
            |words| Some(el("span").class("limits").text(words.as_deref()?)),
        )
        .child(hint);
    el("form")
        .class("composer")
        .attr("aria-label", "Composer")
        .on("submit", move |event: Event| {
            event.prevent_default();
            act();
            // Focus is refused only to what cannot have it.
            let _ = field.focus();
        })
        .child(elsewhere_line(session))
        .child(overflow_line(session, act))
        .on("keydown", move |event: KeyboardEvent| {
            if takes_offer(&event) && session.take_offer() {
                event.prevent_default();
            }
        })
        .child(mention_lines())
        .child(
            el("div")
                .class("composer-box")
                .child(area)
                .child(send_button(session, answering, draft)),
        )
        .child(foot)
}

/// Whether a key press is an Enter that sends.
pub fn is_enter(event: &KeyboardEvent) -> bool {
    // 229: a key that an input method is still working on; some browsers say only that.
    let composing = event.is_composing() || event.key_code() == 229;
    event.key() == "Enter" && !event.shift_key() && !composing
}

/// Stops what runs, or sends what is written.
fn act(session: Session, chat: Id, draft: RwSignal<String>) {
    if session
        .answering
        .with_untracked(|all| all.contains_key(&chat))
    {
        session.stop(chat);
    } else if is_clear(&draft.get_untracked()) {
        draft.set(String::new());
        session.clear_window();
    } else if untrack(|| session.may_ask()) && draft.with_untracked(|text| !text.trim().is_empty())
    {
        let prompt = draft.get_untracked();
        // What did not go stays where it was written.
        draft.set(String::new());
        if !session.ask(prompt.clone()) {
            draft.set(prompt);
        }
    }
}

/// The one command: these characters and nothing else. A longer text that begins so is a prompt.
fn is_clear(draft: &str) -> bool {
    draft.trim() == "/clear"
}

/// Send and Stop are one element whose name changes, so that focus survives.
fn send_button(session: Session, answering: Memo<bool>, draft: RwSignal<String>) -> El {
    let may_send =
        move || draft.with(|text| is_clear(text) || !text.trim().is_empty() && session.may_ask());
    let label = move || if answering.get() { "Stop" } else { "Send" }.to_owned();
    // The second half of a double click would stop what the first has sent.
    let once = |event: MouseEvent| {
        if event.detail() > 1 {
            event.prevent_default();
        }
    };
    el("button")
        .class("send")
        .attr("type", "submit")
        .live_attr("data-mode", move || label().to_ascii_lowercase())
        .live_attr("aria-label", label)
        .live_attr("title", label)
        .flag("disabled", move || !answering.get() && !may_send())
        .on("click", once)
        .choose(
            move || answering.get(),
            |stop| Some(icon(if *stop { Icon::Stop } else { Icon::Send })),
        )
}

/// A draft stays with its chat, while the page lives.
fn keep_drafts(chat: Memo<Id>, draft: RwSignal<String>) {
    let drafts = RefCell::new((chat.get_untracked(), LiteMap::<Id, String>::new()));
    live(move || {
        let now = chat.get();
        let mut drafts = drafts.borrow_mut();
        let former = std::mem::replace(&mut drafts.0, now);
        if former != now {
            drafts.1.insert(former, draft.get_untracked());
            draft.set(drafts.1.get(&now).cloned().unwrap_or_default());
        }
    });
}
