//! Joins the file of a chat with the chat that is here, so that the browser is in step with the folder. It goes in steps,
//! because a chat may have thousands of messages and the page is in use.

use super::fields::{self, FieldChecksums, merge_fields, merge_flag};
use super::lines::is_purged;
use super::{BackupRecord, image_hashes};
use sash_chat::{Folder, Head, Id, ImageHash, Message, Outcome};
use sash_form::lines::{self, ExportLine};
use sash_log::{
    FOLDER, ImportManifest, Key, KeyValue, Log, MessageTombstone, StoreError, Tombstone, checksum,
    encode_record,
};
use sash_records::backup::{
    BackupLog, FormerValue, MergeBase, add_former_values, clear_former_values, former_values,
    head_fields, set_head_fields,
};
use sash_records::{FIELDS, KINDS};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The name of the field that says whether a chat is in the trash.
const DELETED: &str = "deleted";

/// Where a message of the log is.
enum Place {
    /// In a record of its own.
    Record(u32),
    /// In a segment, with the checksum of its line.
    Packed(String),
}

/// What the file says of the chat besides its messages.
#[derive(Default)]
struct FileRecords {
    head: Option<Head>,
    deleted: Option<Tombstone>,
    /// The tombstones of messages.
    removed: BTreeMap<Id, MessageTombstone>,
    folders: Vec<Folder>,
}

/// A file that is being joined.
pub struct ChatJoin {
    chat: Id,
    text: String,
    /// How far the text was read.
    at: usize,
    segments: VecDeque<u32>,
    /// The messages that are here.
    local: BTreeMap<Id, Place>,
    /// The messages that were deleted here for good.
    purged: BTreeSet<Id>,
    /// The messages of the file.
    seen: BTreeSet<Id>,
    records: FileRecords,
    writes: VecDeque<(Key, String)>,
    /// What was written, in order.
    written: Vec<(Key, bool)>,
    /// The keys that were not there before.
    added: Vec<String>,
    images: BTreeSet<ImageHash>,
    /// Whether the file has messages that are not here.
    has_news: bool,
    /// The checksum of the line that the file has of each answer that runs here.
    running: BTreeMap<Id, String>,
    /// Whether something that is here is not in the file.
    differs: bool,
    to_purge: Vec<Id>,
    /// The messages that were deleted for good because the file says so, and the images that they had.
    purged_here: BTreeSet<Id>,
    purged_images: BTreeSet<ImageHash>,
    /// How many messages stand beside another version of themselves now.
    versions: usize,
}

/// What was joined.
#[derive(Debug, Default)]
pub struct Joined {
    /// The keys that were written (`true`) or removed.
    pub keys: Vec<(Key, bool)>,
    /// Whether the folder lacks something that is here.
    pub differs: bool,
    /// The [digest](Log::chat_digest) of the chat; empty if it differs.
    pub digest: String,
    /// The values of fields that gave way to others, which the chat keeps.
    pub former: Vec<FormerValue>,
    /// How many messages stand beside another version of themselves now.
    pub versions: usize,
    /// The messages that were deleted here for good and are in the file all the same: of an earlier day, or because this
    /// browser was offline.
    pub to_purge: Vec<Id>,
    /// The messages that were deleted for good because the file says so.
    pub purged: BTreeSet<Id>,
    /// The images that those had.
    pub purged_images: BTreeSet<ImageHash>,
}

/// Why a file cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinError {
    /// There is no room for it here. Nothing of it was kept.
    Store(StoreError),
    /// A packed message cannot be removed for good now.
    NotPacked,
}

