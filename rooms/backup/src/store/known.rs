//! What this tab knows of the directory, and what it has still to do.

use super::state::KnownBrowser;
use crate::call::{BackupList, ListedCopy, News, Put};
use crate::form::{CopyId, SHELF, Standing};
use sash_chat::Id;
use std::collections::{BTreeMap, BTreeSet};

/// What a tab knows of the directory, and what it has still to do.
#[derive(Default)]
pub(super) struct Known {
    /// The copies, by chat and browser.
    pub copies: BTreeMap<Id, BTreeMap<Id, ListedCopy>>,
    /// How many bytes the `.gone` file of each browser has, by chat.
    pub gone: BTreeMap<Id, BTreeMap<Id, u64>>,
    /// Up to where the news are known.
    pub at: u64,
    /// Whether the directory was listed.
    pub is_listed: bool,
    /// The chats to look at now. Each stays until that has been done.
    pub to_do: BTreeSet<Id>,
    /// The chats to look at after that, and when on the monotonic clock.
    pub later: BTreeMap<Id, f64>,
    /// Until when each chat with a running answer is not handed over again.
    pub rests: BTreeMap<Id, f64>,
    /// The copies with running answers: the number of the write, and since when it is known.
    pub running: BTreeMap<CopyId, (u64, f64)>,
    /// Whether images may be left of which purges of several chats left no text.
    pub has_unswept_images: bool,
    /// How much of the browser's room was used, in percent, when there was none for a chat.
    pub full_at: Option<usize>,
}

/// What others wrote does not wait until changes are collected.
pub(super) const AT_ONCE: f64 = 0.0;

impl Known {
    /// Takes in what the directory has. Each chat of it is to be looked at.
    pub fn record_list(&mut self, list: BackupList) {
        self.copies = by_chat(list.copies);
        self.gone = list.gone;
        self.to_do.extend(self.copies.keys());
        self.at = list.at;
        self.is_listed = true;
    }

    /// Takes in what is new since, what this browser wrote included.
    pub fn record_news(&mut self, news: News, own: Id) {
        self.at = news.at;
        self.is_listed &= !news.is_incomplete;
        let mut copies = by_chat(news.copies);
        for (chat, gone) in news.gone {
            self.record_chat(chat, copies.remove(&chat).unwrap_or_default(), gone, own);
        }
    }

    /// Takes in what the directory has of a chat. It is to be looked at, unless that was known.
    fn record_chat(
        &mut self,
        chat: Id,
        mut copies: BTreeMap<Id, ListedCopy>,
        gone: BTreeMap<Id, u64>,
        own: Id,
    ) {
        let known = self.copies.entry(chat).or_default();
        if let (Some(copy), Some(known)) = (copies.get_mut(&own), known.get(&own))
            && copy.write == known.write
        {
            // The directory says no state of a copy that has more than its browser, or whose images are on their way.
            copy.state.clone_from(&known.state);
        }
        let known_gone = self.gone.entry(chat).or_default();
        let is_new = writes(known) != writes(&copies) || *known_gone != gone;
        (*known, *known_gone) = (copies, gone);
        if known.is_empty() {
            self.copies.remove(&chat);
        }
        if known_gone.is_empty() {
            self.gone.remove(&chat);
        }
        if is_new {
            self.look_at(chat, AT_ONCE);
        }
    }

    /// Takes in that a browser handed a chat over, in so many bytes.
    pub fn record_put(&mut self, of: CopyId, title: String, put: &Put, bytes: u64, state: String) {
        let copy = self.record_state(of, put.write, state);
        (copy.title, copy.at) = (title, put.at);
        // Of a chat of which nothing is left nothing was written.
        copy.bytes = if put.write > 0 { bytes } else { 0 };
    }

    /// Takes in the state of a chat in a copy.
    pub fn record_state(&mut self, of: CopyId, write: u64, state: String) -> &mut ListedCopy {
        let copy = self.copies.entry(of.chat).or_default().entry(of.browser);
        let copy = copy.or_insert_with(|| unread_copy(of.chat, of.browser));
        (copy.write, copy.state, copy.standing) = (write, state, Standing::Sealed);
        copy
    }

