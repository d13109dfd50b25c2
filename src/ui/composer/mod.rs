//! The composer: where a prompt is written and sent, and the line that says what goes with it.

mod elsewhere;
mod mention;
mod overflow;
mod policy_menu;
mod window_line;

use super::app::session;
use super::dom::{El, button, el, live, typed};
use super::panel::limit_words;
use super::parts::{Icon, icon};
use super::session::Session;
use crate::browser::{keys, page};
use elsewhere::elsewhere_line;
use leptos::prelude::*;
use mention::{mention_lines, takes_offer};
use overflow::overflow_line;
pub use policy_menu::steady;
use sash_chat::{Id, Outcome};
use std::time::Duration;
use web_sys::{Event, HtmlElement, KeyboardEvent, MouseEvent};
use window_line::window_line;
pub use window_line::{grouped, plural};

/// The composer.
pub fn composer() -> El {
    let session = session();
    let draft = session.draft;
    let chat = Memo::new(move |_| session.open_id());
    let answering = Memo::new(move |_| session.answering.with(|all| all.contains_key(&chat.get())));
    let act = move || act(session, chat.get_untracked(), draft);
    let next = RwSignal::new(None);
    send_when_answered(session, answering, next, act);
    let area = el("textarea")
        .attr("id", "prompt")
        .attr("aria-label", "Message")
        .attr("aria-describedby", "composer-hint")
        .attr("placeholder", "Ask something")
        .attr("rows", "1")
        .value(move || draft.get())
        .on("input", move |event: Event| {
            draft.set(typed(&event));
            // Whoever goes on writing is not done yet: half of it must not go.
            next.set(None);
        })
        .on("keydown", move |event: KeyboardEvent| {
            if is_enter(&event) {
                event.prevent_default();
                let empty = draft.with_untracked(|draft| draft.trim().is_empty());
                match answering.get_untracked() {
                    _ if event.repeat() => {}
                    true if empty => {}
                    true => next.set(Some(chat.get_untracked())),
                    false => act(),
                }
            } else if is_plain_up(&event)
                && draft.with_untracked(String::is_empty)
                && session.edit_last()
            {
                event.prevent_default();
            }
        });
    let field = area.html();
    take_what_is_typed(session, field.clone());
    let hint = el("span")
        .attr("id", "composer-hint")
        .class("hint")
        .text("Enter sends, Shift+Enter starts a new line");
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
        .child(next_line(next))
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

/// Whether a key press is Up alone.
fn is_plain_up(event: &KeyboardEvent) -> bool {
    let modified = event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key();
    event.key() == "ArrowUp" && !modified && !event.is_composing()
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

/// Focus at the start, where no keyboard on the screen comes with it, and whatever is typed outside of fields.
fn take_what_is_typed(session: Session, field: HtmlElement) {
    let single = move || {
        !session
            .settings
            .with_untracked(|settings| settings.no_help_key)
    };
    keys::on_help_key(single, move || session.keys_shown.set(true));
    keys::type_into(field.clone());
    keys::mark_pointer();
    if keys::has_fine_pointer() {
        request_animation_frame(move || {
            if keys::is_focus_free() {
                // Refused where it is hidden.
                let _ = field.focus();
            }
        });
    }
}

/// Sends the draft of the chat in `next` when its answer is there. An answer that failed or was stopped changes
/// what one wants to say: then it stays where it is.
fn send_when_answered(
    session: Session,
    answering: Memo<bool>,
    next: RwSignal<Option<Id>>,
    act: impl Fn() + Copy + 'static,
) {
    live(move || {
        let chat = session.open_id();
        let empty = session.draft.with(|draft| draft.trim().is_empty());
        let running = answering.get();
        let Some(waits) = next.get() else {
            return;
        };
        if running && !empty && waits == chat {
            return;
        }
        next.set(None);
        if !running && !empty && waits == chat && is_answered(session) {
            // Once the answer has taken its place in the log.
            set_timeout(act, Duration::ZERO);
        }
    });
}

/// Whether the branch ends with an answer that came to its end.
fn is_answered(session: Session) -> bool {
    session.open.with_untracked(|chat| {
        let last = chat.leaf().and_then(|id| chat.get(id));
        last.is_some_and(|m| matches!(m.outcome, Outcome::Complete | Outcome::CutOff))
    })
}

/// What is said while a draft waits for the end of an answer.
fn next_line(next: RwSignal<Option<Id>>) -> El {
    let line = move || {
        let keep = button("").text("Don’t send it yet").click(move || {
            next.set(None);
            page::focus("prompt");
        });
        el("div")
            .class("overflow next-line")
            .child(el("p").text("This goes next, as soon as the answer is complete."))
            .child(el("div").class("overflow-offers").child(keep))
    };
    el("div")
        .attr("role", "status")
        .when(move || next.get().is_some(), line)
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
