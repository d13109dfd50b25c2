//! The dry run: what a file holds, and what would become of it. Nothing is written.

use super::super::lines::{self, Line};
use super::decide::{Decision, Taken, decide};
use super::split::{Items, Span, field, skip_blank, span};
use super::{
    Fate, ImportError, Incoming, Kind, MAX_CHATS, MAX_FILE, MAX_MESSAGES, Notes, Skip, item, own,
};
use crate::chat::{Chat, Id};
use crate::json;
use crate::log::transfer::{SCHEMA, units};
use crate::log::{Key, Log, Store};
use std::collections::BTreeMap;
use std::ops::Range;

/// So much of a file is looked at in one step, in bytes, or one chat.
const STRIDE: usize = 256 * 1024;

/// How far something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Done.
    pub done: u64,
    /// Of so much.
    pub of: u64,
}

/// A chat of the file, and what would become of it.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its title.
    pub title: String,
    /// What becomes of it.
    pub fate: Fate,
    /// The chat that it becomes, or is.
    pub chat: Id,
    /// How many messages of it are in the file.
    pub messages: usize,
    /// Whether it goes to the trash, where it was.
    pub deleted: bool,
    /// What is to be told of it.
    pub notes: Notes,
    /// The keys that it adds.
    pub(super) adds: Vec<Key>,
    pub(super) systems: Option<Vec<String>>,
    pub(super) source: Source,
}

/// Where in the file a chat stands.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// In these lines.
    Lines(Id, Vec<Range<usize>>),
    /// In this value.
    Item(Span),
}

impl Source {
    fn bytes(&self) -> usize {
        match self {
            Source::Lines(_, lines) => lines.iter().map(Range::len).sum(),
            Source::Item(span) => span.at.len(),
        }
    }
}

/// What an import would do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Whose file it is.
    pub kind: Kind,
    /// Its chats, in the order of the file.
    pub chats: Vec<Planned>,
    /// What is to be told of the file, its chats included.
    pub notes: Notes,
    /// The room that is needed, in UTF-16 units of keys and records; while it runs, [`Plan::needs_at_most`].
    pub needs: u64,
    pub(super) text: String,
    pub(super) now: u64,
}

impl Plan {
    /// How many chats have that fate.
    pub fn count(&self, fate: impl Fn(Fate) -> bool) -> usize {
        self.chats.iter().filter(|chat| fate(chat.fate)).count()
    }

    /// What it would do, in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let count = |fate: fn(Fate) -> bool| self.count(fate);
        let parts = [
            (count(|f| f == Fate::New), "new"),
            (
                count(|f| matches!(f, Fate::More(_))),
                "here already, with new messages",
            ),
            (count(|f| f == Fate::Here), "here already"),
            (
                count(|f| matches!(f, Fate::Copy(_))),
                "as a chat of its own",
            ),
            (count(|f| matches!(f, Fate::Skipped(_))), "left out"),
        ];
        let parts = parts.iter().filter(|(n, _)| *n > 0);
        let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
        match self.chats.len() {
            0 => format!("No chats of {}.", self.kind),
            1 => format!("1 chat of {}: {}.", self.kind, parts.join("; ")),
            n => format!("{n} chats of {}: {}.", self.kind, parts.join("; ")),
        }
    }

    /// How many records would be added.
    #[must_use]
    pub fn records(&self) -> usize {
        self.chats.iter().map(|chat| chat.adds.len()).sum()
    }

    /// The room that is needed while the import runs, its manifest included: that goes at the end.
    #[must_use]
    pub fn needs_at_most(&self) -> u64 {
        let adds = self.chats.iter().flat_map(|chat| chat.adds.iter());
        // A key of the list with its quotes and comma.
        let list: u64 = adds.map(|key| key.to_string().len() as u64 + 3).sum();
        self.needs + list + 200
    }
}

/// A dry run in the making.
pub struct Planner {
    plan: Plan,
    taken: Taken,
    phase: Phase,
    /// Whether a chat of a known form was seen.
    known: bool,
    promised: u64,
    found: u64,
    records: usize,
}

enum Phase {
    /// Looking through the lines.
    Lines {
        at: usize,
        chats: BTreeMap<Id, Vec<Range<usize>>>,
        order: Vec<Id>,
    },
    /// Reading and deciding, chat by chat.
    Chats {
        chats: BTreeMap<Id, Vec<Range<usize>>>,
        order: std::vec::IntoIter<Id>,
        of: u64,
    },
    /// Reading and deciding, item by item.
    Items(Items),
    /// One chat and nothing else.
    One(Span),
    Ended,
}

