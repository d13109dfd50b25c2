//! The plan of an import.

use super::decide::Decision;
use super::folders::PlannedFolders;
use super::prompts::PlannedPrompts;
use super::{Agreement, ImportNotes, ImportOutcome, ImportedSettings, Incoming, Skip, own};
use chat_exports::NoChat;
use sash_chat::{Chat, Head, Id, ImageHash, Role};
use sash_log::{Key, revision};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

/// A chat of the file, and what the import would do with it.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its title.
    pub title: String,
    /// What happens to it.
    pub fate: ImportOutcome,
    /// The id of the chat that it becomes, or already is.
    pub chat: Id,
    /// How many messages of it are in the file.
    pub messages: usize,
    /// Whether it goes to the trash, because it was in the trash where the file was made.
    pub deleted: bool,
    /// Its counts for the report.
    pub notes: ImportNotes,
    /// When its last message in the file was written, in milliseconds since 1970.
    pub touched: u64,
    /// The room that it needs, in UTF-16 units of keys and records.
    pub needs: u64,
    /// Whether the person wants it: so long as nobody says otherwise.
    pub(super) is_chosen: bool,
    /// The keys that it adds, with the revisions of those records that may be rewritten.
    pub(super) adds: Vec<(Key, Option<u64>)>,
    /// What was noted of it as a chat that is decided.
    pub(super) noted: Option<u64>,
    /// The images of its messages and queued prompts.
    pub(super) images: Vec<ImageHash>,
    /// How many prompts wait in its queue.
    pub(super) queued: usize,
    /// What it would switch on as a new chat.
    pub(super) acting: Option<Box<Head>>,
    pub(super) systems: Option<Vec<String>>,
    pub(super) source: Source,
}

impl Planned {
    /// What is no chat, or cannot be read.
    pub(super) fn skipped(why: NoChat) -> Self {
        Self {
            title: String::new(),
            fate: ImportOutcome::Skipped(Skip::NoChat(why)),
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
            systems: None,
            source: Source::Nothing,
        }
    }

    /// Whether there is anything to import of it.
    #[must_use]
    pub fn adds_records(&self) -> bool {
        !self.adds.is_empty()
    }

    /// The room that it needs while the import runs, without its folder.
    fn needs_at_most(&self) -> u64 {
        self.needs + self.of_manifest() + self.images.len() as u64 * OF_IMAGE
    }

    /// The room that it takes in the manifest, its images left out.
    fn of_manifest(&self) -> u64 {
        let adds = self.adds.iter();
        let sizes = adds.map(|(key, rev)| of_list(*key) + rev.map_or(0, |_| of_revision(*key)));
        sizes.sum()
    }

    /// Whether it is imported.
    #[must_use]
    pub fn is_chosen(&self) -> bool {
        self.is_chosen && self.adds_records()
    }
}

/// Where a chat is in the file.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The chat is in these lines of a text of the plan.
    Lines(usize, Id, Vec<Range<usize>>),
    /// The chat as it was read: the files of other programs are far longer than what is read of them.
    Kept(Box<Incoming>),
    /// The chat is not read again, for nothing of it is added.
    Nothing,
}

/// The plan of an import: what it would do.
#[derive(Clone, Debug)]
pub struct ImportPlan {
    /// Its chats, in the order of the file.
    pub chats: Vec<Planned>,
    /// The counts of the file, those of its chosen chats included.
    pub notes: ImportNotes,
    /// The counts of the file without its chats.
    pub(super) notes_of_file: ImportNotes,
    /// The room needed afterwards for what is chosen, in UTF-16 units of keys and records;
    /// [`ImportPlan::needs_at_most`] is the room needed while it runs.
    pub needs: u64,
    /// The images of messages and queued prompts of the chosen chats.
    pub images: BTreeSet<ImageHash>,
    /// The files that were chosen, or are in one that was, and hold no chats: each with the reason.
    pub left_out: Vec<(String, String)>,
    /// How many prompts wait in the queues of the chosen new chats.
    pub queued: usize,
    /// What the chosen new chats would switch on.
    pub settings: ImportedSettings,
    pub(super) folders: PlannedFolders,
    pub(super) prompts: PlannedPrompts,
    /// What of that the person agreed to: nothing, until it is set.
    pub agreed: Agreement,
    /// The texts of Sash's own files.
    pub(super) texts: Vec<String>,
    pub(super) now: u64,
}

