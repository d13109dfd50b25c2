//! The backup: hands each change of the log over, seconds after it is written: to the page's own server, if that keeps a
//! backup and the person gave its key, or else to a folder of this device that the person chose in the browser. One tab of
//! the browser does it for all of them.

mod device;
mod edges;
mod following;
mod former_values;
mod joining;
mod key;
mod prompts;
mod settings;
mod target;
mod writing;

pub use edges::{BackupCalls, BackupEdges, ChosenFolder, Folders};
pub use former_values::{forget_former_values, use_former_value};
pub use key::parse_backup_key;
pub use settings::{BackupSettings, BackupSettingsStoreFields};
pub(crate) use target::BackupTarget;
use target::DeviceTarget;

use futures::channel::oneshot;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_calls::{
    BackupFault, BackupKey, BackupPurge, BackupPurgeRequest, BackupPurged, KEEPS_BACKUP,
};
use sash_chat::{Id, ImageHash};
use sash_log::Key;
use sash_records::backup::BackupLog;
use sash_stores::edges::HeldLock;
use sash_stores::hooks::Events;
use sash_stores::{DeletedId, Edges, Kernel, KernelStores, LogEvent, PartStore, Tickets, uses};
use sash_wire::{Fault, RoomFaults};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// After so many attempts that failed in a row the page says so.
const TOLD_FAILURES: u32 = 3;
/// How often the trash is joined anew because another browser went on with a chat of it.
const MAX_PURGE_TRIES: usize = 3;

/// Where the backup stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum BackupPhase {
    /// There is none: the server keeps none, or has not answered yet, and no folder of this device was chosen.
    #[default]
    Off,
    /// The key is missing; with the server's refusal of the one that was given.
    NeedsKey(Option<Fault>),
    /// The browser has to ask the person whether the folder of this device may still be written.
    NeedsPermission,
    /// Another tab of this browser does it.
    OtherTab,
    /// What changed is being handed over.
    Writing,
    /// Everything is in the folder.
    Done,
    /// The last attempt failed; another one follows by itself.
    Failed(Fault),
}

/// The state of the backup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BackupState {
    /// Where it stands.
    pub phase: BackupPhase,
    /// When this browser's last change was written, in milliseconds since 1970.
    pub last: Option<u64>,
    /// How many chats are still to be handed over.
    pub waiting: usize,
    /// The chats that the folder does not take, and why: a newer Sash wrote the file, the chat was deleted from the folder
    /// for good, it is too long.
    pub refused: Vec<(Id, Fault)>,
    /// How many attempts failed in a row.
    pub failures: u32,
    /// Whether the folder is under version control, which keeps what is deleted.
    pub is_versioned: bool,
    /// Files of the folder that are none of Sash's.
    pub others: usize,
    /// The chats of the folder that this browser has no room for, with their titles.
    pub no_room: Vec<(Id, String)>,
    /// The name of the folder of this device, if the backup is there and not at the server.
    pub device: Option<String>,
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

    /// How many chats the folder does not take. One that was deleted from it for good does not count.
    #[must_use]
    pub fn refused_count(&self) -> usize {
        let refused = self.refused.iter();
        refused
            .filter(|(_, fault)| BackupFault::of(fault) != Some(BackupFault::Purged))
            .count()
    }

    /// Whether the folder can be reached with the key or the permission that is there.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !matches!(
            self.phase,
            BackupPhase::Off | BackupPhase::NeedsKey(_) | BackupPhase::NeedsPermission
        )
    }
}

/// What the folder has, as far as this tab knows.
#[derive(Default)]
struct Known {
    /// Version and digest of each chat.
    chats: BTreeMap<Id, (u64, String)>,
    images: BTreeSet<ImageHash>,
    /// The chats that may have changed.
    changed: BTreeSet<Id>,
    refused: BTreeMap<Id, Fault>,
    /// The chats that have a version in the folder that is not here, if the browser is in step with it.
    to_join: BTreeSet<Id>,
    prompts: prompts::KnownPrompts,
    /// The chats that are being joined.
    joining: BTreeSet<Id>,
    /// How much of the browser's room was used, in percent, when there was none for a chat.
    full_at: Option<usize>,
    /// Up to where the news of the folder are known.
    at: u64,
    /// Whether the folder was listed.
    is_listed: bool,
}

/// What came from the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupEvent {
    /// A record was written (`true`) or removed, as if by another tab.
    Joined(Key, bool),
    /// These chats and messages are deleted for good here, because another browser did so, with the images that they had.
    Purged(BTreeSet<(Id, Option<Id>)>, BTreeSet<ImageHash>),
}