impl Planner {
    /// A dry run over the text of a file. `now` is the time in milliseconds since 1970.
    ///
    /// # Errors
    /// [`ImportError`] when the file need not be looked into.
    pub fn new(mut text: String, now: u64) -> Result<Self, ImportError> {
        if text.len() > MAX_FILE {
            return Err(ImportError::TooLong(text.len() as u64));
        }
        let (kind, phase) = shape(&mut text)?;
        let plan = Plan {
            kind,
            chats: Vec::new(),
            notes: Notes::default(),
            needs: 0,
            text,
            now,
        };
        Ok(Self {
            plan,
            taken: Taken::new(),
            phase,
            known: kind == Kind::Sash,
            promised: 0,
            found: 0,
            records: 0,
        })
    }

    /// Looks at the next piece. `None` when all is looked at: then [`Self::finish`].
    ///
    /// # Errors
    /// [`ImportError`] when it shows that the file is not one that can be taken.
    pub fn step<S: Store>(&mut self, log: &mut Log<S>) -> Result<Option<Progress>, ImportError> {
        let mut bytes = 0;
        loop {
            let progress = match std::mem::replace(&mut self.phase, Phase::Ended) {
                Phase::Lines { at, chats, order } => return self.lines(at, chats, order).map(Some),
                Phase::Chats {
                    chats,
                    mut order,
                    of,
                } => {
                    let Some(id) = order.next() else {
                        let missing = self.promised.saturating_sub(self.found);
                        self.plan.notes.missing += usize::try_from(missing).unwrap_or(usize::MAX);
                        continue;
                    };
                    let lines = chats.get(&id).cloned().unwrap_or_default();
                    let source = Source::Lines(id, lines);
                    bytes += source.bytes();
                    self.chat(source, log)?;
                    let done = of - order.len() as u64;
                    self.phase = Phase::Chats { chats, order, of };
                    // Looking through the lines is the first tenth.
                    Progress {
                        done: of + 9 * done,
                        of: 10 * of,
                    }
                }
                Phase::Items(mut items) => {
                    match items.next(&self.plan.text) {
                        Some(Ok(span)) => {
                            let source = Source::Item(span);
                            bytes += source.bytes();
                            self.chat(source, log)?;
                        }
                        Some(Err(())) => {
                            self.plan.notes.cut_short = 1;
                            continue;
                        }
                        None => continue,
                    }
                    let done = items.at() as u64;
                    self.phase = Phase::Items(items);
                    Progress {
                        done,
                        of: self.plan.text.len() as u64,
                    }
                }
                Phase::One(span) => {
                    self.chat(Source::Item(span), log)?;
                    continue;
                }
                Phase::Ended if self.known => return Ok(None),
                Phase::Ended if self.plan.chats.is_empty() && self.plan.notes.cut_short == 0 => {
                    return Err(ImportError::Empty);
                }
                Phase::Ended => return Err(ImportError::Unknown),
            };
            if bytes >= STRIDE {
                return Ok(Some(progress));
            }
        }
    }

    /// The plan.
    #[must_use]
    pub fn finish(self) -> Plan {
        self.plan
    }

    /// A whole dry run at once, for small files and tests.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn run<S: Store>(mut self, log: &mut Log<S>) -> Result<Plan, ImportError> {
        while self.step(log)?.is_some() {}
        Ok(self.finish())
    }

    /// Notes which lines belong to which chat.
    fn lines(
        &mut self,
        mut at: usize,
        mut chats: BTreeMap<Id, Vec<Range<usize>>>,
        mut order: Vec<Id>,
    ) -> Result<Progress, ImportError> {
        let text = &self.plan.text;
        let stop = text.len().min(at.saturating_add(STRIDE));
        while at < stop {
            let rest = text.get(at..).unwrap_or_default();
            let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
            let line = rest.get(..length).unwrap_or_default();
            match lines::parse(line) {
                Line::Header { schema, messages } => {
                    if schema > SCHEMA {
                        return Err(ImportError::Newer);
                    }
                    self.promised += messages;
                }
                Line::Record { key, .. } => {
                    let key = Key::parse(key);
                    if let Some(chat) = key.and_then(Key::chat) {
                        let lines = chats.entry(chat).or_insert_with(|| {
                            order.push(chat);
                            Vec::new()
                        });
                        lines.push(at..at + length);
                        self.records += 1;
                        let message = matches!(key, Some(Key::Message(..)));
                        self.found += u64::from(message);
                    } else if key.is_none() {
                        self.plan.notes.aside += 1;
                    }
                }
                Line::Raw { .. } => self.plan.notes.aside += 1,
                Line::Blank => {}
                Line::Other => self.plan.notes.damaged += 1,
            }
            if order.len() > MAX_CHATS {
                return Err(ImportError::TooManyChats);
            }
            // Beside its record a message may have a tombstone, and pieces of a tail.
            if self.found > MAX_MESSAGES as u64 || self.records > 2 * MAX_MESSAGES {
                return Err(ImportError::TooManyMessages);
            }
            at += length;
        }
        let of = text.len() as u64 * 10;
        if at < text.len() {
            self.phase = Phase::Lines { at, chats, order };
        } else {
            self.phase = Phase::Chats {
                chats,
                of: order.len() as u64,
                order: order.into_iter(),
            };
        }
        Ok(Progress {
            done: at as u64,
            of,
        })
    }

    /// Decides on one chat and adds it to the plan.
    fn chat<S: Store>(&mut self, source: Source, log: &mut Log<S>) -> Result<(), ImportError> {
        let incoming = self.plan.read(&source);
        let incoming = incoming.map(|(kind, incoming)| {
            if !std::mem::replace(&mut self.known, true) {
                self.plan.kind = kind;
            }
            incoming
        });
        let planned = match incoming {
            Ok(incoming) => {
                let decision = decide(&incoming, log, &mut self.taken);
                self.plan.needs += decision
                    .adds
                    .iter()
                    .map(|(key, record)| units(&key.to_string(), record))
                    .sum::<u64>();
                planned(&incoming, decision, source)
            }
            Err(skip) => Planned {
                title: String::new(),
                fate: Fate::Skipped(skip),
                chat: Id(0),
                messages: 0,
                deleted: false,
                notes: Notes::default(),
                adds: Vec::new(),
                systems: None,
                source,
            },
        };
        self.plan.notes.add(&planned.notes);
        self.plan.chats.push(planned);
        if self.plan.chats.len() > MAX_CHATS {
            return Err(ImportError::TooManyChats);
        }
        let messages = self.plan.chats.last().map_or(0, |chat| chat.messages);
        if matches!(self.plan.kind, Kind::Sash) {
            return Ok(());
        }
        self.found += messages as u64;
        if self.found > MAX_MESSAGES as u64 {
            return Err(ImportError::TooManyMessages);
        }
        Ok(())
    }
}

