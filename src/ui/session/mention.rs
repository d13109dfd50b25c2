//! "The model can't see this": what a draft refers to and the window leaves out, offered to go along with
//! this prompt. The index of the open branch is built in slices and asked in a pause of the typing, so that no key ever
//! waits for it.

use super::Session;
use crate::browser::{clock, page};
use leptos::prelude::*;
use sash_chat::window::Window;
use sash_chat::{Chat, Id, Message};
use sash_search::mention::{Index, Mention};
use std::time::Duration;

/// A pause in typing.
const PAUSE: Duration = Duration::from_millis(150);
/// How long a slice of building the index may take, in milliseconds.
const SLICE: f64 = 4.0;
/// Messages between two looks at the clock.
const BATCH: usize = 8;

/// What is offered, and what the page knows of the branch to find it.
#[derive(Clone, Copy)]
pub struct Mentions {
    /// The message that is offered.
    pub offer: RwSignal<Option<Mention>>,
    known: StoredValue<Known, LocalStorage>,
}

#[derive(Default)]
struct Known {
    index: Index,
    /// The messages of the branch that were looked at.
    seen: Vec<Id>,
    /// What is not offered again for this draft.
    dismissed: Vec<Id>,
    /// Counts what was typed: only the last pause is one.
    typed: u32,
}

impl Mentions {
    /// Nothing is offered, nothing known.
    pub fn new() -> Self {
        Self {
            offer: RwSignal::new(None),
            known: StoredValue::new_local(Known::default()),
        }
    }
}

impl Session {
    /// Looks what the draft refers to, once it has rested for a moment. To be called at each change of it.
    pub fn look_for_mention(self) {
        let empty = self.draft.with_untracked(|draft| draft.trim().is_empty());
        let turn = self.mentions.known.try_update_value(|known| {
            known.typed = known.typed.wrapping_add(1);
            if empty {
                known.dismissed.clear();
            }
            known.typed
        });
        let now = self.mentions.offer.get_untracked();
        // What the offer rests on was taken back.
        let stale = now.is_some_and(|offer| {
            self.draft.with_untracked(|draft| {
                let gone = |word: &String| find(draft.as_bytes(), word.as_bytes()).is_none();
                offer.words.iter().any(gone)
            })
        });
        if stale {
            self.mentions.offer.set(None);
        }
        if let Some(turn) = turn.filter(|_| !empty) {
            set_timeout(move || self.ask_index(turn), PAUSE);
        }
    }

    fn ask_index(self, turn: u32) {
        let left_out = self.window.with_untracked(|window| window.left_out);
        let off = self.settings.with_untracked(|settings| settings.no_offers);
        let latest = self.mentions.known.with_value(|known| known.typed == turn);
        if !latest || left_out == 0 || off {
            return;
        }
        if !self.extend_index() {
            return set_timeout(move || self.ask_index(turn), Duration::ZERO);
        }
        let found = self.mentioned();
        let told = self.mentions.offer.get_untracked();
        if let Some(mention) = found.filter(|found| told.is_none_or(|told| told.id != found.id)) {
            self.announce(
                "The model can't see a message this refers to. Alt+I includes it".to_owned(),
            );
            self.mentions.offer.set(Some(mention));
        }
    }

    /// Brings the index up to the branch, for a moment at most. Whether it is there.
    fn extend_index(self) -> bool {
        let until = clock::monotonic() + SLICE;
        let here = clock::offset_of_here();
        let path = self.path.get_untracked();
        let running = self.answering.with_untracked(|all| {
            let chat = self.open.with_untracked(|open| open.head.id);
            all.get(&chat).copied()
        });
        let done = self.mentions.known.try_update_value(|known| {
            if !path.starts_with(&known.seen) {
                known.index = Index::new();
                known.seen.clear();
            }
            self.open.with_untracked(|chat| {
                for id in &path[known.seen.len()..] {
                    // What is still being written is not indexed yet.
                    if Some(*id) == running {
                        break;
                    }
                    if known.seen.len() % BATCH == BATCH - 1 && clock::monotonic() > until {
                        return false;
                    }
                    known.seen.push(*id);
                    if let Some(message) = chat.get(*id).filter(|m| m.is_sendable()) {
                        let created = message.created.saturating_add_signed(here);
                        known.index.add(*id, &message.content, created);
                    }
                }
                true
            })
        });
        done.unwrap_or(true)
    }

    fn mentioned(self) -> Option<Mention> {
        let sent = self.window.with_untracked(Window::ids);
        self.mentions.known.with_value(|known| {
            self.open.with_untracked(|chat| {
                let goes = |id: Id| chat.is_among(id, &sent);
                let may = |id: Id| !known.dismissed.contains(&id) && may_be_offered(chat, id);
                self.draft
                    .with_untracked(|draft| known.index.mentioned(draft, &goes, &may))
            })
        })
    }

    /// The message that is offered now, if it still stays outside the window.
    pub fn offered(self) -> Option<Mention> {
        let offer = self.mentions.offer.get()?;
        let off = self.settings.with(|settings| settings.no_offers);
        let outside = self.path.with(|path| path.contains(&offer.id))
            && !self.window.with(|window| window.contains(offer.id))
            && self.open.with(|chat| may_be_offered(chat, offer.id));
        Some(offer).filter(|_| outside && !off)
    }

    /// Takes the offered message along with this prompt. Whether there was one.
    pub fn take_offer(self) -> bool {
        let Some(offer) = untrack(|| self.offered()) else {
            return false;
        };
        self.recall(offer.id, true);
        self.announce("Included for this prompt".to_owned());
        true
    }

    /// Offers a message no more for this draft.
    pub fn dismiss_offer(self, id: Id) {
        self.mentions.offer.set(None);
        self.mentions
            .known
            .update_value(|known| known.dismissed.push(id));
        page::focus("prompt");
    }
}

/// Whether a message that stays outside the window may be offered: not a mute one, and none that failed.
fn may_be_offered(chat: &Chat, id: Id) -> bool {
    !chat.head.mutes.contains(&id) && chat.get(id).is_some_and(Message::is_sendable)
}

/// Where the first of these bytes stands among those.
fn find(among: &[u8], bytes: &[u8]) -> Option<usize> {
    let mut places = among.windows(bytes.len().max(1));
    places.position(|place| place.eq_ignore_ascii_case(bytes))
}

/// A line of a message: what stands around the first of `words`, else its beginning.
pub fn excerpt(text: &str, words: &[String]) -> String {
    const BEFORE: usize = 16;
    const LONGEST: usize = 64;
    let found = words
        .iter()
        .find_map(|word| find(text.as_bytes(), word.as_bytes()));
    // From the beginning of a word a little before it, if it stands far from the beginning.
    let from = found.filter(|at| *at > LONGEST / 2).map_or(0, |at| {
        let before = text.get(..at).unwrap_or_default();
        let before = before.char_indices().rev().take(BEFORE);
        let blank = before.filter(|(_, c)| c.is_whitespace()).last();
        blank.map_or(at, |(place, _)| place)
    });
    let mut out = String::new();
    let mut left = LONGEST;
    for c in text.get(from..).unwrap_or_default().chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        // Marks of Markdown say nothing here.
        let fresh = out.is_empty() || out.ends_with(' ');
        if matches!(c, '*' | '`') || fresh && matches!(c, ' ' | '#' | '>') {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        out.push(c);
    }
    let before = if from > 0 { "… " } else { "" };
    let after = if left == 0 { "…" } else { "" };
    format!("{before}{}{after}", out.trim_end())
}
