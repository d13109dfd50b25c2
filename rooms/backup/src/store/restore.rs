//! *Restore*: what is in the backup, chosen by the person, comes in as an import does: a dry run first, then all or nothing, and
//! nothing is replaced.

use super::Backup;
use super::target::BackupTarget;
use crate::call::{CopyText, ListedCopy};
use crate::fault::fault_words;
use crate::form::{ALL_BROWSERS, CopyId, CopyRecord, SHELF, Standing, parse};
use crate::gone::Gone;
use crate::lines::{CopyLines, IMAGES, chat_state, image_hashes};
use crate::union::Union;
use crate::{BackupFault, BackupKey};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use sash_chat::{Id, ImageHash};
use sash_form::lines::{self, ExportLine};
use sash_form::{FileImage, MAX_FILE};
use sash_log::{Key, Log, MemoryStore};
use sash_records::KINDS;
use sash_stores::{LogEvent, PickedFile};
use sash_wire::{Fault, RoomFaults};
use sash_words::t;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// So many texts are more than an import takes, because any two of them are longer than a file.
const TOO_MANY_TEXTS: usize = 4;
/// The header of the files that are made of the chosen chats.
const HEADER: &str = "{\"app\":\"sash\",\"schema\":1}\n";

/// A chat of the backup, or its prompts and folders, as all copies have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreChat {
    /// The chat, or [`SHELF`].
    pub chat: Id,
    /// Its title.
    pub title: String,
    /// How many messages the longest copy has.
    pub messages: u64,
    /// When it was written last, in milliseconds since 1970.
    pub at: u64,
    /// The worst that is known of who wrote its copies.
    pub standing: Standing,
    /// Whether a newer Sash wrote all of its copies, which cannot be read.
    pub is_newer: bool,
    /// Where it is in this browser.
    pub place: ChatPlace,
    /// Its copies, the one written last first.
    copies: Vec<ListedCopy>,
}

/// Where a chat of the backup is in this browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatPlace {
    /// It is not there.
    Absent,
    /// It is there.
    Here,
    /// It is in the trash.
    InTrash,
}

/// The chosen chats as a file: its texts, and where in it the images are; the error is a sentence.
pub type FileParts = Result<(Rc<dyn PickedFile>, Vec<String>, Vec<FileImage>), String>;

/// The chosen chats as a file. Its images are still in the directory: each is read when the import comes to it, and its place in
/// the file is its number.
struct DirectoryFile {
    target: BackupTarget,
    images: Vec<ImageHash>,
}

impl PickedFile for DirectoryFile {
    fn name(&self) -> String {
        String::new()
    }

    fn size(&self) -> u64 {
        self.images.len() as u64
    }

    fn read_range(&self, at: Range<u64>) -> LocalBoxFuture<'static, Option<Vec<u8>>> {
        let place = usize::try_from(at.start).ok();
        let hash = place.and_then(|place| self.images.get(place)).copied();
        let target = self.target.clone();
        async move {
            let image = target.get_image(hash?).await.ok()?;
            Some(image.into_bytes())
        }
        .boxed_local()
    }
}

impl Backup {
    /// Lists what is in the backup: the prompts and folders, then the chats, the one written last first.
    ///
    /// # Errors
    /// Those of the directory.
    pub async fn list_chats(self) -> Result<Vec<RestoreChat>, Fault> {
        let mut copies = self.target().list().await?.copies;
        copies.sort_by_key(|copy| (copy.chat, Reverse(copy.at)));
        let of_chats = copies.chunk_by(|one, other| one.chat == other.chat);
        let chats = of_chats.filter_map(|copies| self.chat_of(copies));
        let mut chats: Vec<RestoreChat> = chats.collect();
        chats.sort_by_key(|chat| (chat.chat != SHELF, Reverse(chat.at)));
        Ok(chats)
    }

    /// Takes those of these chats out of the trash that are in it here, and returns how many. Of those the ones stay in `chats`, to
    /// be read, of which a copy has something else than this browser.
    pub fn take_out_of_trash(self, chats: &mut Vec<RestoreChat>) -> usize {
        let mut taken = 0;
        self.storage().with_log(|log| {
            chats.retain(|RestoreChat { chat, copies, .. }| {
                if !log.can_restore(*chat) {
                    return true;
                }
                taken += 1;
                let in_trash = chat_state(log, *chat);
                log.restore(*chat);
                let states = [in_trash, chat_state(log, *chat)];
                let is_here = |copy: &ListedCopy| {
                    let mut states = states.iter().flatten();
                    copy.standing == Standing::Sealed && states.any(|state| *state == copy.state)
                };
                !copies.iter().all(is_here)
            });
        });
        if taken > 0 {
            self.storage().events().emit(&LogEvent::ManyWritten);
        }
        taken
    }

    /// Reads these chats, to be planned as an import.
    pub async fn read_chats(self, chats: Vec<RestoreChat>) -> FileParts {
        let target = self.target();
        let texts = read_texts(&target, chats).await;
        let texts = texts.map_err(|fault| fault_words(&fault))?;
        let lines = texts.iter().flat_map(|text| text.lines());
        let lines = lines.filter(|line| line.contains(IMAGES));
        let images: BTreeSet<ImageHash> = lines.flat_map(image_hashes).collect();
        let images = Vec::from_iter(images);
        let places = (0..).zip(&images);
        let places = places.map(|(place, hash)| FileImage {
            hash: *hash,
            at: place..place + 1,
        });
        let places = places.collect();
        let file: Rc<dyn PickedFile> = Rc::new(DirectoryFile { target, images });
        Ok((file, texts, places))
    }

