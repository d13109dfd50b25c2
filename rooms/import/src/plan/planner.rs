//! The dry run: finds out what a file holds and what an import would do. Writes nothing.

use super::damage::is_damaged;
use super::decide::{DecidedChats, decide};
use super::folders::PlannedFolders;
use super::foreign::Images;
use super::item::{self, ReadChat};
use super::phase::DryRunPhase;
use super::planned::{ImportPlan, Planned, Source, StepProgress, planned};
use super::prompts::PlannedPrompts;
use super::settings::acting_head;
use super::shape::shape;
use super::{
    Agreement, ImportError, ImportNotes, ImportOutcome, ImportedSettings, Incoming, MAX_CHATS,
    MAX_FILE, MAX_MESSAGE, MAX_MESSAGES, MAX_TEXT, Skip,
};
use chat_exports::json::Span;
use chat_exports::{Asset, Assets, ListItem, ListReader, MessageForm};
use sash_chat::{Id, Image, MAX_IMAGES, Message, file_block};
use sash_form::lines::{self, ExportLine, SCHEMA};
use sash_log::{FOLDER, Key, Log, Store};
use sash_records::KINDS;
use sash_records::prompts::PROMPT;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// After so many items that are no chats, a file of none holds no chats.
const HOPELESS_ITEMS: usize = 1000;
/// How much of a file one step examines: this many bytes, or one chat.
const STEP_BYTES: usize = 256 * 1024;

/// A running dry run, over one file or several.
pub struct Planner {
    plan: ImportPlan,
    decided: DecidedChats,
    phase: DryRunPhase,
    /// The text that is read, unless it is one of the plan's.
    text: String,
    /// What is known of the file that is read.
    file: FileState,
    /// The files that messages may point to.
    pub assets: Assets,
    images: Images,
    /// Whether any file is of a known form.
    known: bool,
    messages: usize,
    records: usize,
    /// The text of the chats that are kept until they are imported, in bytes.
    kept: usize,
    /// The lines of the prompts that the person keeps.
    prompts: Vec<Range<usize>>,
}

/// What is known of a file while it is read.
#[derive(Default)]
struct FileState {
    /// Whether a chat of a known form was found.
    known: bool,
    /// Items that are no chats, before the first chat.
    skipped: Vec<Planned>,
    cut_short: bool,
    /// Whether it is no list, or one with a text that is no JSON, as that of an export is where it is cut off or damaged.
    is_damaged: bool,
    promised: u64,
    found: u64,
}

impl Planner {
    /// Starts a dry run over the text of a file. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`ImportError`] when the file is refused without examining it.
    pub fn new(text: String, now: u64) -> Result<Self, ImportError> {
        let mut planner = Self::empty(now);
        planner.add_text(text)?;
        Ok(planner)
    }

    /// Starts a dry run over files that are added one after the other.
    #[must_use]
    pub fn empty(now: u64) -> Self {
        let plan = ImportPlan {
            chats: Vec::new(),
            notes: ImportNotes::default(),
            notes_of_file: ImportNotes::default(),
            needs: 0,
            images: BTreeSet::new(),
            left_out: Vec::new(),
            queued: 0,
            settings: ImportedSettings::default(),
            folders: PlannedFolders::default(),
            prompts: PlannedPrompts::default(),
            agreed: Agreement::default(),
            texts: Vec::new(),
            now,
        };
        Self {
            plan,
            decided: DecidedChats::new(),
            phase: DryRunPhase::Ended,
            text: String::new(),
            file: FileState::default(),
            assets: Assets::new(MessageForm {
                max_images: MAX_IMAGES,
                max_text: MAX_MESSAGE / 2,
                file_block,
            }),
            images: Images::new(),
            known: false,
            messages: 0,
            records: 0,
            kept: 0,
            prompts: Vec::new(),
        }
    }

    /// Begins the text of a file; then call [`Self::step`] until its end.
    ///
    /// # Errors
    /// [`ImportError`] when the file is refused without examining it.
    pub fn add_text(&mut self, mut text: String) -> Result<(), ImportError> {
        if text.len() > MAX_FILE {
            return Err(ImportError::TooLong(text.len() as u64));
        }
        let phase = shape(&mut text).map_err(|error| match error {
            ImportError::Unknown | ImportError::WebPage if is_damaged(text.as_bytes()) => {
                ImportError::Damaged
            }
            error => error,
        })?;
        self.phase = phase;
        self.file = FileState::default();
        if matches!(self.phase, DryRunPhase::Lines { .. }) {
            let before: usize = self.plan.texts.iter().map(String::len).sum();
            if before + text.len() > MAX_TEXT {
                return Err(ImportError::TooMuchText);
            }
            self.recognise();
            self.plan.texts.push(text);
            self.text = String::new();
        } else {
            self.text = text;
        }
        Ok(())
    }

