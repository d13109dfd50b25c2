//! The dry run: finds out what a file holds and what an import would do. Writes nothing.

use super::content::{FileContent, OtherFile, OwnFile};
use super::damage::has_marks;
use super::decide::{DecidedChats, decide};
use super::folders::PlannedFolders;
use super::foreign::{self, Images};
use super::planned::{ImportPlan, Planned, Source, planned};
use super::prompts::PlannedPrompts;
use super::settings::acting_head;
use super::{
    Agreement, ImportError, ImportNotes, ImportOutcome, ImportedSettings, Incoming, MAX_CHATS,
    MAX_FILE, MAX_MESSAGE, MAX_MESSAGES, MAX_TEXT,
};
use chat_exports::{Asset, Assets, ListItem, MessageForm, NoChat};
use sash_chat::{Image, MAX_IMAGES, Message, file_block};
use sash_form::lines::{self, ExportLine, SCHEMA};
use sash_log::{FOLDER, Key, KeyValue, Log};
use sash_records::KINDS;
use sash_records::prompts::PROMPT;
use std::collections::BTreeSet;
use std::ops::Range;

/// After so many items that are no chats, a file of none holds no chats.
const HOPELESS_ITEMS: usize = 1000;
/// How much of a text one step examines: this many bytes, or one chat.
const STEP_BYTES: usize = 256 * 1024;

/// A running dry run, over one file or several.
pub struct Planner {
    plan: ImportPlan,
    decided: DecidedChats,
    /// The file that is read.
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
}

/// A file while it is read.
#[derive(Default)]
struct FileState {
    content: FileContent,
    /// The chat that is read once the files are there that it points to.
    waiting: Option<ListItem>,
    /// Whether a chat of a known form was found.
    known: bool,
    /// Why the items before the first chat are none.
    skipped: Vec<NoChat>,
    /// Whether an item is no JSON, but may have been a chat.
    is_damaged: bool,
}

impl FileState {
    /// Whether so many items are no chats that none will follow.
    fn is_hopeless(&self) -> bool {
        !self.known && self.skipped.len() >= HOPELESS_ITEMS
    }

    /// Why there is no chat in the file. A hopeless one is not read to its end, and not cut for that.
    fn no_chats(&self, other: &OtherFile) -> ImportError {
        let is_too_long = |why: &NoChat| *why == NoChat::TooLarge;
        match (self.skipped.is_empty(), other.list.is_whole()) {
            (true, true) => ImportError::Empty,
            (false, _) if self.skipped.iter().all(is_too_long) => ImportError::ChatTooLong,
            _ if self.is_damaged || !self.is_hopeless() && other.is_damaged() => {
                ImportError::Damaged
            }
            _ => ImportError::Unknown,
        }
    }
}

