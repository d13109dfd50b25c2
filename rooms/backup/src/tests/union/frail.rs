//! A store that ends in the middle, and copies that browsers hand over to each other without a directory.

use super::{NOW, open_as};
use crate::clock::{Fields, advance, field_values, is_purged, raise, settle};
use crate::form::{CopyId, CopyRecord};
use crate::gone::Gone;
use crate::lines::CopyLines;
use crate::record::CopyState;
use crate::union::{Merged, Union, apply_gone};
use sash_chat::{Head, Id, Message};
use sash_form::lines::{self, ExportLine};
use sash_log::{Key, KeyValue, Log, MemoryStore, StoreError};
use sash_records::KINDS;
use sash_records::backup::HeadFields;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// A store in memory that can be killed, and that can refuse a write.
#[derive(Clone, Debug, Default)]
pub struct Frail {
    pub inner: MemoryStore,
    /// How many changes reach it still; `None`: all.
    pub left: Cell<Option<usize>>,
    /// How many writes it takes before one finds no room; `None`: all.
    pub takes: Cell<Option<usize>>,
    pub reads: Cell<usize>,
}

impl Frail {
    fn reaches(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.map(|left| left.saturating_sub(1)));
        left != Some(0)
    }
}

impl KeyValue for Frail {
    fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.reads.set(self.reads.get() + 1);
        self.inner.get(key)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        match self.takes.get() {
            Some(0) => {
                self.takes.set(None);
                return Err(StoreError::Full);
            }
            takes => self.takes.set(takes.map(|takes| takes - 1)),
        }
        match self.reaches() {
            true => self.inner.set(key, value),
            false => Ok(()),
        }
    }

    fn remove(&mut self, key: &str) {
        if self.reaches() {
            self.inner.remove(key);
        }
    }
}

/// Numbers by chance, the same ones each time.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }

    pub fn is(&mut self, of: usize) -> bool {
        self.roll(of) == 0
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        match all.len() {
            0 => None,
            sides => Some(all[self.roll(sides)]),
        }
    }
}

pub type FrailLog = Log<Frail>;

/// The log as the next page finds it.
pub fn reopened(log: &FrailLog) -> FrailLog {
    let store = Frail {
        inner: log.store().inner.clone(),
        ..Frail::default()
    };
    open_as(store, Id(99))
}

/// All records, but what the browser remembers of the copies.
pub fn records(log: &FrailLog) -> BTreeMap<String, String> {
    let store = &log.store().inner;
    let names = store.keys().into_iter();
    let names = names.filter(|name| !name.starts_with("sash:b:"));
    names
        .map(|name| (name.clone(), store.get(&name).unwrap_or_default()))
        .collect()
}

/// A copy of a browser.
#[derive(Clone, Debug)]
pub struct TheirCopy {
    pub of: CopyId,
    pub record: CopyRecord,
    pub lines: String,
}

impl TheirCopy {
    /// The copy once it was not written for so long that no answer in it is held to be running.
    pub fn abandoned(mut self) -> Self {
        self.record.running.clear();
        self
    }
}

/// The copies of all browsers, former ones included, and what was deleted for good.
#[derive(Default)]
pub struct Copies {
    pub all: BTreeMap<CopyId, Vec<TheirCopy>>,
    pub gone: BTreeMap<Id, Gone>,
}

impl Copies {
    /// Takes over what a browser has of a chat, as a directory does, and tells what it deleted for good.
    pub fn put(&mut self, log: &mut FrailLog, chat: Id) {
        let browser = log.install().unwrap();
        let of = CopyId { chat, browser };
        let mut state = CopyState::read(log, chat);
        let gone = self.gone.entry(chat).or_default();
        gone.ids.extend(&state.to_purge);
        gone.chat |= state.purges_chat;
        let told = state.to_purge.iter().copied().collect();
        state.told_of_purges(&told, true);
        advance(&mut state.fields, log, chat);
        let mut handed = CopyLines::new(log, chat);
        while handed.step(log) {}
        let former = self.all.get(&of).and_then(|all| all.last());
        if !handed.lines.is_empty() {
            let mut others = Fields::new();
            for (id, all) in &self.all {
                if id.chat == chat && id.browser != browser {
                    raise(&mut others, &all.last().unwrap().record.fields);
                }
            }
            let write = former.map_or(0, |former| former.record.write) + 1;
            let own = former.map(|former| former.record.fields.clone());
            settle(&mut state.fields, write, &own.unwrap_or_default(), &others);
            let copy = TheirCopy {
                of,
                record: CopyRecord {
                    write,
                    running: handed.running.into_iter().collect(),
                    fields: state.fields.clone(),
                    ..CopyRecord::default()
                },
                lines: carried(former, &handed.lines, &gone.ids),
            };
            state.write = write;
            self.all.entry(of).or_default().push(copy);
        }
        state.save(log, chat).unwrap();
    }

    /// The last copy of a browser.
    pub fn last(&self, browser: u64, chat: Id) -> TheirCopy {
        let browser = Id(browser);
        self.all[&CopyId { chat, browser }].last().unwrap().clone()
    }