impl Plan {
    /// Reads a chat of the file.
    pub(super) fn read(&self, source: &Source) -> Result<(Kind, Incoming), Skip> {
        match source {
            Source::Lines(id, lines) => {
                Ok((Kind::Sash, own::read(&self.text, lines, *id, self.now)))
            }
            Source::Item(span) => item::read(&self.text, span, self.now),
        }
    }
}

fn planned(incoming: &Incoming, decision: Decision, source: Source) -> Planned {
    let mut chat = Chat::new(incoming.head.clone());
    // Without a title the first question is one.
    if incoming.head.title.is_none() {
        let first = incoming.messages.iter();
        let first = first.filter(|m| m.role == crate::chat::Role::User).take(1);
        first.for_each(|message| chat.insert(message.clone()));
    }
    Planned {
        title: chat.title(),
        fate: decision.fate,
        chat: decision.chat,
        messages: incoming.messages.len(),
        deleted: incoming.deleted.is_some(),
        notes: decision.notes,
        adds: decision.adds.into_iter().map(|(key, _)| key).collect(),
        systems: decision.systems,
        source,
    }
}

/// Whose file it is, by what stands in it. Where the list of chats is itself a text in the file, that becomes
/// the text. For other programs the kind is known when a chat of theirs is read.
fn shape(text: &mut String) -> Result<(Kind, Phase), ImportError> {
    let at = skip_blank(text, 0);
    let rest = text.get(at..).unwrap_or_default();
    // The first line may be the damaged one.
    for line in rest.lines().take(3) {
        match lines::parse(line) {
            Line::Header { schema, .. } if schema > SCHEMA => return Err(ImportError::Newer),
            Line::Header { .. } | Line::Record { .. } | Line::Raw { .. } => {
                let phase = Phase::Lines {
                    at,
                    chats: BTreeMap::new(),
                    order: Vec::new(),
                };
                return Ok((Kind::Sash, phase));
            }
            Line::Blank | Line::Other => {}
        }
    }
    if rest.is_empty() {
        return Err(ImportError::Empty);
    }
    let other = |phase| Ok((Kind::OpenWebUi, phase));
    match text.as_bytes().get(at) {
        Some(b'[') => other(Phase::Items(Items::new(at))),
        Some(b'{') => match field(text, at, "hollama-sessions") {
            Some(list) => {
                let found = text.get(list.clone()).unwrap_or_default();
                if found.starts_with('[') {
                    return other(Phase::Items(Items::new(list.start)));
                }
                // As localStorage has it: a text.
                let inner = json::parse(found.as_bytes());
                let inner = inner
                    .ok()
                    .and_then(|value| value.as_str().map(str::to_owned));
                *text = inner.ok_or(ImportError::Unknown)?;
                let at = skip_blank(text, 0);
                match text.as_bytes().get(at) {
                    Some(b'[') => other(Phase::Items(Items::new(at))),
                    _ => Err(ImportError::Unknown),
                }
            }
            None => other(Phase::One(span(text, at).ok_or(ImportError::Unknown)?)),
        },
        _ => Err(ImportError::Unknown),
    }
}