/// The result of a step of the dry run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanStep {
    /// A piece of the file was read.
    Read {
        /// Its length in bytes.
        bytes: usize,
        /// How much of a text that is there as a whole is read, in per cent; of a list in pieces, and of a single chat of
        /// another program, it is not known.
        percent: Option<u64>,
    },
    /// A chat points to these [files](Planner::assets), and is read in the next step, when they are there.
    Wanted(BTreeSet<usize>),
    /// All that there is of the file so far is read.
    Done,
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

    /// Starts a dry run over files that are added one after the other: each is begun, read by [steps](Self::step) and
    /// [ended](Self::end_file).
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
        }
    }

    /// Begins a file whose text is there as a whole.
    ///
    /// # Errors
    /// [`ImportError`] when the file is refused without examining it.
    pub fn add_text(&mut self, text: String) -> Result<(), ImportError> {
        if text.len() > MAX_FILE {
            return Err(ImportError::TooLong(text.len() as u64));
        }
        self.file = FileState {
            content: FileContent::of(&text)?,
            ..FileState::default()
        };
        // Of the file of another program nothing is read again.
        if matches!(self.file.content, FileContent::Own(_)) {
            let before: usize = self.plan.texts.iter().map(String::len).sum();
            if before + text.len() > MAX_TEXT {
                return Err(ImportError::TooMuchText);
            }
            self.recognise();
            self.plan.texts.push(text);
        }
        Ok(())
    }

    /// Begins a file that is a list of chats and comes in [pieces](Self::push).
    pub fn begin_list(&mut self) {
        self.file = FileState::default();
    }

    /// Adds the next bytes of the list.
    pub fn push(&mut self, bytes: &[u8]) {
        if let FileContent::Others(other) = &mut self.file.content {
            other.list.push(bytes);
        }
    }

    /// Records that a file of a message is this image.
    pub fn add_image(&mut self, place: usize, image: Image) {
        let key = image.hash.0;
        self.images.insert(key, image);
        self.assets.insert(place, Asset::Image(key));
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`ImportError`] if nothing in it is a chat.
    pub fn end_file(&mut self) -> Result<(), ImportError> {
        let file = std::mem::take(&mut self.file);
        match &file.content {
            FileContent::Own(own) => {
                let missing = own.promised.saturating_sub(own.found);
                self.plan.notes.missing += usize::try_from(missing).unwrap_or(usize::MAX);
            }
            FileContent::Others(other) if file.known => {
                self.plan.notes.cut_short |= usize::from(!other.list.is_whole());
            }
            FileContent::Others(other) => return Err(file.no_chats(other)),
        }
        Ok(())
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

    /// Records that the file is of a known form.
    fn recognise(&mut self) {
        self.file.known = true;
        self.known = true;
        let skipped = std::mem::take(&mut self.file.skipped).into_iter();
        self.plan.chats.extend(skipped.map(Planned::skipped));
    }

    /// Examines the next piece of the file.
    ///
    /// # Errors
    /// [`ImportError`] when the file turns out to be unacceptable.
    pub fn step<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<PlanStep, ImportError> {
        let mut content = std::mem::take(&mut self.file.content);
        let step = match &mut content {
            FileContent::Own(own) => self.step_own(own, log),
            FileContent::Others(other) => self.step_other(other, log),
        };
        self.file.content = content;
        step
    }

    /// The plan.
    #[must_use]
    pub fn finish(mut self) -> ImportPlan {
        self.plan.notes_of_file = self.plan.notes;
        self.plan.count_chosen();
        self.plan
    }

    /// Does a whole dry run at once, for small files without others, and tests.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn run<S: KeyValue>(mut self, log: &mut Log<S>) -> Result<ImportPlan, ImportError> {
        loop {
            match self.step(log)? {
                PlanStep::Read { .. } => {}
                PlanStep::Wanted(places) => {
                    for place in places {
                        self.assets.insert(place, Asset::Other);
                    }
                }
                PlanStep::Done => break,
            }
        }
        self.end_file()?;
        Ok(self.finish())
    }

    /// Reads a piece of a file of Sash: its lines first, then chat by chat.
    fn step_own<S: KeyValue>(
        &mut self,
        own: &mut OwnFile,
        log: &mut Log<S>,
    ) -> Result<PlanStep, ImportError> {
        let text = self.plan.texts.len().saturating_sub(1);
        let length = self.plan.texts.last().map_or(0, String::len);
        if own.at < length {
            let before = own.at;
            self.divide_lines(own, log)?;
            // The lines count as a tenth of the progress.
            return Ok(PlanStep::Read {
                bytes: own.at - before,
                percent: Some((own.at * 10 / length) as u64),
            });
        }
        let mut bytes = 0;
        while bytes < STEP_BYTES {
            let Some((id, lines)) = own.chats.get_mut(own.read) else {
                break;
            };
            own.read += 1;
            bytes += lines.iter().map(Range::len).sum::<usize>();
            let source = Source::Lines(text, *id, std::mem::take(lines));
            if let Some(incoming) = self.plan.read(&source) {
                self.add_chat(incoming, source, log)?;
            }
        }
        Ok(match bytes {
            0 => PlanStep::Done,
            bytes => PlanStep::Read {
                bytes,
                percent: Some((10 + own.read * 90 / own.chats.len()) as u64),
            },
        })
    }

    /// Divides the next lines of a file of Sash among its chats, and reads its folders and prompts after the last one.
    fn divide_lines<S: KeyValue>(
        &mut self,
        own: &mut OwnFile,
        log: &mut Log<S>,
    ) -> Result<(), ImportError> {
        let text = self.plan.texts.last().map_or("", String::as_str);
        let stop = text.len().min(own.at.saturating_add(STEP_BYTES));
        while own.at < stop {
            let rest = text.get(own.at..).unwrap_or_default();
            let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
            let line = rest.get(..length).unwrap_or_default();
            let at = own.at..own.at + length;
            own.at = at.end;
            match lines::parse(line) {
                ExportLine::Header { schema, messages } => {
                    if schema > SCHEMA {
                        return Err(ImportError::Newer);
                    }
                    own.promised = own.promised.saturating_add(messages);
                }
                ExportLine::Record { key, .. } => {
                    let key = Key::parse(key, KINDS);
                    if let Some(chat) = key.and_then(Key::chat) {
                        own.add_line(chat, at);
                        self.records += 1;
                        let message = matches!(key, Some(Key::Message(..)));
                        own.found += u64::from(message);
                        self.messages += usize::from(message);
                    } else if matches!(key, Some(Key::Record(FOLDER, _))) {
                        self.records += 1;
                        own.folders.push(at);
                    } else if matches!(key, Some(Key::Record(PROMPT, _))) {
                        self.records += 1;
                        own.prompts.push(at);
                    } else if key.is_none() {
                        self.plan.notes.aside += 1;
                    }
                }
                ExportLine::Raw { .. } => self.plan.notes.aside += 1,
                // Images are taken out of a file before it is planned.
                ExportLine::Image | ExportLine::Blank => {}
                ExportLine::Other => self.plan.notes.damaged += 1,
            }
            if own.chats.len() > MAX_CHATS {
                return Err(ImportError::TooManyChats);
            }
            // Besides its record a message may have a tombstone and pieces of a tail.
            if self.messages > MAX_MESSAGES || self.records > 2 * MAX_MESSAGES {
                return Err(ImportError::TooManyMessages);
            }
        }
        if own.at >= text.len() {
            let lines = own.folders.drain(..).filter_map(|at| text.get(at));
            self.plan.notes.damaged += self.plan.folders.read(lines, log);
            let lines = own.prompts.drain(..).filter_map(|at| text.get(at));
            self.plan.notes.damaged += self.plan.prompts.read(lines, log);
        }
        Ok(())
    }

    /// Reads the next chat of another program.
    fn step_other<S: KeyValue>(
        &mut self,
        other: &mut OtherFile,
        log: &mut Log<S>,
    ) -> Result<PlanStep, ImportError> {
        let Some(item) = self.file.waiting.take().or_else(|| other.list.pop()) else {
            if self.file.is_hopeless() {
                return Err(self.file.no_chats(other));
            }
            return Ok(match other.divide_text(STEP_BYTES) {
                0 => PlanStep::Done,
                bytes => PlanStep::Read {
                    bytes,
                    percent: Some(other.percent()),
                },
            });
        };
        let read = foreign::read(&item, &self.assets, &self.images, self.plan.now);
        let wanted = self.assets.take_wanted();
        if !wanted.is_empty() {
            self.file.waiting = Some(item);
            return Ok(PlanStep::Wanted(wanted));
        }
        self.assets.forget_texts();
        let text: &[u8] = match &item {
            ListItem::Text(text) => text,
            ListItem::TooLarge { .. } => &[],
        };
        match read {
            Ok(incoming) => {
                self.recognise();
                self.messages += incoming.messages.len();
                if self.messages > MAX_MESSAGES {
                    return Err(ImportError::TooManyMessages);
                }
                self.add_chat(incoming, Source::Nothing, log)?;
            }
            Err(why) => {
                self.file.is_damaged |= why == NoChat::NoJson && has_marks(text);
                self.add_skipped(why)?;
            }
        }
        Ok(PlanStep::Read {
            bytes: text.len(),
            percent: None,
        })
    }

    /// Adds what is no chat, or cannot be read.
    fn add_skipped(&mut self, why: NoChat) -> Result<(), ImportError> {
        if self.file.known {
            return self.push_planned(Planned::skipped(why));
        }
        self.file.skipped.push(why);
        match self.file.skipped.len() > MAX_CHATS {
            true => Err(ImportError::TooManyChats),
            false => Ok(()),
        }
    }

    fn push_planned(&mut self, planned: Planned) -> Result<(), ImportError> {
        self.plan.chats.push(planned);
        match self.plan.chats.len() > MAX_CHATS {
            true => Err(ImportError::TooManyChats),
            false => Ok(()),
        }
    }

    /// Decides on one chat and adds it to the plan. One without a `source` is kept as it is.
    fn add_chat<S: KeyValue>(
        &mut self,
        mut incoming: Incoming,
        source: Source,
        log: &mut Log<S>,
    ) -> Result<(), ImportError> {
        let (head, queue) = (incoming.head.clone(), incoming.queue.clone());
        // A head takes the most room when nothing of it is agreed to.
        self.plan.agreed.apply(&mut incoming);
        let Some(decision) = decide(&incoming, log, &mut self.decided) else {
            self.plan.notes.repeated += 1;
            return Ok(());
        };
        let is_new = matches!(decision.fate, ImportOutcome::New | ImportOutcome::Copy(_));
        let acting = acting_head(&head, &queue.content);
        let acting = self.plan.folders.record(&acting);
        let queued = queue.content.prompts.len();
        let mut planned = planned(&incoming, decision, source);
        if is_new {
            planned.queued = queued;
            planned.acting = Some(Box::new(acting));
        }
        if matches!(planned.source, Source::Nothing) && planned.adds_records() {
            (incoming.head, incoming.queue) = (head, queue);
            let text = |message: &Message| message.content.len() + message.thinking.len();
            self.kept += incoming.messages.iter().map(text).sum::<usize>();
            if self.kept > MAX_TEXT {
                return Err(ImportError::TooMuchText);
            }
            planned.source = Source::Kept(Box::new(incoming));
        }
        self.push_planned(planned)
    }
}