impl From<StoreError> for JoinError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl ChatJoin {
    /// Starts with the lines of a chat's file, without its header.
    #[must_use]
    pub fn new<S: KeyValue>(log: &mut Log<S>, chat: Id, text: String) -> Self {
        let mut join = Self {
            chat,
            text,
            at: 0,
            segments: VecDeque::new(),
            local: BTreeMap::new(),
            purged: BTreeSet::new(),
            seen: BTreeSet::new(),
            records: FileRecords::default(),
            writes: VecDeque::new(),
            written: Vec::new(),
            added: Vec::new(),
            images: BTreeSet::new(),
            has_news: false,
            running: BTreeMap::new(),
            differs: false,
            to_purge: Vec::new(),
            purged_here: BTreeSet::new(),
            purged_images: BTreeSet::new(),
            versions: 0,
        };
        if let Some(keys) = log.chat_keys().get(&chat) {
            join.segments.extend(&keys.segments);
        }
        join.look(log);
        join
    }

    /// Learns which messages are here in a record of their own, and which were deleted for good: at the beginning, and at the
    /// end again, because the person goes on meanwhile.
    fn look<S: KeyValue>(&mut self, log: &mut Log<S>) {
        let Some(keys) = log.chat_keys().get(&self.chat) else {
            return;
        };
        for (seq, id) in &keys.messages {
            self.local.entry(*id).or_insert(Place::Record(*seq));
        }
        for id in keys.removed.clone() {
            if is_purged(log, self.chat, id) {
                self.purged.insert(id);
                self.local.remove(&id);
            }
        }
    }