    pub fn gone_of(&self, chat: Id) -> Gone {
        self.gone.get(&chat).cloned().unwrap_or_default()
    }

    pub fn merge(&self, log: &mut FrailLog, copy: &TheirCopy) -> Result<Merged, StoreError> {
        union_of(log, copy, &self.gone_of(copy.of.chat)).finish(log, NOW)
    }

    /// Has a browser apply what was deleted for good, merge all copies of a chat, and hand the chat over.
    pub fn follow(&mut self, log: &mut FrailLog, chat: Id) {
        apply_gone(log, chat, &self.gone_of(chat), NOW, &mut Vec::new()).unwrap();
        let own = log.install().unwrap();
        let others = self.all.iter();
        let others = others.filter(|(of, _)| of.chat == chat && of.browser != own);
        for (_, all) in others {
            self.merge(log, all.last().unwrap()).unwrap();
        }
        self.put(log, chat);
    }

    /// Has all browsers follow each other until nothing changes any more.
    pub fn follow_all(&mut self, logs: &mut [&mut FrailLog], chats: &[Id]) {
        for log in logs.iter_mut() {
            chats.iter().for_each(|chat| self.put(log, *chat));
        }
        let mut changed = BTreeSet::new();
        for _ in 0..12 {
            changed.clear();
            for log in logs.iter_mut() {
                let before = records(log);
                chats.iter().for_each(|chat| self.follow(log, *chat));
                let after = records(log);
                let names = before.keys().chain(after.keys());
                let names = names.filter(|name| before.get(*name) != after.get(*name));
                changed.extend(names.cloned());
            }
            if changed.is_empty() {
                return;
            }
        }
        panic!("the browsers do not come to rest: {changed:?}");
    }
}

pub fn union_of(log: &mut FrailLog, copy: &TheirCopy, gone: &Gone) -> Union {
    Union::new(log, copy.of, copy.record.clone(), &copy.lines, gone).unwrap()
}

/// The lines of a copy with the messages that only the former one has, and without what was deleted for good.
fn carried(former: Option<&TheirCopy>, lines: &str, gone: &BTreeSet<Id>) -> String {
    let former = former.map_or("", |former| former.lines.as_str()).lines();
    let former = former.filter(|line| line.contains("\"sash:m:"));
    let mut all = BTreeMap::new();
    for line in former.chain(lines.lines()) {
        let ExportLine::Record { key, .. } = lines::parse(line) else {
            panic!("{line}");
        };
        let is_gone = |key| matches!(key, Key::Message(_, _, id) if gone.contains(&id));
        if !Key::parse(key, KINDS).is_some_and(is_gone) {
            all.insert(key.to_owned(), line);
        }
    }
    all.values().flat_map(|line| [*line, "\n"]).collect()
}

/// A message as a person finds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub text: String,
    pub images: usize,
    pub in_trash: bool,
    /// The texts that its receipt names.
    pub system: Option<String>,
    pub summary: Option<String>,
}

/// The messages of a chat.
pub fn messages(log: &mut FrailLog, chat: Id) -> BTreeMap<Id, Found> {
    let Some(loaded) = log.load(chat) else {
        return BTreeMap::new();
    };
    let there = loaded.tree.all_messages();
    let there = there.filter(|message| !is_purged(log, chat, message.id));
    let found = there.map(|message| {
        let receipt = message.receipt.as_ref();
        let system = receipt.and_then(|receipt| receipt.system);
        let summary = receipt.and_then(|receipt| receipt.summary);
        // A number that names nothing is none, unless it may name something later.
        let named = system.map(|n| loaded.head.system_at(Some(n)).expect("a system prompt"));
        let kept = loaded.head.summary_numbered(summary);
        let found = Found {
            text: message.content.clone(),
            images: message.images.len(),
            in_trash: loaded.is_removed(message.id),
            system: named.map(str::to_owned),
            summary: kept.map(|summary| summary.text.clone()),
        };
        (message.id, found)
    });
    found.collect()
}

/// The texts of a chat that are not in the trash, sorted.
pub fn texts(log: &mut FrailLog, chat: Id) -> Vec<String> {
    let found = messages(log, chat).into_values();
    let there = found.filter(|found| !found.in_trash);
    let mut texts: Vec<String> = there.map(|found| found.text).collect();
    texts.sort_unstable();
    texts
}

/// All that a person finds in a chat.
pub fn content(log: &mut FrailLog, chat: Id) -> (BTreeMap<Id, Found>, Option<HeadFields>) {
    (messages(log, chat), field_values(log, chat))
}

pub fn change_head_of(log: &mut FrailLog, chat: Id, change: impl FnOnce(&mut Head)) {
    let mut head = log.head(chat).unwrap();
    change(&mut head);
    head.rev += 1;
    log.save_head(&head).unwrap();
}

pub fn write(log: &mut FrailLog, chat: Id, message: &Message) {
    log.save_message(chat, message).unwrap();
}