    /// A copy of the directory.
    pub fn copy(&self, of: CopyId) -> Option<&ListedCopy> {
        self.copies.get(&of.chat)?.get(&of.browser)
    }

    /// All chats of the directory, without the shelves.
    pub fn chats(&self) -> impl Iterator<Item = (Id, &BTreeMap<Id, ListedCopy>)> {
        let chats = self.copies.iter().filter(|(chat, _)| **chat != SHELF);
        chats.map(|(chat, copies)| (*chat, copies))
    }

    /// How many chats of other browsers are not here; `None` once this browser has a chat of its own there.
    pub fn chats_of_others(&self, own: Id, is_here: impl Fn(Id) -> bool) -> Option<usize> {
        if self.chats().any(|(_, copies)| copies.contains_key(&own)) {
            return None;
        }
        let has_words =
            |copies: &BTreeMap<Id, ListedCopy>| copies.values().any(|copy| copy.messages > 0);
        let absent = self
            .chats()
            .filter(|(chat, copies)| has_words(copies) && !is_here(*chat));
        Some(absent.count())
    }

    /// The browsers that have chats or prompts in the directory, and this one, the one that wrote last first.
    pub fn browsers(&self, own: Id) -> Vec<KnownBrowser> {
        let mut all: BTreeMap<Id, KnownBrowser> = BTreeMap::new();
        let copies = self.copies.values().flat_map(BTreeMap::values);
        // Those without bytes are not there, or nothing is known of them yet.
        for copy in copies.filter(|copy| copy.bytes > 0) {
            let of = all.entry(copy.browser).or_insert_with(|| KnownBrowser {
                id: copy.browser,
                name: String::new(),
                last: 0,
                chats: 0,
                bytes: 0,
                is_this: copy.browser == own,
            });
            of.last = of.last.max(copy.at);
            of.bytes += copy.bytes;
            match copy.chat {
                SHELF => of.name.clone_from(&copy.title),
                _ => of.chats += 1,
            }
        }
        let mut all: Vec<KnownBrowser> = all.into_values().collect();
        let shelf = |browser| self.copy(CopyId::new(SHELF, browser));
        let has_prompts = |browser| shelf(browser).is_some_and(|shelf| shelf.messages > 0);
        all.retain(|it| it.is_this || it.chats > 0 || has_prompts(it.id));
        all.sort_by_key(|browser| std::cmp::Reverse(browser.last));
        all
    }

    /// Has a chat looked at, at the latest then.
    pub fn look_at(&mut self, chat: Id, at: f64) {
        let known = self.later.entry(chat).or_insert(at);
        *known = known.min(at);
    }

    /// Has the chats looked at whose time has come.
    pub fn wake_later(&mut self, now: f64) {
        let due = self.later.extract_if(.., |_, at| *at <= now);
        self.to_do.extend(due.map(|(chat, _)| chat));
    }

    /// When the next chat is to be looked at again.
    pub fn next_due(&self) -> Option<f64> {
        self.later.values().copied().min_by(f64::total_cmp)
    }
}

/// Copies by chat and browser.
fn by_chat(copies: Vec<ListedCopy>) -> BTreeMap<Id, BTreeMap<Id, ListedCopy>> {
    let mut chats: BTreeMap<Id, BTreeMap<Id, ListedCopy>> = BTreeMap::new();
    for copy in copies {
        let of_chat = chats.entry(copy.chat).or_default();
        of_chat.insert(copy.browser, copy);
    }
    chats
}

/// By what a copy is known to be another one: its browser, write and state, and whether something else changed it.
fn writes(copies: &BTreeMap<Id, ListedCopy>) -> Vec<(Id, u64, &str, Standing)> {
    let copies = copies.values();
    copies
        .map(|copy| (copy.browser, copy.write, copy.state.as_str(), copy.standing))
        .collect()
}

/// A copy of which nothing is known yet.
fn unread_copy(chat: Id, browser: Id) -> ListedCopy {
    ListedCopy {
        chat,
        browser,
        title: String::new(),
        messages: 0,
        at: 0,
        write: 0,
        state: String::new(),
        standing: Standing::Sealed,
        is_newer: false,
        bytes: 0,
    }
}