/// The backup of this browser's chats.
#[derive(Clone, Copy)]
pub struct Backup {
    edges: Edges,
    kernel: Kernel,
    /// Its settings.
    pub settings: PartStore<BackupSettings>,
    calls: StoredValue<BackupCalls>,
    folders: StoredValue<Rc<dyn Folders>, LocalStorage>,
    /// How it stands.
    pub state: RwSignal<BackupState>,
    /// The folder of this device. It counts where the server keeps no backup, or has none for this browser.
    chosen: RwSignal<Option<ChosenFolder>, LocalStorage>,
    /// The same folder as the backup's.
    device: StoredValue<Option<DeviceTarget>, LocalStorage>,
    /// Choices of a folder, and searches for it: only the newest counts.
    choices: Tickets,
    /// Whether the server keeps a backup, once it has said so.
    is_offered: StoredValue<Option<bool>>,
    known: StoredValue<Known, LocalStorage>,
    /// Wakes the writer that waits for a change.
    wake: StoredValue<Option<oneshot::Sender<()>>, LocalStorage>,
    /// The writer: only the newest goes on.
    runs: Tickets,
    /// Held by the tab that writes.
    lock: StoredValue<Option<HeldLock>, LocalStorage>,
    /// Whether the page was visible when that was looked at last, while another tab writes.
    was_visible: StoredValue<bool>,
    events: Events<BackupEvent>,
}

uses!(Backup.kernel: storage notices chats);

impl Backup {
    /// Creates the store. It begins once the server says that it keeps a backup and a key is there, or once a folder of this
    /// device is found.
    #[must_use]
    pub fn new(kernel: Kernel, own: BackupEdges) -> Self {
        let KernelStores {
            edges,
            storage,
            engine,
            ..
        } = kernel.stores();
        let settings: PartStore<BackupSettings> = kernel.settings().part();
        let backup = Self {
            edges,
            kernel,
            settings,
            calls: StoredValue::new(own.calls),
            folders: StoredValue::new_local(own.folders),
            state: RwSignal::new(BackupState::default()),
            chosen: RwSignal::new_local(None),
            device: StoredValue::new_local(None),
            choices: Tickets::new(),
            is_offered: StoredValue::new(None),
            known: StoredValue::new_local(Known::default()),
            wake: StoredValue::new_local(None),
            runs: Tickets::new(),
            lock: StoredValue::new_local(None),
            was_visible: StoredValue::new(false),
            events: Events::default(),
        };
        storage.events().on(move |event| match event {
            LogEvent::ChatsChanged => backup.wake(),
            LogEvent::Purging(chat) => _ = storage.with_log(|log| log.remember_purge(*chat)),
            _ => {}
        });
        // A server that does not answer right now says nothing of its backup.
        let is_offered = Memo::new(move |former: Option<&Option<bool>>| {
            let said = engine
                .state
                .with(|state| state.as_ref().map(|state| state.says(KEEPS_BACKUP)));
            said.or(former.copied().flatten())
        });
        // Begins and ends what sends requests.
        Effect::new(move |_| {
            let (is_offered, key) = (is_offered.get(), settings.current.backup_key().get());
            settings.current.in_step().track();
            backup.chosen.track();
            backup.is_offered.set_value(is_offered);
            untrack(|| backup.follow(is_offered, &key));
        });
        // Another tab may choose or forget it.
        Effect::new(move |_| {
            let chosen = settings.current.backup_folder().get();
            untrack(|| backup.follow_choice(chosen));
        });
        backup
    }

    /// What is taken over from the folder.
    #[must_use]
    pub fn events(self) -> Events<BackupEvent> {
        self.events
    }

    /// Takes over what other browsers write into the folder, or does so no longer.
    pub fn set_in_step(self, on: bool) {
        self.settings.change(|settings| settings.in_step = on);
    }

    /// Takes a key, or the address that Sash prints with it. Returns whether it is one.
    pub fn set_key(self, text: &str) -> bool {
        let Some(key) = parse_backup_key(text) else {
            return false;
        };
        let is_off = self
            .state
            .with_untracked(|state| state.phase == BackupPhase::Off);
        match self.settings.current.backup_key().get_untracked() == key {
            // The same key again is another attempt.
            true if !is_off => self.begin(),
            true => {}
            false => self.settings.change(|settings| settings.backup_key = key),
        }
        true
    }

    /// Tries again now.
    pub fn try_again(self) {
        self.begin();
    }

    /// Hands nothing over and takes nothing over any more, until it begins anew.
    pub fn stop(self) {
        self.runs.cancel();
        self.wake();
    }

    /// Removes chats or messages from the folder for good, older versions included.
    ///
    /// # Errors
    /// The server's; what was not removed then can be asked for again.
    pub async fn purge(self, what: BackupPurge) -> Result<BackupPurged, Fault> {
        self.send_purge(what, false).await
    }

