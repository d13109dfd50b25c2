//! How the backup stands, as the page shows it.

use crate::{BackupFault, BackupKey};
use sash_chat::Id;
use sash_wire::{Fault, RoomFaults};
use std::collections::BTreeSet;

/// After so many attempts that failed in a row the page says so.
const TOLD_FAILURES: u32 = 3;

/// Where the backup stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum BackupPhase {
    /// There is none: the server keeps none, or has not answered yet, and no directory of this device was chosen.
    #[default]
    Off,
    /// The key is missing; with the server's refusal of the one that was given.
    NeedsKey(Option<Fault>),
    /// The browser has to ask the person whether the directory of this device may still be written.
    NeedsPermission,
    /// Another tab of this browser does it.
    OtherTab,
    /// What changed is being handed over.
    Writing,
    /// Everything was handed over that can be.
    Done,
    /// The directory cannot be used; another attempt follows by itself.
    Failed(Fault),
}

/// Why a chat is not, or not as a whole, in the backup and here.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemReason {
    /// What went wrong with it. Unless it is too long, or a newer Sash wrote it, it is tried again.
    Fault(Fault),
    /// This browser has no room for it: it is in the backup only.
    NoRoom,
    /// A newer Sash wrote a copy of it.
    Newer,
    /// A copy of it has no right seal, or was changed by something else: it is left alone.
    Foreign,
    /// So many images of it are neither in the backup nor here any more.
    ImagesMissing(usize),
    /// So many messages of it are here alone: another browser deleted them from the backup for good.
    Dropped(usize),
    /// What was deleted of it for good may be in the directory still: in these files, or the directory is still to be told.
    Unreached(Vec<String>),
}

impl ProblemReason {
    /// Whether it is tried again without a change of the chat.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Fault(fault) => {
                let stays = [BackupFault::TooLong, BackupFault::Newer].map(Some);
                let is_too_much = matches!(fault, Fault::TooLarge { .. } | Fault::TooComplex);
                !is_too_much && !stays.contains(&BackupFault::of(fault))
            }
            Self::Unreached(_) => true,
            Self::NoRoom
            | Self::Newer
            | Self::Foreign
            | Self::ImagesMissing(_)
            | Self::Dropped(_) => false,
        }
    }
}

/// A chat that is not, or not as a whole, in the backup and here.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatProblem {
    /// The chat.
    pub chat: Id,
    /// Its title; empty for what was deleted.
    pub title: String,
    /// Why.
    pub reason: ProblemReason,
}

/// A browser that has copies in the backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownBrowser {
    /// Its id.
    pub id: Id,
    /// Its name, as it says; empty if it has not said one.
    pub name: String,
    /// When it wrote last, in milliseconds since 1970.
    pub last: u64,
    /// How many chats it has there.
    pub chats: usize,
    /// How many bytes its copies have.
    pub bytes: u64,
    /// Whether it is this one.
    pub is_this: bool,
}

/// The state of the backup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BackupState {
    /// Where it stands.
    pub phase: BackupPhase,
    /// When this browser's last change was written, in milliseconds since 1970.
    pub last: Option<u64>,
    /// How many chats are still to be looked at.
    pub waiting: usize,
    /// How many attempts failed in a row.
    pub failures: u32,
    /// The chats that are not, or not as a whole, in the backup and here.
    pub problems: Vec<ChatProblem>,
    /// The browsers that have copies there, the one that wrote last first.
    pub browsers: Vec<KnownBrowser>,
    /// The name of the directory of this device, if the backup is there and not at the server.
    pub device: Option<String>,
    /// Whether the directory is under version control, which keeps what is deleted.
    pub is_versioned: bool,
    /// The names of files that are none of Sash's.
    pub others: Vec<String>,
    /// How many others there are beside those.
    pub more_others: usize,
    /// How many bytes the former files have that are kept.
    pub kept_bytes: u64,
    /// How many chats the backup has and this browser has not, if the person is to be asked about them.
    pub offer: Option<usize>,
    /// Whether the person wants to choose among them: they are listed once the section of the backup is shown.
    pub lists_chats: bool,
    /// The key of a link, if there is another one here: the person is to be asked.
    pub other_key: Option<BackupKey>,
}

impl BackupState {
    /// Why the backup has not been written for a while, if it has not.
    #[must_use]
    pub fn problem(&self) -> Option<&Fault> {
        match &self.phase {
            BackupPhase::Failed(fault) if self.failures >= TOLD_FAILURES => Some(fault),
            BackupPhase::NeedsKey(fault) => fault.as_ref(),
            _ => None,
        }
    }

    /// Whether the directory can be used with the key or the permission that is there.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !matches!(
            self.phase,
            BackupPhase::Off | BackupPhase::NeedsKey(_) | BackupPhase::NeedsPermission
        )
    }

    /// The chats of which something may be in the directory that was deleted for good.
    #[must_use]
    pub fn to_purge(&self) -> BTreeSet<Id> {
        self.purges().map(|(chat, _)| chat).collect()
    }

    /// The files that may still have what was deleted for good.
    #[must_use]
    pub fn unreached(&self) -> Vec<String> {
        let files: BTreeSet<&String> = self.purges().flat_map(|(_, files)| files).collect();
        files.into_iter().cloned().collect()
    }

    fn purges(&self) -> impl Iterator<Item = (Id, &Vec<String>)> {
        self.problems
            .iter()
            .filter_map(|problem| match &problem.reason {
                ProblemReason::Unreached(files) => Some((problem.chat, files)),
                _ => None,
            })
    }

    /// Whether all that this browser has is in the backup.
    #[must_use]
    pub fn has_everything(&self) -> bool {
        let is_missing = |problem: &ChatProblem| matches!(problem.reason, ProblemReason::Fault(_));
        self.phase == BackupPhase::Done && !self.problems.iter().any(is_missing)
    }
}