    /// Reads the next segment of the log or the next line of the file. Returns whether there was one.
    pub fn step<S: KeyValue>(&mut self, log: &mut Log<S>) -> bool {
        if let Some(segment) = self.segments.pop_front() {
            for message in log.messages_at(Key::Segment(self.chat, segment)) {
                let line = line_of(self.chat, &message);
                let packed = Place::Packed(checksum(&line));
                self.local.entry(message.id).or_insert(packed);
            }
            return true;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(line) = rest.split_inclusive('\n').next() else {
            return false;
        };
        self.at += line.len();
        let line = line.trim_end().to_owned();
        self.read_line(log, &line);
        true
    }

    /// The images of the messages that come. They must be there before [`Self::write_step`].
    #[must_use]
    pub fn images(&self) -> &BTreeSet<ImageHash> {
        &self.images
    }

    /// Writes the next message that comes. Returns whether there was one.
    ///
    /// # Errors
    /// [`JoinError::Store`]: the messages that were added are removed again.
    pub fn write_step<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<bool, JoinError> {
        let Some((key, record)) = self.writes.pop_front() else {
            return Ok(false);
        };
        match key {
            Key::Message(chat, _, id) if is_purged(log, chat, id) => self.to_purge.push(id),
            _ => self.add(log, key, &record)?,
        }
        Ok(true)
    }

    /// The keys that were written until now.
    #[must_use]
    pub fn written(&self) -> &[(Key, bool)] {
        &self.written
    }

    /// Merges what is not a message, once all messages are written, and records the merge base. What was written here since
    /// the join began counts as what was here before. `file` is from the file's header, `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`JoinError`]; the merge base is the former one then, and the file can be joined again.
    pub fn finish<S: KeyValue>(
        mut self,
        log: &mut Log<S>,
        file: &BackupRecord,
        now: u64,
    ) -> Result<Joined, JoinError> {
        let chat = self.chat;
        let base = log.merge_base(chat);
        let base = base.as_ref().map(|base| &base.fields);
        self.look(log);
        let lacks = self.unseen().next().is_some();
        self.differs |= lacks || self.lacks_running(log);
        self.purge(log, now)?;
        self.merge_removed(log, base)?;
        self.merge_deleted(log, base)?;
        self.merge_folders(log)?;
        let former = self.merge_head(log, base, now)?;
        let digest = match self.differs {
            true => None,
            false => log.chat_digest(chat),
        };
        let digest = digest.unwrap_or_default();
        let base = MergeBase {
            version: file.version,
            crc: file.crc.clone(),
            seq: log.highest_seq(chat),
            digest: digest.clone(),
            fields: self.records.checksums(),
            ..MergeBase::default()
        };
        log.save_merge_base(chat, &base)?;
        Ok(Joined {
            keys: self.written,
            differs: self.differs,
            digest,
            former,
            versions: self.versions,
            to_purge: self.to_purge,
            purged: self.purged_here,
            purged_images: self.purged_images,
        })
    }

    /// Whether the file lacks something of the answers that run here.
    fn lacks_running<S: KeyValue>(&self, log: &mut Log<S>) -> bool {
        let keys = log.chat_keys().get(&self.chat);
        let running: BTreeSet<Id> = keys
            .into_iter()
            .flat_map(|keys| keys.tails.iter().map(|(id, _)| *id))
            .collect();
        running.into_iter().any(|id| {
            let line = log
                .find_message(self.chat, id)
                .map(|message| line_of(self.chat, &message));
            self.running.get(&id) != line.map(|line| checksum(&line)).as_ref()
        })
    }

    /// The messages that are here and not in the file.
    fn unseen(&self) -> impl Iterator<Item = Id> {
        let ids = self.local.keys().copied();
        ids.filter(|id| !self.seen.contains(id))
    }

    fn read_line<S: KeyValue>(&mut self, log: &mut Log<S>, line: &str) {
        let ExportLine::Record { key, crc, data } = lines::parse(line) else {
            return;
        };
        let Some(key) = Key::parse(key, KINDS) else {
            return;
        };
        if key.chat().is_some_and(|chat| chat != self.chat) || checksum(data) != crc {
            return;
        }
        match key {
            Key::Message(_, seq, id) => self.read_message(log, line, data, (seq, id)),
            _ => self.records.read(key, data),
        }
    }

    fn read_message<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        line: &str,
        data: &str,
        (seq, id): (u32, Id),
    ) {
        if self.purged.contains(&id) {
            self.to_purge.push(id);
            return;
        }
        let is_running = |log: &Log<S>| {
            let keys = log.chat_keys().get(&self.chat);
            keys.is_some_and(|keys| keys.tails.iter().any(|(tail, _)| *tail == id))
        };
        let is_same = match self.local.get(&id) {
            None => false,
            Some(Place::Packed(crc)) => checksum(line) == *crc,
            Some(Place::Record(local)) => {
                let name = Key::Message(self.chat, *local, id).to_string();
                let written = log
                    .record(&name)
                    .and_then(|record| lines::line(&name, &record));
                written.is_some_and(|written| written.trim_end() == line)
            }
        };
        if is_same {
            self.seen.insert(id);
            return;
        }
        let Ok(theirs) = serde_json::from_str::<Message>(data) else {
            return;
        };
        let theirs = Message { seq, id, ..theirs };
        self.seen.insert(id);
        if !self.local.contains_key(&id) {
            // The beginning of an answer that is running here.
            if is_running(log) {
                self.running.insert(id, checksum(line));
                return;
            }
            self.has_news = true;
            self.take(theirs);
            return;
        }
        let Some(ours) = log.find_message(self.chat, id) else {
            self.take(theirs);
            return;
        };
        match compare(&ours, &theirs) {
            Newer::Ours => self.differs = true,
            Newer::Theirs => self.take(theirs),
            Newer::Neither => {
                let version = beside(self.chat, &ours);
                if !self.local.contains_key(&version.id) {
                    self.take(version);
                    self.versions += 1;
                }
                self.take(theirs);
                self.differs = true;
            }
        }
    }

    /// Puts a message among those to be written.
    fn take(&mut self, message: Message) {
        let record = encode_record(&message);
        if !message.images.is_empty() {
            self.images.extend(image_hashes(&record));
        }
        let key = Key::Message(self.chat, message.seq, message.id);
        self.writes.push_back((key, record));
    }