    /// A chat of which there are these copies, the one written last first. `None` for prompts and folders of which there are none.
    fn chat_of(self, copies: &[ListedCopy]) -> Option<RestoreChat> {
        let newest = copies.first()?;
        let messages = copies.iter().map(|copy| copy.messages).max()?;
        let (title, place) = match newest.chat {
            SHELF if messages == 0 => return None,
            // Those that are here are added to no second time.
            SHELF => (t!(backup.shelf).to_owned(), ChatPlace::Absent),
            chat => {
                let mut titles = copies.iter().map(|copy| &copy.title);
                let title = titles.find(|title| !title.is_empty());
                (title.cloned().unwrap_or_default(), self.place_of(chat))
            }
        };
        let standings = copies.iter().map(standing_of);
        Some(RestoreChat {
            chat: newest.chat,
            title,
            messages,
            at: newest.at,
            standing: standings.max_by_key(|standing| *standing as u8)?,
            is_newer: copies.iter().all(|copy| copy.is_newer),
            place,
            copies: copies.to_vec(),
        })
    }

    fn place_of(self, chat: Id) -> ChatPlace {
        let is_in_trash = self.storage().with_log(|log| log.can_restore(chat)) == Some(true);
        match self.has_chat(chat) {
            _ if is_in_trash => ChatPlace::InTrash,
            true => ChatPlace::Here,
            false => ChatPlace::Absent,
        }
    }
}

/// The lines of the chats, in texts that are no longer than a file that is imported.
async fn read_texts(target: &BackupTarget, chats: Vec<RestoreChat>) -> Result<Vec<String>, Fault> {
    let mut texts = Vec::new();
    let mut text = HEADER.to_owned();
    for RestoreChat { chat, copies, .. } in chats {
        let lines = united_lines(chat, read_copies(target, copies).await?);
        if text.len() + lines.len() >= MAX_FILE {
            texts.push(std::mem::replace(&mut text, HEADER.to_owned()));
            if texts.len() >= TOO_MANY_TEXTS {
                // The import says so.
                return Ok(texts);
            }
        }
        text += &lines;
    }
    texts.push(text);
    Ok(texts)
}

/// Reads the copies that are not the same. One that was removed or written by a newer Sash meanwhile is left out. Who has no key
/// cannot say of a copy that it is the same as another one.
async fn read_copies(
    target: &BackupTarget,
    copies: Vec<ListedCopy>,
) -> Result<Vec<(CopyId, CopyText)>, Fault> {
    let (mut read, mut states) = (Vec::new(), BTreeSet::new());
    for copy in copies {
        let is_sealed = copy.standing == Standing::Sealed;
        if copy.is_newer || is_sealed && states.contains(&copy.state) {
            continue;
        }
        let of = CopyId::new(copy.chat, copy.browser);
        match target.get(of).await {
            Ok(text) => {
                if is_sealed && text.standing == Standing::Sealed && !copy.state.is_empty() {
                    states.insert(copy.state);
                }
                read.push((of, text));
            }
            Err(fault) => match BackupFault::of(&fault) {
                Some(BackupFault::Absent | BackupFault::TooLong | BackupFault::Newer) => {}
                _ => return Err(fault),
            },
        }
    }
    Ok(read)
}

/// The lines of a chat, or of prompts and folders, as all of these copies have it, the newest first. The chat is not to be in the
/// trash: the person wants it here.
fn united_lines(chat: Id, mut copies: Vec<(CopyId, CopyText)>) -> String {
    // What counts as the newest somebody without a key cannot say.
    copies.sort_by_key(|(_, copy)| copy.standing != Standing::Sealed);
    let texts: Vec<String> = match chat != SHELF && copies.len() > 1 {
        true => unite(chat, copies).into_iter().collect(),
        false => copies.into_iter().map(|(_, copy)| copy.text).collect(),
    };
    let deleted = Key::Tombstone(chat).to_string();
    let mut known = BTreeSet::new();
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines = lines.filter(|line| match lines::parse(line) {
        ExportLine::Header { .. } => false,
        ExportLine::Record { key, .. } => key != deleted && known.insert(key),
        _ => true,
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Merges the copies of a chat: each has its own numbers of system prompts and summaries, and an import reads a chat of a file
/// once.
fn unite(chat: Id, copies: Vec<(CopyId, CopyText)>) -> Option<String> {
    let mut log = Log::open(MemoryStore::default(), Id(0), KINDS).ok()?;
    for (of, CopyText { text, standing }) in copies {
        let (mut record, lines) = match parse(&text, of, &BackupKey::default()) {
            Ok(copy) if standing == Standing::Sealed => (copy.header.backup, copy.lines),
            // It sets no field.
            _ => (CopyRecord::default(), text.as_str()),
        };
        // Answers that are running come as far as they are.
        record.running.clear();
        if let Some(mut union) = Union::new(&mut log, of, record, lines, &Gone::default()) {
            // In memory there is room.
            union.finish(&mut log, 0).ok();
        }
    }
    let mut lines = CopyLines::new(&log, chat);
    while lines.step(&mut log) {}
    Some(lines.lines)
}

/// Who wrote a copy, as the person is told. An earlier Sash made no seals.
fn standing_of(copy: &ListedCopy) -> Standing {
    match copy.standing {
        Standing::Unsealed if copy.browser == ALL_BROWSERS => Standing::Sealed,
        standing => standing,
    }
}