    /// Begins a file whose chats are read one by one, as the items of its list.
    pub fn begin_list(&mut self) {
        self.phase = DryRunPhase::Ended;
        self.file = FileState::default();
    }

    /// Reads an item of the list. If it asks for [files](Assets::take_wanted) that are not read yet, it must be read
    /// again.
    #[must_use]
    pub fn read_item(&self, item: &ListItem) -> ReadChat {
        item::of_item(item, &self.assets, &self.images, self.plan.now)
    }

    /// Records that a file of a message is this image.
    pub fn add_image(&mut self, place: usize, image: Image) {
        let key = image.hash.0;
        self.images.insert(key, image);
        self.assets.insert(place, Asset::Image(key));
    }

    /// Adds the chat of an item to the plan.
    ///
    /// # Errors
    /// [`ImportError`] if there are too many of them.
    pub fn add_item<S: Store>(
        &mut self,
        chat: ReadChat,
        log: &mut Log<S>,
    ) -> Result<(), ImportError> {
        self.file.is_damaged |= chat.is_damaged;
        self.add_read(chat.read, log)
    }

    /// Whether so many items of the list are no chats that none will follow.
    #[must_use]
    pub fn is_hopeless(&self) -> bool {
        !self.file.known && self.file.skipped.len() >= HOPELESS_ITEMS
    }

    /// Ends the list.
    ///
    /// # Errors
    /// [`ImportError`] if nothing in it is a chat.
    pub fn end_list(&mut self, list: &ListReader) -> Result<(), ImportError> {
        self.file.cut_short = !list.is_whole();
        self.file.is_damaged |= list.is_cut(is_damaged);
        self.end_file()
    }

    /// Records that a file is left out: its name, and why.
    pub fn leave_out(&mut self, name: String, why: String) {
        self.plan.left_out.push((name, why));
    }

    /// Records that a file goes wrong behind the chats that were read.
    pub fn record_damage(&mut self) {
        self.plan.notes.cut_short = 1;
    }