impl ImportPlan {
    /// How many chats match.
    pub fn count(&self, fate: impl Fn(ImportOutcome) -> bool) -> usize {
        self.chats.iter().filter(|chat| fate(chat.fate)).count()
    }

    /// The names of the folders that are created; folders of the same name are one.
    #[must_use]
    pub fn new_folders(&self) -> Vec<&str> {
        self.folders.created().collect()
    }

    /// The names of the prompts that are added.
    #[must_use]
    pub fn new_prompts(&self) -> Vec<&str> {
        self.prompts.created().collect()
    }

    /// How many prompts are left out, because there may be no more.
    #[must_use]
    pub fn left_out_prompts(&self) -> usize {
        self.prompts.left_out()
    }

    /// The chats that are imported.
    pub fn chosen(&self) -> impl Iterator<Item = &Planned> {
        self.chats.iter().filter(|chat| chat.is_chosen())
    }

    /// Chooses the chats that are imported; `is_wanted` is told each with its place.
    pub fn choose(&mut self, is_wanted: impl Fn(usize, &Planned) -> bool) {
        for (at, chat) in self.chats.iter_mut().enumerate() {
            chat.is_chosen = is_wanted(at, chat);
        }
        self.count_chosen();
    }

    /// Chooses the newest chats, as many as fit into this room, in UTF-16 units. A tenth of it is left free: a full storage
    /// would have no room for the next question.
    pub fn choose_newest(&mut self, room: u64) {
        self.choose(|_, _| false);
        let mut newest: Vec<usize> = (0..self.chats.len()).collect();
        newest.sort_by_key(|at| Reverse(self.chats.get(*at).map(|chat| chat.touched)));
        let mut left = (room - room / 10).saturating_sub(self.needs_at_most());
        let (mut fitting, mut folders) = (BTreeSet::new(), BTreeSet::new());
        for at in newest {
            let Some(chat) = self.chats.get(at).filter(|chat| chat.adds_records()) else {
                continue;
            };
            // The first chat of a folder brings the folder.
            let folder = chat.acting.as_ref().and_then(|head| head.folder);
            let folder = folder.filter(|id| !folders.contains(id));
            let needs_with_folder =
                chat.needs_at_most() + folder.map_or(0, |id| self.needs_of_folder(id));
            if let Some(rest) = left.checked_sub(needs_with_folder) {
                left = rest;
                fitting.insert(at);
                folders.extend(folder);
            }
        }
        self.choose(|at, _| fitting.contains(&at));
    }

    /// The room that a folder needs while the import runs.
    fn needs_of_folder(&self, folder: Id) -> u64 {
        let record = self.folders.whole_record(folder);
        record.map_or(0, |(key, record)| {
            units(&key.to_string(), &record) + of_list(key) + of_revision(key)
        })
    }

    /// Counts what the chosen chats bring.
    pub(super) fn count_chosen(&mut self) {
        self.notes = self.notes_of_file;
        self.needs = 0;
        self.images.clear();
        self.queued = 0;
        self.settings = ImportedSettings::default();
        let mut folders = BTreeSet::new();
        // What is left out altogether is said of every chat, whether the person wants it or not.
        let counted = |chat: &&Planned| chat.is_chosen || !chat.adds_records();
        for chat in self.chats.iter().filter(counted) {
            self.notes.add(&chat.notes);
            self.needs += chat.needs;
            self.images.extend(&chat.images);
            self.queued += chat.queued;
            if let Some(head) = &chat.acting {
                self.settings.note(head);
                folders.extend(head.folder);
            }
        }
        self.folders.set_needed(folders);
        let others = self.folders.acting_heads().into_iter();
        for head in others.chain(self.prompts.acting_heads()) {
            self.settings.note(&head);
        }
        let everything = Agreement::to_all();
        let records = self.folders.records(&everything).into_iter();
        let records = records.chain(self.prompts.records(&everything));
        let sizes = records.map(|(key, record)| units(&key.to_string(), &record));
        self.needs += sizes.sum::<u64>();
    }