    async fn send_purge(self, what: BackupPurge, only_known: bool) -> Result<BackupPurged, Fault> {
        let request = BackupPurgeRequest {
            key: self.key(),
            writer: self.writer(),
            what,
            only_known,
        };
        let target = self.target();
        let purged = target.purge(request.clone()).await?;
        // A folder of this device that was in use before the server's was.
        if let (BackupTarget::Server(_), Some(folder)) = (&target, self.chosen.get_untracked())
            && folder.is_allowed
        {
            let device = BackupTarget::device(self.edges, folder.files);
            device.purge(request).await?;
        }
        // Images may be gone that messages of other chats get anew.
        self.known.update_value(|known| known.images.clear());
        Ok(purged)
    }

    /// Removes from the folder for good what is in the trash. Returns what is to be removed here: a chat that another
    /// browser went on with meanwhile is not in the trash any more, and stays.
    ///
    /// # Errors
    /// Those of [`Self::purge`].
    pub async fn purge_deleted(self, mut all: Vec<DeletedId>) -> Result<Vec<DeletedId>, Fault> {
        if !self.is_in_step() {
            let what = self.purge_of(&all);
            return self.purge(what).await.map(|_| all);
        }
        for _ in 0..MAX_PURGE_TRIES {
            all = self.still_deleted(all).await?;
            match self.send_purge(self.purge_of(&all), true).await {
                // Another browser has gone on with one of them since it was joined.
                Err(fault) if has_other_version(&fault) => {}
                purged => return purged.map(|_| all),
            }
        }
        Err(BackupFault::Changed { version: 0 }.into())
    }

    /// What a browser asks to be removed from the folder: with each chat all of its messages that are here.
    fn purge_of(self, all: &[DeletedId]) -> BackupPurge {
        let mut chats = BTreeSet::new();
        let mut messages: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
        for (chat, message) in all {
            match *message {
                None => {
                    let ids = self.storage().with_log(|log| log.load(*chat));
                    let ids = ids.flatten().into_iter().flat_map(|chat| {
                        let all = chat.tree.all_messages();
                        all.map(|message| message.id).collect::<Vec<_>>()
                    });
                    messages.entry(*chat).or_default().extend(ids);
                    chats.insert(*chat);
                }
                Some(message) => messages.entry(*chat).or_default().push(message),
            }
        }
        BackupPurge::Some {
            chats: chats.into_iter().collect(),
            messages: messages.into_iter().collect(),
        }
    }

    /// The key that the person gave.
    pub(crate) fn key(self) -> BackupKey {
        BackupKey(self.settings.current.backup_key().get_untracked())
    }

    /// This browser, as the folder knows it.
    pub(crate) fn writer(self) -> Id {
        let install = self.storage().with_log(|log| log.install()).flatten();
        install.unwrap_or(Id(0))
    }

    fn follow(self, is_offered: Option<bool>, key: &str) {
        let chosen = self.chosen.get_untracked();
        let is_at_server = is_offered == Some(true) && !key.is_empty();
        // Whether the server's folder comes first is not known yet.
        let is_undecided = is_offered.is_none() && !key.is_empty();
        let device = chosen.filter(|_| !is_at_server && !is_undecided);
        let files = device.as_ref().filter(|folder| folder.is_allowed);
        let target = files.map(|folder| DeviceTarget::new(self.edges, Rc::clone(&folder.files)));
        let begins = is_at_server || target.is_some();
        self.device.set_value(target);
        self.state.set(BackupState {
            phase: match (&device, is_offered) {
                (Some(folder), _) if !folder.is_allowed => BackupPhase::NeedsPermission,
                (None, Some(true)) if key.is_empty() => BackupPhase::NeedsKey(None),
                // At once: what is shown of a backup would go for a moment otherwise, with its focus.
                _ if begins => BackupPhase::Writing,
                _ => BackupPhase::Off,
            },
            device: device.map(|folder| folder.name),
            ..BackupState::default()
        });
        if begins {
            self.begin();
            return;
        }
        self.runs.cancel();
        self.wake();
        self.lock.set_value(None);
    }

    fn begin(self) {
        let run = self.runs.begin();
        self.wake();
        self.known.set_value(Known::default());
        self.edges.spawn(self.run(run));
    }

    fn wake(self) {
        let waiting = self.wake.try_update_value(Option::take).flatten();
        if let Some(waiting) = waiting {
            // The writer may have ended meanwhile.
            waiting.send(()).ok();
        }
    }
}

/// Whether the page has to be given another key.
fn wants_key(fault: &Fault) -> bool {
    matches!(fault, Fault::OpenedTwice | Fault::TooManyAttempts)
        || BackupFault::of(fault) == Some(BackupFault::Locked)
}

/// Whether the folder has another version by now.
fn has_other_version(fault: &Fault) -> bool {
    matches!(BackupFault::of(fault), Some(BackupFault::Changed { .. }))
}
