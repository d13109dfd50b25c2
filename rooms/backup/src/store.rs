//! The backup of this browser's chats: each change of the log is handed over seconds later, to the directory of the page's own
//! server, if that keeps a backup and the person gave its key, or else to a directory of this device that the person chose in the
//! browser. One tab of the browser does it for all of them, a chat after the other: what is in the way of one stops no other.
//!
//! [`writing`] goes through the chats that are to be looked at. For each of them it tells the directory what was deleted for good
//! here and learns what was elsewhere ([`purging`]), merges what other browsers wrote, if this one is in step ([`merging`]), and
//! hands the chat over ([`handing_over`]). [`following`] waits for what others write.

mod age;
mod device;
mod edges;
mod following;
mod former_values;
mod handing_over;
mod key;
mod known;
mod merging;
mod purging;
mod restore;
mod settings;
mod state;
mod target;
mod writing;

pub use edges::{
    BackupCalls, BackupEdges, DatabaseUnread, DeviceDirectories, DeviceDirectory, Keyed,
};
pub use former_values::{forget_former_values, use_former_value};
pub use key::parse_backup_key;
pub use restore::{ChatPlace, FileParts, RestoreChat};
pub use settings::{BackupSettings, BackupSettingsStoreFields};
pub use state::{BackupPhase, BackupState, ChatProblem, KnownBrowser, ProblemReason};

use crate::BackupKey;
use crate::call::{KEEPS_BACKUP, Removed};
use crate::form::CopyId;
use futures::channel::oneshot;
use futures::future::AbortHandle;
use futures::lock::Mutex;
use known::Known;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;
use sash_log::Key;
use sash_records::backup::COPY_STATE;
use sash_stores::edges::HeldLock;
use sash_stores::hooks::Events;
use sash_stores::{Edges, Kernel, KernelStores, LogEvent, PartStore, Tickets, uses};
use sash_wire::Fault;
use std::rc::Rc;
use target::DeviceTarget;

/// The backup of this browser's chats.
#[derive(Clone, Copy)]
pub struct Backup {
    edges: Edges,
    kernel: Kernel,
    /// Its settings.
    pub settings: PartStore<BackupSettings>,
    calls: StoredValue<BackupCalls>,
    directories: StoredValue<Rc<dyn DeviceDirectories>, LocalStorage>,
    browser_name: StoredValue<String>,
    /// How it stands.
    pub state: RwSignal<BackupState>,
    /// The directory of this device. It counts where the server keeps no backup, or has none for this browser.
    chosen: RwSignal<Option<DeviceDirectory>, LocalStorage>,
    /// The same directory as the backup's.
    device: StoredValue<Option<DeviceTarget>, LocalStorage>,
    /// Choices of a directory, and searches for it: only the newest counts.
    choices: Tickets,
    /// Whether the server keeps a backup, once it has said so.
    is_offered: StoredValue<Option<bool>>,
    known: StoredValue<Known, LocalStorage>,
    /// Wakes the writer that waits for a change.
    wake: StoredValue<Option<oneshot::Sender<()>>, LocalStorage>,
    /// Ends the run: nothing of it goes on after its next pause.
    run_handle: StoredValue<Option<AbortHandle>>,
    /// Held by who looks at a chat: one at a time, so that what is read of it is still so when it is written.
    turn: StoredValue<Rc<Mutex<()>>, LocalStorage>,
    /// Held by the tab that writes.
    lock: StoredValue<Option<HeldLock>, LocalStorage>,
    /// Whether the page was visible when that was looked at last, while another tab writes.
    was_visible: StoredValue<bool>,
    merged: Events<(Key, bool)>,
}

uses!(Backup.kernel: storage notices chats attachments);

