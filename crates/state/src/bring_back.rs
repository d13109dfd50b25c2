//! *Bring back*: what is in the folder of the backup, chosen by the person, comes in as an import does: a dry run first,
//! then all or nothing, and nothing is replaced.

use crate::backup::{Backup, BackupTarget};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_calls::{
    BackedUpChat, BackupFault, BackupFileState, BackupKey, BackupList, BackupPromptsRequest,
};
use sash_chat::{Id, ImageHash};
use sash_form::{FileImage, MAX_FILE};
use sash_log::checksum;
use sash_stores::{Edges, Kernel, Newest, PickedFile, uses};
use sash_transfer::backup::{BackupFile, image_hashes, kept_prompt_lines, prompt_lines};
use sash_wire::{Fault, RoomFaults};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// More texts of the length of a file than an import takes.
const MAX_TEXTS: usize = 3;
/// The header of the file that is made of the chosen chats.
const HEADER: &str = "{\"app\":\"sash\",\"schema\":1}\n";

/// What is in the folder, or why it cannot be said.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FolderContents {
    /// Nobody has asked.
    #[default]
    Unknown,
    /// It is being read.
    Reading,
    /// The list.
    Read(BackupList),
    /// The list could not be read, for this reason.
    Failed(Fault),
}

/// The chosen chats as a file: its texts, and where in it the images are; the error is a sentence.
type FileParts = Result<(Rc<dyn PickedFile>, Vec<String>, Vec<FileImage>), String>;

/// The choice of what is brought back.
#[derive(Clone, Copy)]
pub struct BringBack {
    edges: Edges,
    kernel: Kernel,
    backup: StoredValue<Backup>,
    /// What is in the folder.
    pub contents: Newest<FolderContents>,
    /// The chats that the person chose.
    pub chosen: RwSignal<BTreeSet<Id>>,
    /// Whether the prompts and folders are chosen.
    pub chosen_prompts: RwSignal<bool>,
    /// The folder that was listed.
    target: StoredValue<Option<BackupTarget>, LocalStorage>,
}

uses!(BringBack.kernel: storage; backup: Backup);

/// The chosen chats as a file. Its images are still in the folder: each is read when the import comes to it, from the
/// place where it would be in a file.
struct FolderFile {
    target: BackupTarget,
    key: BackupKey,
    images: BTreeMap<u64, ImageHash>,
}

impl PickedFile for FolderFile {
    fn name(&self) -> String {
        String::new()
    }

    fn size(&self) -> u64 {
        self.images.len() as u64
    }

    fn read_range(&self, at: Range<u64>) -> LocalBoxFuture<'static, Option<Vec<u8>>> {
        let Some(hash) = self.images.get(&at.start).copied() else {
            return futures::future::ready(None).boxed_local();
        };
        let (target, key) = (self.target.clone(), self.key.clone());
        async move {
            target
                .get_image(key, hash)
                .await
                .ok()
                .map(String::into_bytes)
        }
        .boxed_local()
    }
}

impl BringBack {
    /// A choice of nothing.
    #[must_use]
    pub fn new(kernel: Kernel, backup: Backup) -> Self {
        Self {
            kernel,
            edges: kernel.edges(),
            backup: StoredValue::new(backup),
            contents: Newest::new(FolderContents::Unknown),
            chosen: RwSignal::new(BTreeSet::new()),
            chosen_prompts: RwSignal::new(false),
            target: StoredValue::new_local(None),
        }
    }

    /// Asks what is in the folder. What is not here is chosen: chats, and the prompts and folders if any of them differs.
    pub fn list(self) {
        let ticket = self.contents.begin();
        ticket.write(FolderContents::Reading);
        let (target, key) = (self.backup().target(), self.backup().key());
        let writer = self.backup().writer();
        self.target.set_value(Some(target.clone()));
        self.edges.spawn(async move {
            let list = target.list(key, writer).await;
            if !ticket.is_current() {
                return;
            }
            match list {
                Ok(list) => {
                    let chats = list.chats.iter().filter(|chat| can_come_back(chat));
                    let new = chats.map(|chat| chat.chat).filter(|id| !self.is_here(*id));
                    self.chosen.set(new.collect());
                    let ours = self.storage().with_log(prompt_lines);
                    let are_here = ours.is_some_and(|ours| checksum(&ours) == list.prompts_crc);
                    let has_some = list.prompts + list.folders > 0;
                    self.chosen_prompts.set(has_some && !are_here);
                    ticket.write(FolderContents::Read(list));
                }
                Err(fault) => {
                    ticket.write(FolderContents::Failed(fault));
                }
            }
        });
    }

