//! The messages of the next request in the order they are sent.

use super::role_words;
use crate::ui::composer::{grouped, plural};
use crate::ui::dom::{El, button, el};
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::Role;
use sash_chat::window::{Reason, Size, join, turns};
use std::rc::Rc;

/// Bytes of a text that are shown while it is folded, and its lines.
const FOLDED: (usize, usize) = (500, 8);

/// A message of the request; of the last one all but the draft.
#[derive(Clone, Debug, PartialEq)]
struct Card {
    role: Role,
    text: String,
    /// The tools it calls, as they are sent.
    calls: Option<String>,
    /// Why it goes, and what is to be known of it.
    notes: Vec<String>,
    size: Size,
}

/// So many cards before the draft's are there at first, and so many more with each press: the window may hold
/// thousands of messages.
const FIRST: usize = 100;
const MORE: usize = 500;

/// The list. The draft touches the last message alone; the others are made anew when the window changes.
pub fn turn_list(session: Session) -> El {
    let cards = Memo::new(move |_| cards(session));
    let most = RwSignal::new(FIRST);
    let hidden = move || cards.with(Vec::len).saturating_sub(most.get() + 1);
    let before = move || {
        let hidden = hidden();
        cards.with(|cards| {
            let before = cards.split_last().and_then(|(_, all)| all.get(hidden..));
            before.unwrap_or_default().to_vec()
        })
    };
    let more = move || {
        let words = move || format!("{} before these. ", plural(hidden(), "message"));
        let button = button("link")
            .live_text(move || format!("Show {} more", hidden().min(MORE)))
            .click(move || most.update(|most| *most += MORE));
        el("p").class("turn-empty").live_text(words).child(button)
    };
    let list = el("ol")
        .class("turns")
        .attr("aria-label", "Messages in the order they are sent")
        .each(before, move |card| view(session, card))
        .choose(
            move || cards.with(|cards| cards.last().cloned()),
            move |last| Some(draft_view(session, last.as_ref()?)),
        );
    el("div")
        .class("turn-place")
        .when(move || hidden() > 0, more)
        .child(list)
}

fn cards(session: Session) -> Vec<Card> {
    let system = session.open.with(|chat| {
        let text = chat.head.system_at(chat.head.system)?;
        Some(Card {
            role: Role::System,
            text: text.to_owned(),
            calls: None,
            notes: vec!["not counted".to_owned()],
            size: Size::of(text),
        })
    });
    let turns = session.open.with(|chat| {
        session.window.with(|window| {
            let mut entries = window.entries.iter();
            // The draft is joined to the last one as it is typed: a prompt changes no other.
            let turns = turns(chat, window, "", None).into_iter();
            let cards = turns.map(|turn| {
                let mut card = Card {
                    role: turn.role,
                    text: turn.content,
                    calls: turn.tool_calls.map(|calls| calls.to_string()),
                    notes: Vec::new(),
                    size: Size::default(),
                };
                for entry in entries.by_ref().take(turn.ids.len()) {
                    card.size += entry.size;
                    card.note(match entry.reason {
                        Reason::Policy => "in the window",
                        Reason::Pin => "pinned",
                        Reason::Recall => "brought back for this prompt",
                        Reason::QuestionFirst => "the question before",
                    });
                    if entry.orphan {
                        card.note("question not sent");
                    }
                }
                card.size.messages = 1;
                card.notes.extend(turn.tool_name);
                if turn.ids.len() > 1 {
                    card.note(&format!("{} messages joined", turn.ids.len()));
                }
                card
            });
            cards.collect::<Vec<_>>()
        })
    });
    system.into_iter().chain(turns).collect()
}

impl Card {
    fn note(&mut self, words: &str) {
        if self.notes.iter().all(|known| known != words) {
            self.notes.push(words.to_owned());
        }
    }
}

fn view(session: Session, card: &Card) -> El {
    let (text, size) = (card.text.clone(), card.size);
    frame(card, move || session.estimate.get().part(size))
        .child(folded(Rc::new(move || text.clone())))
        .maybe(card.calls.as_ref().map(|calls| {
            let calls = calls.clone();
            folded(Rc::new(move || calls.clone()))
        }))
}

/// The last message: what waits for an answer, if anything, and the draft.
fn draft_view(session: Session, card: &Card) -> El {
    let mut card = card.clone();
    if !card.notes.is_empty() {
        card.note("joined with your prompt");
    } else {
        card.note("your prompt");
    }
    let (before, size) = (card.text.clone(), card.size);
    let tokens = move || {
        let mut size = size + session.draft.with(|draft| Size::of(draft));
        size.messages = 1;
        session.estimate.get().part(size)
    };
    let text = move || session.draft.with(|draft| join(before.clone(), draft));
    let nothing = move || session.draft.with(|draft| draft.trim().is_empty());
    frame(&card, tokens)
        .class("turn turn-draft")
        .child(folded(Rc::new(text)))
        .when(nothing, || {
            el("p").class("turn-empty").text("Nothing is written yet.")
        })
}

fn frame(card: &Card, tokens: impl Fn() -> u64 + 'static) -> El {
    let mut head = el("p")
        .class("turn-head")
        .child(el("strong").text(role_words(card.role)));
    for note in &card.notes {
        let class = match note.as_str() {
            "question not sent" => "chip chip-warning",
            _ => "chip",
        };
        head = head.child(el("span").class(class).text(note));
    }
    let tokens = move || match tokens() {
        1 => "about 1 token".to_owned(),
        n => format!("about {} tokens", grouped(n)),
    };
    el("li")
        .class("turn")
        .attr("data-role", card.role.as_str())
        .child(head.child(el("span").class("turn-tokens").live_text(tokens)))
}

/// A text; of a long one the beginning, until more is asked for.
pub fn folded(text: Rc<dyn Fn() -> String>) -> El {
    let all = RwSignal::new(false);
    let whole = Rc::clone(&text);
    let shown = move || {
        let mut text = text();
        if let Some(at) = cut(&text).filter(|_| !all.get()) {
            text.truncate(at);
            text.push('…');
        }
        text
    };
    let more = move || {
        button("link")
            .live_attr("aria-expanded", move || all.get().to_string())
            .live_text(move || if all.get() { "Show less" } else { "Show all" }.to_owned())
            .click(move || all.update(|all| *all = !*all))
    };
    el("div")
        .child(
            el("p")
                .class("turn-text")
                .attr("dir", "auto")
                .live_text(shown),
        )
        .when(move || cut(&whole()).is_some(), more)
}

/// Where a text is folded, if it is long.
fn cut(text: &str) -> Option<usize> {
    let (bytes, lines) = FOLDED;
    let line = text.match_indices('\n').nth(lines - 1).map(|(at, _)| at);
    let length = (text.len() > bytes).then(|| text.floor_char_boundary(bytes));
    match (line, length) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
