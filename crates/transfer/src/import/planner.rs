//! The dry run: finds out what a file holds and what an import would do. Writes nothing.

use super::decide::{DecidedChats, decide};
use super::folders::PlannedFolders;
use super::phase::DryRunPhase;
use super::plan::{ImportPlan, Planned, Source, StepProgress, planned};
use super::prompts::PlannedPrompts;
use super::shape::shape;
use super::{
    Agreement, Fate, ImportError, ImportNotes, ImportedSettings, MAX_CHATS, MAX_FILE, MAX_MESSAGES,
    SourceProgram,
};
use crate::lines::SCHEMA;
use crate::lines::{self, ExportLine};
use crate::units;
use sash_chat::{Id, SettingKind};
use sash_log::{Key, Log, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How much of a file one step examines: this many bytes, or one chat.
const STEP_BYTES: usize = 256 * 1024;

/// A running dry run.
pub struct Planner {
    plan: ImportPlan,
    decided: DecidedChats,
    phase: DryRunPhase,
    /// Whether a chat of a known form was found.
    known: bool,
    promised: u64,
    found: u64,
    records: usize,
    /// The lines of the prompts that the person keeps.
    prompts: Vec<Range<usize>>,
}

impl Planner {
    /// Starts a dry run over the text of a file. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`ImportError`] when the file is refused without examining it.
    pub fn new(mut text: String, now: u64) -> Result<Self, ImportError> {
        if text.len() > MAX_FILE {
            return Err(ImportError::TooLong(text.len() as u64));
        }
        let (kind, phase) = shape(&mut text)?;
        let plan = ImportPlan {
            kind,
            chats: Vec::new(),
            notes: ImportNotes::default(),
            needs: 0,
            images: BTreeSet::new(),
            settings: ImportedSettings::default(),
            folders: PlannedFolders::default(),
            prompts: PlannedPrompts::default(),
            agreed: Agreement::default(),
            text,
            now,
        };
        Ok(Self {
            plan,
            decided: DecidedChats::new(),
            phase,
            known: kind == SourceProgram::Sash,
            promised: 0,
            found: 0,
            records: 0,
            prompts: Vec::new(),
        })
    }

    /// Examines the next piece. `None` at the end: then call [`Self::finish`].
    ///
    /// # Errors
    /// [`ImportError`] when the file turns out to be unacceptable.
    pub fn step<S: Store>(
        &mut self,
        log: &mut Log<S>,
    ) -> Result<Option<StepProgress>, ImportError> {
        let mut bytes = 0;
        loop {
            let progress = match std::mem::replace(&mut self.phase, DryRunPhase::Ended) {
                DryRunPhase::Lines {
                    at,
                    chats,
                    order,
                    folders,
                } => {
                    return self.lines(log, at, chats, order, folders).map(Some);
                }
                DryRunPhase::Chats {
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
                    self.phase = DryRunPhase::Chats { chats, order, of };
                    // Scanning the lines counts as a tenth of the progress.
                    StepProgress {
                        done: of + 9 * done,
                        of: 10 * of,
                    }
                }
                DryRunPhase::Items(mut items) => {
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
                    self.phase = DryRunPhase::Items(items);
                    StepProgress {
                        done,
                        of: self.plan.text.len() as u64,
                    }
                }
                DryRunPhase::One(span) => {
                    self.chat(Source::Item(span), log)?;
                    continue;
                }
                DryRunPhase::Ended if self.known => return Ok(None),
                DryRunPhase::Ended
                    if self.plan.chats.is_empty() && self.plan.notes.cut_short == 0 =>
                {
                    return Err(ImportError::Empty);
                }
                DryRunPhase::Ended => return Err(ImportError::Unknown),
            };
            if bytes >= STEP_BYTES {
                return Ok(Some(progress));
            }
        }
    }

    /// The plan.
    #[must_use]
    pub fn finish(mut self) -> ImportPlan {
        for head in self.plan.folders.finish() {
            self.plan.settings.note(&head);
        }
        let everything = Agreement {
            kinds: SettingKind::ALL.into(),
            models: BTreeSet::new(),
        };
        let records = self.plan.folders.records(&everything);
        let units = records
            .into_iter()
            .chain(self.plan.prompts.records())
            .map(|(key, record)| units(&key.to_string(), &record));
        self.plan.needs += units.sum::<u64>();
        self.plan
    }

    /// Does a whole dry run at once, for small files and tests.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn run<S: Store>(mut self, log: &mut Log<S>) -> Result<ImportPlan, ImportError> {
        while self.step(log)?.is_some() {}
        Ok(self.finish())
    }

    /// Collects which lines belong to which chat.
    fn lines<S: Store>(
        &mut self,
        log: &mut Log<S>,
        mut at: usize,
        mut chats: BTreeMap<Id, Vec<Range<usize>>>,
        mut order: Vec<Id>,
        mut folders: Vec<Range<usize>>,
    ) -> Result<StepProgress, ImportError> {
        let text = &self.plan.text;
        let stop = text.len().min(at.saturating_add(STEP_BYTES));
        while at < stop {
            let rest = text.get(at..).unwrap_or_default();
            let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
            let line = rest.get(..length).unwrap_or_default();
            match lines::parse(line) {
                ExportLine::Header { schema, messages } => {
                    if schema > SCHEMA {
                        return Err(ImportError::Newer);
                    }
                    self.promised += messages;
                }
                ExportLine::Record { key, .. } => {
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
                    } else if matches!(key, Some(Key::Folder(_))) {
                        self.records += 1;
                        folders.push(at..at + length);
                    } else if matches!(key, Some(Key::Prompt(_))) {
                        self.records += 1;
                        self.prompts.push(at..at + length);
                    } else if key.is_none() {
                        self.plan.notes.aside += 1;
                    }
                }
                ExportLine::Raw { .. } => self.plan.notes.aside += 1,
                // Images are taken out of a file before it is planned.
                ExportLine::Image | ExportLine::Blank => {}
                ExportLine::Other => self.plan.notes.damaged += 1,
            }
            if order.len() > MAX_CHATS {
                return Err(ImportError::TooManyChats);
            }
            // Besides its record a message may have a tombstone and pieces of a tail.
            if self.found > MAX_MESSAGES as u64 || self.records > 2 * MAX_MESSAGES {
                return Err(ImportError::TooManyMessages);
            }
            at += length;
        }
        let of = text.len() as u64 * 10;
        if at < text.len() {
            self.phase = DryRunPhase::Lines {
                at,
                chats,
                order,
                folders,
            };
        } else {
            let lines = folders.into_iter().filter_map(|at| text.get(at));
            self.plan.notes.damaged += self.plan.folders.read(lines, log);
            let lines = std::mem::take(&mut self.prompts).into_iter();
            let lines = lines.filter_map(|at| text.get(at));
            self.plan.notes.damaged += self.plan.prompts.read(lines, log);
            self.phase = DryRunPhase::Chats {
                chats,
                of: order.len() as u64,
                order: order.into_iter(),
            };
        }
        Ok(StepProgress {
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
            Ok(mut incoming) => {
                let images = incoming.messages.iter().flat_map(|message| &message.images);
                let prompts = incoming.queue.prompts.iter();
                let images = images.chain(prompts.flat_map(|prompt| &prompt.images));
                self.plan.images.extend(images.map(|image| image.hash));
                let head = incoming.head.clone();
                // A head takes the most room when nothing of it is agreed to.
                self.plan.agreed.apply(&mut incoming.head);
                let decision = decide(&incoming, log, &mut self.decided);
                let is_new = matches!(decision.fate, Fate::New | Fate::Copy(_));
                let whole = self.plan.folders.record(&head, is_new);
                if is_new {
                    self.plan.settings.note(&whole);
                }
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
                notes: ImportNotes::default(),
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
        if matches!(self.plan.kind, SourceProgram::Sash) {
            return Ok(());
        }
        self.found += messages as u64;
        if self.found > MAX_MESSAGES as u64 {
            return Err(ImportError::TooManyMessages);
        }
        Ok(())
    }
}