    fn add<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        key: Key,
        record: &str,
    ) -> Result<(), JoinError> {
        let name = key.to_string();
        let is_new = log.record(&name).is_none();
        if let Err(error) = log.add_imported(key, record) {
            let manifest = ImportManifest {
                keys: std::mem::take(&mut self.added),
                ..ImportManifest::default()
            };
            log.undo_import(self.chat, &manifest);
            return Err(error.into());
        }
        if is_new {
            self.added.push(name);
        }
        self.written.push((key, true));
        Ok(())
    }

    /// Removes for good what another browser removed for good.
    fn purge<S: KeyValue>(&mut self, log: &mut Log<S>, now: u64) -> Result<(), JoinError> {
        let theirs = self.records.removed.iter();
        let gone: Vec<(Id, String)> = theirs
            .filter(|(id, tombstone)| tombstone.purged && !self.purged.contains(id))
            .map(|(id, tombstone)| (*id, encode_record(tombstone)))
            .collect();
        let mut here = Vec::new();
        for (id, record) in gone {
            match log.find_message(self.chat, id) {
                Some(message) => {
                    log.remove_message(self.chat, &message, now)?;
                    let images = message.images.iter().map(|image| image.hash);
                    self.purged_images.extend(images);
                    here.push(id);
                }
                None => self.add(log, Key::Removed(self.chat, id), &record)?,
            }
            self.local.remove(&id);
        }
        log.purge_messages(self.chat, &here, now)
            .map_err(|_| JoinError::NotPacked)?;
        let keys = here.iter().map(|id| (Key::Removed(self.chat, *id), true));
        self.written.extend(keys);
        self.purged_here.extend(here);
        let mut purged = self.purged.iter();
        self.differs |= !purged.all(|id| self.records.is_purged(*id));
        Ok(())
    }

    /// Merges which messages are in the trash.
    fn merge_removed<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        base: Option<&FieldChecksums>,
    ) -> Result<(), JoinError> {
        let chat = self.chat;
        let mut ids = log
            .chat_keys()
            .get(&chat)
            .map(|keys| keys.removed.clone())
            .unwrap_or_default();
        ids.extend(self.records.removed.keys());
        for id in ids {
            let here = log.read::<MessageTombstone>(Key::Removed(chat, id));
            let is_purged_here = here.as_ref().is_some_and(|tombstone| tombstone.purged);
            if is_purged_here || self.records.is_purged(id) {
                continue;
            }
            let theirs = self.records.removed.get(&id).map(encode_record);
            let removed = merge_flag(base, &removed_field(id), here.is_some(), theirs.is_some());
            self.differs |= removed != theirs.is_some();
            match (removed, here.is_some(), theirs) {
                (true, false, Some(record)) => {
                    self.add(log, Key::Removed(chat, id), &record)?;
                }
                (false, true, _) => {
                    log.restore_message(chat, id);
                    self.written.push((Key::Removed(chat, id), false));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Merges whether the chat is in the trash. One that somebody went on with meanwhile is not.
    fn merge_deleted<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        base: Option<&FieldChecksums>,
    ) -> Result<(), JoinError> {
        let theirs = self.records.deleted.as_ref().map(encode_record);
        let ours = log.is_deleted(self.chat);
        let goes_on = match (ours, theirs.is_some()) {
            (true, false) => self.has_news,
            (false, true) => self.unseen().next().is_some(),
            _ => false,
        };
        let deleted = !goes_on && merge_flag(base, DELETED, ours, theirs.is_some());
        self.differs |= deleted != theirs.is_some();
        match (deleted, ours, theirs) {
            (true, false, Some(record)) => self.add(log, Key::Tombstone(self.chat), &record)?,
            (false, true, _) if log.restore(self.chat) => {
                self.written.push((Key::Tombstone(self.chat), false));
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes newer versions of folders.
    fn merge_folders<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<(), JoinError> {
        for folder in std::mem::take(&mut self.records.folders) {
            let ours = log.folder(folder.id);
            let order = |folder: &Folder| (folder.rev, encode_record(folder));
            match ours.as_ref().map(|ours| order(ours).cmp(&order(&folder))) {
                Some(std::cmp::Ordering::Equal) => {}
                Some(std::cmp::Ordering::Greater) => self.differs = true,
                _ => self.add(log, Key::Record(FOLDER, folder.id), &encode_record(&folder))?,
            }
        }
        Ok(())
    }

    /// Merges the heads. Returns the values of this browser that gave way.
    fn merge_head<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        base: Option<&FieldChecksums>,
        now: u64,
    ) -> Result<Vec<FormerValue>, JoinError> {
        let chat = self.chat;
        let ours = log.read::<Head>(Key::Head(chat));
        let Some(theirs) = self.records.head.clone() else {
            self.differs |= ours.is_some();
            return Ok(Vec::new());
        };
        let Some(ours) = ours else {
            let mut head = Head {
                packed: None,
                ..theirs
            };
            FIELDS.fork(&mut head.others);
            self.add(log, Key::Head(chat), &encode_record(&head))?;
            return Ok(Vec::new());
        };
        let merged = merge_fields(
            base,
            &head_fields(&ours, FIELDS),
            &head_fields(&theirs, FIELDS),
        );
        let former = merged.former.into_iter();
        let former: Vec<FormerValue> = former
            .map(|(field, value)| FormerValue {
                field,
                value,
                at: now,
            })
            .collect();
        let mut head = ours.clone();
        let numbers = Numbers::merge(&mut head, &theirs);
        set_head_fields(&mut head, FIELDS, &merged.fields);
        let given_way = [&theirs, &ours].map(|head| former_values(&head.others));
        clear_former_values(&mut head);
        let all = given_way.iter().flatten().chain(&former).cloned();
        add_former_values(&mut head, all);
        self.differs |= head_fields(&head, FIELDS) != head_fields(&theirs, FIELDS)
            || head.systems != theirs.systems
            || head.summaries != theirs.summaries
            || former_values(&head.others) != given_way[0];
        self.renumber(log, &numbers)?;
        if head != ours {
            head.rev = ours.rev.max(theirs.rev).wrapping_add(1);
            log.save_head(&head)?;
            self.written.push((Key::Head(chat), true));
        }
        Ok(former)
    }

    /// Corrects the receipts of the messages that the folder does not have yet: system prompts and summaries have other
    /// numbers now.
    fn renumber<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        numbers: &Numbers,
    ) -> Result<(), JoinError> {
        if numbers.is_same() {
            return Ok(());
        }
        for id in self.unseen().collect::<Vec<_>>() {
            let Some(mut message) = log.find_message(self.chat, id) else {
                continue;
            };
            let Some(receipt) = message.receipt.as_mut() else {
                continue;
            };
            let former = (receipt.system, receipt.summary);
            receipt.system = former
                .0
                .map(|n| numbers.systems.get(&n).copied().unwrap_or(n));
            receipt.summary = former
                .1
                .map(|n| numbers.summaries.get(&n).copied().unwrap_or(n));
            if (receipt.system, receipt.summary) != former {
                let key = Key::Message(self.chat, message.seq, id);
                self.add(log, key, &encode_record(&message))?;
            }
        }
        Ok(())
    }
}

impl FileRecords {
    fn read(&mut self, key: Key, data: &str) {
        match key {
            Key::Head(id) => {
                let head = serde_json::from_str::<Head>(data).ok();
                self.head = head.map(|head| Head { id, ..head });
            }
            Key::Tombstone(_) => self.deleted = serde_json::from_str(data).ok(),
            Key::Removed(_, id) => {
                if let Ok(tombstone) = serde_json::from_str(data) {
                    self.removed.insert(id, tombstone);
                }
            }
            Key::Record(FOLDER, id) => {
                if let Ok(folder) = serde_json::from_str::<Folder>(data) {
                    self.folders.push(Folder { id, ..folder });
                }
            }
            _ => {}
        }
    }

    /// Whether the file says that a message was deleted for good.
    fn is_purged(&self, id: Id) -> bool {
        self.removed
            .get(&id)
            .is_some_and(|tombstone| tombstone.purged)
    }

    fn checksums(&self) -> FieldChecksums {
        let mut all = self
            .head
            .as_ref()
            .map(|head| fields::checksums(&head_fields(head, FIELDS)))
            .unwrap_or_default();
        if self.deleted.is_some() {
            all.insert(DELETED.to_owned(), String::new());
        }
        let removed = self.removed.keys().filter(|id| !self.is_purged(**id));
        all.extend(removed.map(|id| (removed_field(*id), String::new())));
        all
    }
}

/// The checksums of what these lines say of a chat besides its messages, for a [`MergeBase`].
#[must_use]
pub fn field_checksums(text: &str, chat: Id) -> FieldChecksums {
    let mut records = FileRecords::default();
    for line in text.lines() {
        // Messages are most of the lines.
        if line.starts_with("{\"key\":\"sash:m:") {
            continue;
        }
        if let ExportLine::Record { key, data, .. } = lines::parse(line)
            && let Some(key) = Key::parse(key, KINDS).filter(|key| key.chat() == Some(chat))
        {
            records.read(key, data);
        }
    }
    records.checksums()
}

fn removed_field(id: Id) -> String {
    format!("removed/{id}")
}

/// New numbers of the system prompts and summaries that the folder has not, or has under another number.
#[derive(Default)]
struct Numbers {
    systems: BTreeMap<u32, u32>,
    summaries: BTreeMap<u32, u32>,
}

impl Numbers {
    /// Gives a head the lists of another one, and after them what only it has.
    fn merge(head: &mut Head, theirs: &Head) -> Self {
        let mut numbers = Self::default();
        let ours = std::mem::replace(&mut head.systems, theirs.systems.clone());
        for (n, text) in (0..).zip(ours) {
            head.keep_system(&text);
            let place = head.systems.iter().position(|known| *known == text);
            if let Some(place) = place.and_then(|place| u32::try_from(place).ok()) {
                numbers.systems.insert(n, place);
            }
        }
        let ours = std::mem::replace(&mut head.summaries, theirs.summaries.clone());
        for summary in ours {
            let n = summary.number;
            let is_same = |known: &&sash_chat::Summary| {
                (&known.text, known.through, known.created)
                    == (&summary.text, summary.through, summary.created)
            };
            let number = match head.summaries.iter().find(is_same) {
                Some(known) => Some(known.number),
                None => {
                    head.add_summary(summary);
                    head.settings.summary
                }
            };
            numbers.summaries.extend(number.map(|number| (n, number)));
        }
        numbers
    }

    fn is_same(&self) -> bool {
        let all = self.systems.iter().chain(&self.summaries);
        all.into_iter().all(|(former, now)| former == now)
    }
}

/// Which of two versions of a message counts.
enum Newer {
    Ours,
    Theirs,
    Neither,
}

fn compare(ours: &Message, theirs: &Message) -> Newer {
    let begins = |part: &Message, whole: &Message| {
        part.outcome == Outcome::Interrupted
            && whole.content.starts_with(&part.content)
            && whole.thinking.starts_with(&part.thinking)
    };
    let said = |message: &Message| (message.content.clone(), message.thinking.clone());
    if said(ours) == said(theirs) {
        // The receipt or how it ended: the folder's counts, unless ours came to an end since.
        let ended = |message: &Message| message.outcome != Outcome::Interrupted;
        return match ended(ours) && !ended(theirs) {
            true => Newer::Ours,
            false => Newer::Theirs,
        };
    }
    match (begins(theirs, ours), begins(ours, theirs)) {
        (true, _) => Newer::Ours,
        (_, true) => Newer::Theirs,
        _ => Newer::Neither,
    }
}

/// A version of a message that stands beside the one in the folder. Its id is made of its text, so that it is the same one
/// whoever joins it, and however often.
fn beside(chat: Id, message: &Message) -> Message {
    let line = line_of(chat, message);
    let digits = checksum(&line) + &checksum(&format!("{line}{}", message.id));
    Message {
        id: digits.parse().unwrap_or(message.id),
        ..message.clone()
    }
}

fn line_of(chat: Id, message: &Message) -> String {
    let key = Key::Message(chat, message.seq, message.id).to_string();
    let line = lines::line(&key, &encode_record(message)).unwrap_or_default();
    line.trim_end().to_owned()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::super::ChatLines;
    use super::*;
    use crate::tests::{NOW, log_of, message, simple};
    use sash_chat::Chat;
    use sash_log::MemoryStore;

    /// The lines of the file that another browser wrote.
    fn file_of(chat: &Chat) -> String {
        let log = &mut log_of(std::slice::from_ref(chat));
        let mut lines = ChatLines::new(log, chat.head.id, NOW);
        while lines.step(log) {}
        let text = lines.finish().0;
        text.split_once('\n').unwrap().1.to_owned()
    }

    /// Joins a file of chat 1; the person does something else once the file is read.
    fn join_while(
        log: &mut Log<MemoryStore>,
        file: String,
        meanwhile: impl FnOnce(&mut Log<MemoryStore>),
    ) -> Joined {
        let mut join = ChatJoin::new(log, Id(1), file);
        while join.step(log) {}
        meanwhile(log);
        while join.write_step(log).unwrap() {}
        let header = BackupRecord {
            version: 2,
            crc: "0123abcd".to_owned(),
            ..BackupRecord::default()
        };
        join.finish(log, &header, NOW).unwrap()
    }

    #[test]
    fn a_file_that_has_all_that_is_here_does_not_differ() {
        let mut theirs = simple(1);
        theirs.insert(message(103, 102, 3, "Another question"));
        let mut log = log_of(&[simple(1)]);
        let joined = join_while(&mut log, file_of(&theirs), |_| ());
        assert!(!joined.differs);
        assert_eq!(Some(joined.digest), log.chat_digest(Id(1)));
    }

    /// Its key was in the digest of what the folder was thought to have, so it was not handed over until the chat changed
    /// again.
    #[test]
    fn what_is_written_while_a_file_is_joined_is_still_to_be_handed_over() {
        let mut theirs = simple(1);
        theirs.insert(message(103, 102, 3, "Another question"));
        let mut log = log_of(&[simple(1)]);
        let joined = join_while(&mut log, file_of(&theirs), |log| {
            let question = message(203, 102, 3, "Asked meanwhile");
            log.save_message(Id(1), &question).unwrap();
        });
        assert!(joined.differs && joined.digest.is_empty());
        assert!(log.find_message(Id(1), Id(103)).is_some());

        let mut log = log_of(&[simple(1)]);
        let joined = join_while(&mut log, file_of(&theirs), |log| {
            let answer = message(204, 101, 4, "Half an");
            log.begin_tail(Id(1), &answer, None).unwrap();
        });
        assert!(joined.differs && joined.digest.is_empty());
    }

    #[test]
    fn what_is_deleted_for_good_while_a_file_is_joined_does_not_come_back() {
        let mut log = log_of(&[]);
        let mut half = message(102, 101, 2, "An");
        half.outcome = Outcome::Interrupted;
        let mut chat = Chat::new(simple(1).head);
        chat.insert(message(101, 0, 1, "A question"));
        chat.insert(half.clone());
        crate::tests::write(&mut log, &chat);
        let joined = join_while(&mut log, file_of(&simple(1)), |log| {
            log.remove_message(Id(1), &half, NOW).unwrap();
            log.purge_messages(Id(1), &[Id(102)], NOW).unwrap();
        });
        assert_eq!(log.find_message(Id(1), Id(102)), None);
        assert_eq!(joined.to_purge, [Id(102)]);
        assert!(joined.differs);
    }
}