    /// Whether no file was of a known form.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.known
    }

    fn end_file(&mut self) -> Result<(), ImportError> {
        let file = std::mem::take(&mut self.file);
        if file.known {
            self.plan.notes.cut_short |= usize::from(file.cut_short);
            return Ok(());
        }
        let is_too_long = |chat: &Planned| chat.fate == ImportOutcome::Skipped(Skip::TooLarge);
        Err(match (file.skipped.is_empty(), file.cut_short) {
            (true, false) => ImportError::Empty,
            (false, _) if file.skipped.iter().all(is_too_long) => ImportError::ChatTooLong,
            _ if file.is_damaged => ImportError::Damaged,
            _ => ImportError::Unknown,
        })
    }

    /// Records that the file is of a known form.
    fn recognise(&mut self) {
        self.file.known = true;
        self.known = true;
        self.plan.chats.append(&mut self.file.skipped);
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
                        let missing = self.file.promised.saturating_sub(self.file.found);
                        self.plan.notes.missing += usize::try_from(missing).unwrap_or(usize::MAX);
                        continue;
                    };
                    let lines = chats.get(&id).cloned().unwrap_or_default();
                    let text = self.plan.texts.len().saturating_sub(1);
                    let source = Source::Lines(text, id, lines);
                    bytes += source.bytes();
                    if let Some(incoming) = self.plan.read(&source) {
                        self.add_chat(incoming, source, log)?;
                    }
                    let done = of - order.len() as u64;
                    self.phase = DryRunPhase::Chats { chats, order, of };
                    // Scanning the lines counts as a tenth of the progress.
                    StepProgress {
                        done: of + 9 * done,
                        of: 10 * of,
                    }
                }
                DryRunPhase::Items(mut items) => {
                    match items.next(&self.text) {
                        Some(Ok(span)) => {
                            bytes += span.at.len();
                            self.add_span(&span, log)?;
                        }
                        Some(Err(())) => {
                            self.file.cut_short = true;
                            continue;
                        }
                        None => continue,
                    }
                    let done = items.at() as u64;
                    self.phase = DryRunPhase::Items(items);
                    StepProgress {
                        done,
                        of: self.text.len() as u64,
                    }
                }
                DryRunPhase::One(span) => {
                    self.add_span(&span, log)?;
                    continue;
                }
                DryRunPhase::Ended => {
                    // Of the file of another program nothing is read again.
                    let text = std::mem::take(&mut self.text);
                    self.file.is_damaged = !self.file.known && is_damaged(text.as_bytes());
                    return self.end_file().map(|()| None);
                }
            };
            if bytes >= STEP_BYTES {
                return Ok(Some(progress));
            }
        }
    }

    /// The plan.
    #[must_use]
    pub fn finish(mut self) -> ImportPlan {
        self.plan.notes_of_file = self.plan.notes;
        self.plan.count_chosen();
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
        let text = self.plan.texts.last().map_or("", String::as_str);
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
                    self.file.promised += messages;
                }
                ExportLine::Record { key, .. } => {
                    let key = Key::parse(key, KINDS);
                    if let Some(chat) = key.and_then(Key::chat) {
                        let lines = chats.entry(chat).or_insert_with(|| {
                            order.push(chat);
                            Vec::new()
                        });
                        lines.push(at..at + length);
                        self.records += 1;
                        let message = matches!(key, Some(Key::Message(..)));
                        self.file.found += u64::from(message);
                        self.messages += usize::from(message);
                    } else if matches!(key, Some(Key::Record(FOLDER, _))) {
                        self.records += 1;
                        folders.push(at..at + length);
                    } else if matches!(key, Some(Key::Record(PROMPT, _))) {
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
            if self.messages > MAX_MESSAGES || self.records > 2 * MAX_MESSAGES {
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

    /// Reads the chat at a span of the text and adds it.
    fn add_span<S: Store>(&mut self, span: &Span, log: &mut Log<S>) -> Result<(), ImportError> {
        let read = item::of_span(&self.text, span, &self.assets, &self.images, self.plan.now);
        self.add_read(read, log)
    }

    fn add_read<S: Store>(
        &mut self,
        read: Result<Incoming, Skip>,
        log: &mut Log<S>,
    ) -> Result<(), ImportError> {
        match read {
            Ok(incoming) => {
                self.recognise();
                self.messages += incoming.messages.len();
                if self.messages > MAX_MESSAGES {
                    return Err(ImportError::TooManyMessages);
                }
                self.add_chat(incoming, Source::Nothing, log)
            }
            Err(skip) => self.add_skipped(skip),
        }
    }

    /// Adds what is no chat, or cannot be read.
    fn add_skipped(&mut self, skip: Skip) -> Result<(), ImportError> {
        let planned = Planned {
            title: String::new(),
            fate: ImportOutcome::Skipped(skip),
            chat: Id(0),
            messages: 0,
            deleted: false,
            notes: ImportNotes::default(),
            touched: 0,
            needs: 0,
            is_chosen: false,
            noted: None,
            images: Vec::new(),
            queued: 0,
            acting: None,
            adds: Vec::new(),
            revisions: Vec::new(),
            systems: None,
            source: Source::Nothing,
        };
        if self.file.known {
            return self.push(planned);
        }
        self.file.skipped.push(planned);
        match self.file.skipped.len() > MAX_CHATS {
            true => Err(ImportError::TooManyChats),
            false => Ok(()),
        }
    }

    fn push(&mut self, planned: Planned) -> Result<(), ImportError> {
        self.plan.chats.push(planned);
        match self.plan.chats.len() > MAX_CHATS {
            true => Err(ImportError::TooManyChats),
            false => Ok(()),
        }
    }

    /// Decides on one chat and adds it to the plan. One without a `source` is kept as it is.
    fn add_chat<S: Store>(
        &mut self,
        mut incoming: Incoming,
        mut source: Source,
        log: &mut Log<S>,
    ) -> Result<(), ImportError> {
        let (head, queue) = (incoming.head.clone(), incoming.queue.clone());
        // A head takes the most room when nothing of it is agreed to.
        self.plan.agreed.apply(&mut incoming);
        let decision = decide(&incoming, log, &mut self.decided);
        if decision.is_repeated {
            self.plan.notes.repeated += 1;
            return Ok(());
        }
        let is_new = matches!(decision.fate, ImportOutcome::New | ImportOutcome::Copy(_));
        let acting = acting_head(&head, &queue.content);
        let acting = self.plan.folders.record(&acting);
        let queued = queue.content.prompts.len();
        if matches!(source, Source::Nothing) && !decision.adds.is_empty() {
            (incoming.head, incoming.queue) = (head, queue);
            let text = |message: &Message| message.content.len() + message.thinking.len();
            self.kept += incoming.messages.iter().map(text).sum::<usize>();
            if self.kept > MAX_TEXT {
                return Err(ImportError::TooMuchText);
            }
            source = Source::Kept(Box::new(incoming.clone()));
        }
        let mut planned = planned(&incoming, decision, source);
        if is_new {
            planned.queued = queued;
            planned.acting = Some(Box::new(acting));
        }
        self.push(planned)
    }
}