    /// How many records would be added.
    #[must_use]
    pub fn records(&self) -> usize {
        let chats: usize = self.chosen().map(|chat| chat.adds.len()).sum();
        chats + self.folders.keys().count() + self.prompts.keys().count()
    }

    /// The room needed while the import runs: it includes the manifest, which is removed at the end.
    #[must_use]
    pub fn needs_at_most(&self) -> u64 {
        let others = self.folders.keys().chain(self.prompts.keys());
        let others = others.map(|key| of_list(key) + of_revision(key));
        let chats = self.chosen().map(Planned::of_manifest);
        let list: u64 = others.chain(chats).sum();
        // The hash of an image is in the list too.
        let images = self.images.len() as u64 * OF_IMAGE;
        self.needs + list + images + 200
    }
}

/// The room of the hash of an image in the manifest.
const OF_IMAGE: u64 = 67;

/// The room of a key in the list of the manifest, with its quotes and comma.
fn of_list(key: Key) -> u64 {
    key.to_string().len() as u64 + 3
}

/// The room of a revision in the manifest: a key with its quotes, colon and comma, and the longest time.
fn of_revision(key: Key) -> u64 {
    key.to_string().len() as u64 + 17
}

impl ImportPlan {
    /// Reads a chat of a file; `None` if nothing of it is added.
    pub(super) fn read(&self, source: &Source) -> Option<Incoming> {
        match source {
            Source::Lines(at, id, lines) => {
                let text = self.texts.get(*at)?;
                let mut incoming = own::read(text, lines, *id, self.now);
                self.folders.apply(&mut incoming.head);
                Some(incoming)
            }
            Source::Kept(incoming) => Some((**incoming).clone()),
            Source::Nothing => None,
        }
    }
}

/// The plan's entry for a chat.
pub(super) fn planned(incoming: &Incoming, decision: Decision, source: Source) -> Planned {
    let mut chat = Chat::new(incoming.head.clone());
    // Without a title, the first question is the title.
    if incoming.head.title().is_none() {
        let first = incoming.messages.iter();
        let first = first.filter(|m| m.role == Role::User).take(1);
        first.for_each(|message| chat.insert(message.clone()));
    }
    let images = incoming.messages.iter().flat_map(|message| &message.images);
    let prompts = incoming.queue.content.prompts.iter();
    let images = images.chain(prompts.flat_map(|prompt| &prompt.images));
    let sizes = decision.adds.iter();
    let sizes = sizes.map(|(key, record)| units(&key.to_string(), record));
    Planned {
        touched: incoming
            .messages
            .iter()
            .map(|m| m.created)
            .max()
            .unwrap_or_default(),
        needs: sizes.sum(),
        is_chosen: true,
        noted: decision.noted,
        images: images.map(|image| image.hash).collect(),
        queued: 0,
        acting: None,
        title: chat.title(),
        fate: decision.fate,
        chat: decision.chat,
        messages: incoming.messages.len(),
        deleted: incoming.deleted.is_some(),
        notes: decision.notes,
        adds: decision
            .adds
            .iter()
            .map(|(key, record)| (*key, revision(*key, record)))
            .collect(),
        systems: decision.systems,
        source,
    }
}

/// The room that a record takes: UTF-16 units of key and value, as browsers count it.
fn units(key: &str, record: &str) -> u64 {
    let of = |text: &str| text.chars().map(|c| c.len_utf16() as u64).sum::<u64>();
    of(key) + of(record)
}