    /// Forgets the list.
    pub fn close(self) {
        self.contents.set(FolderContents::Unknown);
        self.chosen.set(BTreeSet::new());
        self.chosen_prompts.set(false);
    }

    /// Whether the log of this browser has a chat, in the trash or not.
    #[must_use]
    pub fn is_here(self, chat: Id) -> bool {
        let has = |keys: &sash_log::ChatKeys| keys.has_something();
        let is_here = self
            .storage()
            .with_log(|log| log.chat_keys().get(&chat).is_some_and(has));
        is_here == Some(true)
    }

    /// Chooses a chat, or does no more.
    pub fn toggle(self, chat: Id) {
        self.chosen.update(|chosen| {
            if !chosen.remove(&chat) {
                chosen.insert(chat);
            }
        });
    }

    /// Chooses all chats that can be brought back, or none.
    pub fn choose_all(self, all: bool) {
        let chats = self.contents.with_untracked(|contents| match contents {
            FolderContents::Read(list) if all => {
                let chats = list.chats.iter().filter(|chat| can_come_back(chat));
                chats.map(|chat| chat.chat).collect()
            }
            _ => BTreeSet::new(),
        });
        self.chosen.set(chats);
    }

    /// Reads the chosen chats, to be planned as an import; the list is closed. `None` if there was none.
    pub fn take_chosen(self) -> Option<impl Future<Output = FileParts>> {
        let chosen: Vec<Id> = self.chosen.get_untracked().into_iter().collect();
        let images = self.contents.with_untracked(|contents| match contents {
            FolderContents::Read(list) => list.images.iter().copied().collect(),
            _ => BTreeSet::new(),
        });
        let key = self.backup().key();
        let prompts = self.chosen_prompts.get_untracked();
        self.close();
        let target = self.target.with_value(Clone::clone)?;
        let read = self.read_chosen(chosen, prompts, key.clone(), target.clone());
        Some(async move {
            let texts = read.await.map_err(|fault| fault.to_string())?;
            let named: BTreeSet<ImageHash> =
                texts.iter().flat_map(|text| image_hashes(text)).collect();
            // An image has no more place in the file than its number.
            let images: BTreeMap<u64, ImageHash> =
                (0..).zip(named.intersection(&images).copied()).collect();
            let places = images.iter().map(|(at, hash)| FileImage {
                hash: *hash,
                at: *at..*at + 1,
            });
            let places = places.collect();
            let file: Rc<dyn PickedFile> = Rc::new(FolderFile {
                target,
                key,
                images,
            });
            Ok((file, texts, places))
        })
    }

    /// The lines of chats, and of the prompts and folders, in texts that are no longer than a file that is imported. A chat
    /// that was deleted meanwhile is left out.
    async fn read_chosen(
        self,
        chosen: Vec<Id>,
        prompts: bool,
        key: BackupKey,
        target: BackupTarget,
    ) -> Result<Vec<String>, Fault> {
        let mut texts = Vec::new();
        let mut text = HEADER.to_owned();
        if prompts {
            let request = BackupPromptsRequest {
                key: key.clone(),
                writer: self.backup().writer(),
                base_crc: None,
                text: None,
            };
            let kept = target.prompts(request).await?;
            text += &kept_prompt_lines(&kept.text);
        }
        for chat in chosen {
            let file = match target.get(key.clone(), chat).await {
                Ok(text) => text,
                Err(fault) if BackupFault::of(&fault) == Some(BackupFault::Absent) => continue,
                Err(fault) => return Err(fault),
            };
            let is_purged = |file: BackupFile<'_>| file.header.backup.purged;
            if BackupFile::parse(&file).is_ok_and(is_purged) {
                continue;
            }
            // A file without a header is read as far as it can be.
            let lines = BackupFile::parse(&file).map_or(file.as_str(), |file| file.rest);
            if text.len() + lines.len() >= MAX_FILE {
                // More than an import takes: it says so.
                if texts.len() > MAX_TEXTS {
                    break;
                }
                texts.push(std::mem::replace(&mut text, HEADER.to_owned()));
            }
            text += lines;
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        texts.push(text);
        Ok(texts)
    }
}

/// Whether a chat of the folder can be brought back.
#[must_use]
pub fn can_come_back(chat: &BackedUpChat) -> bool {
    matches!(chat.state, BackupFileState::Kept | BackupFileState::Changed)
}