impl Backup {
    /// Creates the store. It begins once the server says that it keeps a backup and a key is there, or once a directory of this
    /// device is found.
    #[must_use]
    pub fn new(kernel: Kernel, own: BackupEdges) -> Self {
        let KernelStores {
            edges,
            storage,
            engine,
            attachments,
            ..
        } = kernel.stores();
        let settings: PartStore<BackupSettings> = kernel.settings().part();
        let backup = Self {
            edges,
            kernel,
            settings,
            calls: StoredValue::new(own.calls),
            directories: StoredValue::new_local(own.directories),
            browser_name: StoredValue::new(own.browser_name),
            state: RwSignal::new(BackupState::default()),
            chosen: RwSignal::new_local(None),
            device: StoredValue::new_local(None),
            choices: Tickets::new(),
            is_offered: StoredValue::new(None),
            known: StoredValue::new_local(Known::default()),
            wake: StoredValue::new_local(None),
            run_handle: StoredValue::new(None),
            turn: StoredValue::new_local(Rc::default()),
            lock: StoredValue::new_local(None),
            was_visible: StoredValue::new(false),
            merged: Events::default(),
        };
        storage.events().on(move |event| match event {
            LogEvent::ChatsChanged => backup.wake(),
            LogEvent::OtherTab(Key::Record(COPY_STATE, chat)) => backup.record_other_tab(*chat),
            _ => {}
        });
        attachments
            .absent()
            .add(move |image| backup.fetch_absent(image));
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
            untrack(|| backup.choose_target(is_offered, &key));
        });
        // Another tab may choose or forget it.
        Effect::new(move |_| {
            let chosen = settings.current.backup_folder().get();
            untrack(|| backup.follow_choice(chosen));
        });
        backup.record_age();
        backup
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The records that were written (`true`) or removed because of another browser; each is told before the page shows it.
    #[must_use]
    pub fn merged(self) -> Events<(Key, bool)> {
        self.merged
    }

    /// Takes over what other browsers write and delete for good, or does so no longer.
    pub fn set_in_step(self, on: bool) {
        self.settings.change(|settings| settings.in_step = on);
    }

    /// Remembers that the person has said what becomes of the chats that the backup has and this browser has not.
    pub fn answer_offer(self) {
        self.settings.change(|settings| settings.no_offer = true);
        self.state.update(|state| state.offer = None);
    }

    /// Takes a key, or the address that Sash prints with it, from the person. Returns whether it is one.
    pub fn set_key(self, text: &str) -> bool {
        let Some(BackupKey(key)) = parse_backup_key(text) else {
            return false;
        };
        self.state.update(|state| state.other_key = None);
        let is_off = self
            .state
            .with_untracked(|state| state.phase == BackupPhase::Off);
        match self.key().0 == key {
            // The same key again is another attempt.
            true if !is_off => self.begin(),
            true => {}
            false => self.settings.change(|settings| {
                settings.backup_key = key;
                settings.no_offer = false;
            }),
        }
        true
    }

    /// Takes the key of a link. If there is another one, the person is asked before. Returns whether it is a key.
    pub fn offer_key(self, text: &str) -> bool {
        let Some(key) = parse_backup_key(text) else {
            return false;
        };
        let present = self.key();
        match present.0.is_empty() || present == key {
            true => self.set_key(&key.0),
            false => {
                self.state.update(|state| state.other_key = Some(key));
                true
            }
        }
    }

    /// Takes the key of the link that is asked about, or forgets it.
    pub fn answer_other_key(self, take: bool) {
        let key = self.state.with_untracked(|state| state.other_key.clone());
        match key.filter(|_| take) {
            Some(key) => _ = self.set_key(&key.0),
            None => self.state.update(|state| state.other_key = None),
        }
    }

    /// Tries again now.
    pub fn try_again(self) {
        self.begin();
    }

    /// Removes the copies of another browser from the directory.
    ///
    /// # Errors
    /// Those of the directory.
    pub async fn remove_browser(self, browser: Id) -> Result<Removed, Fault> {
        let removed = self.target().remove_browser(browser).await?;
        self.begin();
        Ok(removed)
    }

    /// This browser, as the directory knows it.
    fn browser(self) -> Id {
        let install = self.storage().with_log(|log| log.install()).flatten();
        install.unwrap_or(Id(0))
    }

    /// This browser's copy of a chat.
    fn own_copy(self, chat: Id) -> CopyId {
        let browser = self.browser();
        CopyId { chat, browser }
    }

    fn choose_target(self, is_offered: Option<bool>, key: &str) {
        let chosen = self.chosen.get_untracked();
        let is_at_server = is_offered == Some(true) && !key.is_empty();
        // Whether the server's directory comes first is not known yet.
        let is_undecided = is_offered.is_none() && !key.is_empty();
        let device = chosen.filter(|_| !is_at_server && !is_undecided);
        let allowed = device.clone().filter(|directory| directory.is_allowed);
        let target = allowed.map(|directory| self.target_on_device(directory));
        let begins = is_at_server || target.is_some();
        self.device.set_value(target);
        let phase = match (&device, is_offered) {
            (Some(directory), _) if !directory.is_allowed => BackupPhase::NeedsPermission,
            (None, Some(true)) if key.is_empty() => BackupPhase::NeedsKey(None),
            // At once: what is shown of a backup would go for a moment otherwise, with its focus.
            _ if begins => BackupPhase::Writing,
            _ => BackupPhase::Off,
        };
        self.state.update(|state| {
            *state = BackupState {
                phase,
                device: device.map(|directory| directory.name),
                other_key: state.other_key.take(),
                ..BackupState::default()
            };
        });
        match begins {
            true => self.begin(),
            false => {
                self.stop();
                self.lock.set_value(None);
            }
        }
    }

    /// Begins anew, with a list of the directory.
    fn begin(self) {
        self.known.set_value(Known::default());
        self.resume();
    }

    /// Begins a run with what is known; the one before ends.
    fn resume(self) {
        self.stop();
        let (run, registration) = AbortHandle::new_pair();
        self.run_handle.set_value(Some(run));
        self.edges.spawn_abortable(registration, self.run());
    }

    /// Hands nothing over and takes nothing over any more, until it begins anew.
    fn stop(self) {
        if let Some(run) = self.run_handle.try_update_value(Option::take).flatten() {
            run.abort();
        }
    }

    fn wake(self) {
        let waiting = self.wake.try_update_value(Option::take).flatten();
        if let Some(waiting) = waiting {
            // The writer may have ended meanwhile.
            waiting.send(()).ok();
        }
    }
}
