//! The list of chats, the open chat, and their heads.

mod deletion;
mod deletion_of_many;
mod distinct_title;
mod folders;
mod list_steps;
mod opening;
mod quoting;
mod slices;
mod system_prompts;
mod temporary;
mod window_steps;

use crate::base::Base;
use crate::edges::Edges;
use crate::hooks::{Events, Holds, UndoId};
use crate::settings::{Settings, SettingsStoreFields};
use crate::storage::Storage;
use crate::ticket::{Ticket, Tickets, TicketsOf};
use reactive_graph::computed::Memo;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use reactive_stores::{Patch, Store, Subfield};
use sash_chat::{
    Chat, ChatSettings, ChatStoreFields, Folder, Head, HeadStoreFields, Id, Message, MessageTree,
    ModelId, Policy, PromptChoice, PromptDraft,
};
use sash_log::ChatListEntry;
use sash_words::t;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Weak;

pub use crate::storage::PageLog;
pub use system_prompts::SystemPromptUse;
pub(crate) use window_steps::WindowStep;

/// What happened to the open chat. Stores above this one drop the state that belonged to the
/// previous chat or branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatEvent {
    /// The open chat is about to be replaced by another.
    Left,
    /// Another chat is open, a new or an existing one.
    Opened,
    /// An empty chat was opened.
    Begun,
    /// The branch or the model changed, or a message was deleted.
    Changed,
}

/// The head of the open chat, as a field that is read by itself.
type OpenHead = Subfield<Store<Chat>, Chat, Head>;

/// The list of chats and the open one.
#[derive(Clone, Copy)]
pub struct Chats {
    base: Base,
    edges: Edges,
    /// The chats, most recently changed first.
    pub list: RwSignal<Vec<ChatListEntry>>,
    /// The folders, in their order.
    pub folders: RwSignal<Vec<Folder>>,
    /// The chats in which another tab's answer ended while they were not open here.
    finished: RwSignal<BTreeSet<Id>>,
    /// The open chat, to be read field by field: who reads it whole is woken by every step of the window's edge. A new
    /// chat is in the log only from its first message on.
    pub open: Store<Chat>,
    /// The ids of the branch that is shown.
    pub path: Memo<Vec<Id>>,
    /// The messages of the branch that have other versions.
    pub forks: Memo<Vec<Id>>,
    /// The openings of chats: what was looked up in the chat before must not open another one.
    openings: Tickets,
    /// A new chat that was left before its first message: its draft is stored under its id.
    fresh: StoredValue<Option<Chat>>,
    /// The temporary chats: the open one, or some that were left a moment ago.
    temporary: RwSignal<BTreeSet<Id>>,
    /// When a temporary chat was left: the last time counts, unless it is being kept.
    leavings: TicketsOf<Id>,
    /// Whether other tabs changed the open chat while an answer ran in it.
    stale: StoredValue<bool>,
    /// The chats that were open when they were deleted, each with the one that was opened instead.
    left_by_deletion: StoredValue<BTreeMap<Id, Id>>,
    /// The temporary chats that were left and can be kept for a while, the last one at the end.
    pub left: RwSignal<Vec<Id>>,
    /// The steps of steering that can be undone.
    window_steps: StoredValue<Vec<Weak<WindowStep>>, LocalStorage>,
    /// The last step of the list of chats.
    last_list_step: StoredValue<Option<UndoId>>,
    events: Events<ChatEvent>,
    holds: Holds,
}

uses!(Chats.base: view notices history storage settings);

impl Chats {
    /// Loads the chats of the log. Opens `remembered`, the chat that was open in this tab before a
    /// reload; a new tab opens the most recently changed chat. A new chat that has only a draft is
    /// opened again under its id.
    #[must_use]
    pub(crate) fn new(base: Base, remembered: Option<Id>) -> Self {
        let (edges, storage, settings) = (base.edges(), base.storage(), base.settings());
        let list = storage.with_log(|log| log.chat_list()).unwrap_or_default();
        let listed = |id: &Id| list.iter().any(|summary| summary.id == *id);
        let first = match remembered {
            Some(id) => Some(id).filter(listed),
            None => list.iter().find(|chat| !chat.archived).map(|chat| chat.id),
        };
        let folders = storage.with_log(|log| log.list_folders());
        let begun = storage
            .with_log(|log| log.draft_only_chats())
            .unwrap_or_default();
        let begun = remembered.filter(|id| begun.iter().any(|(known, _)| known == id));
        let first = first.and_then(|id| load(edges, storage, id));
        let first = first.unwrap_or_else(|| {
            let mut chat = settings.current.with_untracked(|now| new_chat(edges, now));
            chat.head.id = begun.unwrap_or(chat.head.id);
            chat
        });
        let open = Store::new(first);
        let (tree, at) = (open.tree(), open.head().at());
        let forks = Memo::new(move |_| {
            let at = at.get();
            tree.with(|tree| tree.forks(at))
        });
        let store = Self {
            base,
            edges,
            list: RwSignal::new(list),
            folders: RwSignal::new(folders.unwrap_or_default()),
            finished: RwSignal::new(BTreeSet::new()),
            open,
            path: Memo::new(move |_| {
                let at = at.get();
                tree.with(|tree| tree.path(at).iter().map(|m| m.id).collect())
            }),
            forks,
            openings: Tickets::new(),
            fresh: StoredValue::new(None),
            temporary: RwSignal::new(BTreeSet::new()),
            leavings: TicketsOf::new(),
            stale: StoredValue::new(false),
            left_by_deletion: StoredValue::new(BTreeMap::new()),
            left: RwSignal::new(Vec::new()),
            window_steps: StoredValue::new_local(Vec::new()),
            last_list_step: StoredValue::new(None),
            events: Events::default(),
            holds: Holds::default(),
        };
        store.forget_finished(store.open_id_untracked());
        store
    }

    /// What happens to the open chat.
    #[must_use]
    pub fn events(self) -> Events<ChatEvent> {
        self.events
    }

    /// Who keeps chats from their next prompt although no answer runs in them.
    #[must_use]
    pub fn holds(self) -> Holds {
        self.holds
    }

    /// Ctrl+Z in the open chat: [`History::undo_last`](crate::History::undo_last).
    pub fn undo_last(self) -> bool {
        self.history().undo_last(self.open_id_untracked())
    }

    /// The last step of the list of chats.
    #[must_use]
    pub fn last_list_step(self) -> Option<UndoId> {
        self.last_list_step.get_value()
    }

    /// Makes a chat the open one.
    pub(crate) fn set_open(self, chat: Chat) {
        self.forget_finished(chat.head.id);
        self.open.patch(chat);
        self.notify(ChatEvent::Opened);
    }

    fn notify(self, event: ChatEvent) {
        self.events.emit(&event);
    }

    /// The id of the open chat.
    #[must_use]
    pub fn open_id(self) -> Id {
        self.open.head().id().get()
    }

    /// The id of the open chat; does not subscribe to changes.
    #[must_use]
    pub fn open_id_untracked(self) -> Id {
        self.open.head().id().get_untracked()
    }

    /// The settings of the open chat.
    #[must_use]
    pub fn open_settings(self) -> Subfield<OpenHead, Head, ChatSettings> {
        self.open.head().settings()
    }

    /// The messages of the open chat.
    #[must_use]
    pub fn open_tree(self) -> Subfield<Store<Chat>, Chat, MessageTree> {
        self.open.tree()
    }

    /// The title of the open chat.
    #[must_use]
    pub fn open_title(self) -> String {
        let head = self.open.head();
        let given = head.title().get().or_else(|| head.distinct().get());
        let is_new = given.is_none() && self.path.with(Vec::is_empty);
        if is_new && self.is_temporary(self.open_id()) {
            return t!(common.temporary_chat).to_owned();
        }
        self.open_tree().with(|tree| tree.title(given.as_deref()))
    }

    /// The title of the page, which browsers keep in their history: it says nothing of what is in a temporary chat.
    #[must_use]
    pub fn page_title(self) -> String {
        match self.is_temporary(self.open_id()) {
            true => t!(common.temporary_chat).to_owned(),
            false => self.open_title(),
        }
    }

    /// Shows new messages of a chat, if it is the open one.
    pub fn show(self, chat: Id, messages: impl IntoIterator<Item = Message>) {
        if self.open_id_untracked() == chat {
            let messages = messages.into_iter();
            self.open_tree()
                .update(|tree| messages.for_each(|message| tree.insert(message)));
        }
    }

    /// A message of the open chat; `None` if it was deleted.
    #[must_use]
    pub fn message(self, id: Id) -> Option<Message> {
        self.with_message(id, Message::clone)
    }

    /// A question of the open chat as a prompt, to ask another version of it; blank if it was deleted.
    #[must_use]
    pub fn prompt_of(self, question: Id) -> PromptDraft {
        let question = self.with_message(question, |message| PromptDraft {
            text: message.content.clone(),
            images: message.images.clone(),
            choice: PromptChoice::default(),
        });
        question.unwrap_or_default()
    }

    /// Reads a message of the open chat; `None` if it was deleted.
    pub fn with_message<R>(self, id: Id, read: impl FnOnce(&Message) -> R) -> Option<R> {
        self.open_tree()
            .with_untracked(|tree| tree.get(id).filter(|_| !tree.is_removed(id)).map(read))
    }

    /// Reads a chat, the open one or another of the log; `None` if the log does not have it.
    pub fn with_chat<R>(self, id: Id, read: impl FnOnce(&Chat) -> R) -> Option<R> {
        if self.open_id_untracked() == id {
            return Some(self.open.with_untracked(read));
        }
        load(self.edges, self.storage(), id).map(|chat| read(&chat))
    }

    /// A message of the open chat or another one of the log; `None` if it was deleted. Of the log it is read alone,
    /// without its chat.
    pub fn read_message(self, chat: Id, id: Id) -> Option<Message> {
        if self.open_id_untracked() == chat {
            return self.message(id);
        }
        let read = |log: &mut PageLog| match log.is_removed(chat, id) {
            true => None,
            false => log.find_message(chat, id),
        };
        self.storage().with_log(read).flatten()
    }

    /// The title of a chat now, in the list or not.
    pub fn title_now(self, chat: Id) -> String {
        let listed = self.list.with_untracked(|list| {
            let summary = list.iter().find(|summary| summary.id == chat);
            summary.map(|summary| summary.title.clone())
        });
        let read = || {
            let summary = self
                .storage()
                .with_log(|log| log.list_entry(chat))
                .flatten();
            summary.map(|summary| summary.title)
        };
        listed.or_else(read).unwrap_or_default()
    }

    /// The title of a chat as it is shown outside of the page: that of a temporary chat says nothing.
    pub fn title_outside(self, chat: Id) -> String {
        match self.is_temporary_untracked(chat) {
            true => t!(common.temporary_chat).to_owned(),
            false => self.title_now(chat),
        }
    }

    /// The chats of the list, with the time of the newest message of each, in milliseconds since 1970.
    pub fn touched_times(self) -> BTreeMap<Id, u64> {
        let times =
            |list: &Vec<ChatListEntry>| list.iter().map(|chat| (chat.id, chat.touched)).collect();
        self.list.with_untracked(times)
    }

    /// The title of a chat in the list; empty if the list does not have the chat.
    #[must_use]
    pub fn title(self, id: Id) -> Memo<String> {
        Memo::new(move |_| {
            self.list.with(|chats| {
                let chat = chats.iter().find(|chat| chat.id == id);
                chat.map(|chat| chat.title.clone()).unwrap_or_default()
            })
        })
    }

    /// Records that an answer of this tab ended in a chat; the list shows it until the chat is opened, in any tab.
    pub(crate) fn record_finished(self, chat: Id) {
        if self.open_id_untracked() != chat && self.may_store(chat) {
            self.settings()
                .change(|settings| settings.add_finished_chat(chat));
        }
    }

    /// Records that an answer of another tab ended in a chat. If the chat was not open there, that tab stores it.
    pub(crate) fn record_remote_finished(self, chat: Id) {
        if self.open_id_untracked() != chat {
            self.finished.update(|all| _ = all.insert(chat));
        }
    }

    /// Records that a chat is opened, in which something may have ended.
    fn forget_finished(self, chat: Id) {
        self.finished.maybe_update(|all| all.remove(&chat));
        let stored = self.settings().current.finished_chats();
        if stored.with_untracked(|all| all.contains(&chat)) {
            self.settings()
                .change(|settings| settings.finished_chats.retain(|known| *known != chat));
        }
    }

    /// Whether something ended in a chat while it was not open.
    #[must_use]
    pub fn has_finished(self, chat: Id) -> bool {
        let stored = self.settings().current.finished_chats();
        self.finished.with(|all| all.contains(&chat)) || stored.with(|all| all.contains(&chat))
    }

    /// Whether a chat was deleted, here or in another tab.
    #[must_use]
    pub fn is_gone(self, chat: Id) -> bool {
        self.storage()
            .with_log(|log| log.is_gone(chat))
            .unwrap_or(false)
    }

    /// Notes that a chat is opened, new or existing.
    pub(crate) fn record_opening(self) {
        self.openings.cancel();
    }

    /// The last opening of a chat, new or existing: current while the person stays in the same chat.
    pub(crate) fn last_opening(self) -> Ticket {
        self.openings.newest()
    }

    /// A chat with a new id and the settings for new chats.
    #[must_use]
    pub fn new_chat(self) -> Chat {
        self.settings()
            .current
            .with_untracked(|now| new_chat(self.edges, now))
    }

    /// Sets the policy of new chats, and of the open one if it is empty. This is not an undoable step
    /// of steering: a new chat always follows the policy of the settings.
    pub fn begin_with(self, policy: Policy) {
        self.settings().change(|settings| settings.policy = policy);
        self.change_empty(|head| head.settings.policy = policy);
    }

    /// Sets the model of new chats by its key, and that of the open one if it is empty; `None` is the
    /// model chosen last.
    pub fn begin_with_model(self, key: Option<String>) {
        self.settings()
            .change(|settings| settings.default_model = key);
        let settings = self.settings().current;
        let model = settings.with_untracked(|settings| settings.model_of_new_chats());
        self.change_empty(|head| head.set_model(model));
    }

    /// Changes the head of the open chat if that has no message.
    fn change_empty(self, change: impl FnOnce(&mut Head)) {
        if self.open.with_untracked(Chat::is_empty) {
            self.change_head(self.open_id_untracked(), change);
        }
    }

    /// Renames a chat. An empty title restores the default, which is its first question.
    pub fn rename(self, id: Id, title: &str) {
        let title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
        self.change_head(id, |head| head.title = title);
        self.refresh_chat(id);
    }

    /// Chooses the model of the open chat and of new chats.
    pub fn choose_model(self, model: impl Into<ModelId>) {
        self.choose_model_of(self.open_id_untracked(), model.into());
    }

    /// Chooses the model of a chat and of new chats.
    pub fn choose_model_of(self, chat: Id, chosen: ModelId) {
        self.settings().change(|settings| {
            settings.model = Some(chosen.name.clone());
            settings.engine.clone_from(&chosen.engine);
            settings.add_recent_model(&chosen.key());
        });
        self.choose_model_of_chat(chat, chosen);
    }

    /// Chooses the model of a chat, and not of new ones.
    pub fn choose_model_of_chat(self, chat: Id, chosen: ModelId) {
        self.change_head(chat, |head| head.set_model(Some(chosen)));
        if self.open_id_untracked() == chat {
            self.notify(ChatEvent::Changed);
        }
    }

    /// Changes a chat's head; writes it to the log only if the log has the chat.
    pub fn change_head(self, id: Id, change: impl FnOnce(&mut Head)) {
        let is_open = self.open_id_untracked() == id;
        // Read the head from the log first: another tab may have changed it.
        let kept = self.storage().with_log(|log| log.head(id)).flatten();
        let is_kept = kept.is_some() && self.is_temporary_untracked(id);
        let head = kept.or_else(|| is_open.then(|| self.open.head().get_untracked()));
        let Some(mut head) = head else {
            return;
        };
        change(&mut head);
        head.rev = head.rev.wrapping_add(1);
        let is_listed = |chats: &Vec<ChatListEntry>| chats.iter().any(|s| s.id == id);
        if is_kept || self.list.with_untracked(is_listed) {
            self.storage().write(|log| log.save_head(&head));
        }
        if is_open {
            self.open.head().patch(head);
        }
    }

    /// Notes that other tabs changed the open chat, which must not be reloaded before its running
    /// answer ends.
    pub(crate) fn mark_stale(self) {
        self.stale.set_value(true);
    }

    /// Whether other tabs changed the open chat since it was loaded.
    #[must_use]
    pub fn is_stale(self) -> bool {
        self.stale.get_value()
    }

    /// Reloads the open chat from the log.
    pub fn reload_open(self) {
        if self.storage().state.with_untracked(|now| now.cleared) {
            // The log was cleared from outside: the screen has the only copy of the chat.
            return;
        }
        let id = self.open_id_untracked();
        self.stale.set_value(false);
        let loaded = self.storage().with_log(|log| log.load(id));
        if let Some(loaded) = loaded.flatten() {
            self.open.patch(loaded);
        }
    }

    /// Updates one chat of the list from the log.
    pub fn refresh_chat(self, id: Id) {
        let summary = self.storage().with_log(|log| log.list_entry(id)).flatten();
        self.list.update(|chats| {
            chats.retain(|known| known.id != id);
            if let Some(summary) = summary.filter(|_| !self.is_gone(id)) {
                let at = chats.partition_point(|known| known.touched >= summary.touched);
                chats.insert(at, summary);
            }
        });
    }

    /// Updates chats of the list from the log in one step.
    pub(crate) fn refresh_chats(self, ids: &[Id]) {
        if ids.is_empty() {
            return;
        }
        let entry = |id: &Id| {
            let entry = self.storage().with_log(|log| log.list_entry(*id)).flatten();
            entry.filter(|_| !self.is_gone(*id))
        };
        let entries: Vec<ChatListEntry> = ids.iter().filter_map(entry).collect();
        let ids: BTreeSet<Id> = ids.iter().copied().collect();
        self.list.update(|chats| {
            chats.retain(|known| !ids.contains(&known.id));
            chats.extend(entries);
            chats.sort_by_key(|known| std::cmp::Reverse(known.touched));
        });
    }

    /// Reloads the whole list from the log, with the folders.
    pub fn refresh_list(self) {
        self.refresh_folders();
        if let Some(chats) = self.storage().with_log(|log| log.chat_list()) {
            self.list.set(chats);
        }
    }
}

/// Loads a chat from the log; answers interrupted a day ago or earlier become ordinary messages.
fn load(edges: Edges, storage: Storage, id: Id) -> Option<Chat> {
    let read = |log: &mut PageLog| {
        log.seal_tails(id, edges.now());
        log.load(id)
    };
    storage.with_log(read).flatten()
}

fn new_chat(edges: Edges, settings: &Settings) -> Chat {
    let mut head = Head::new(edges.new_id(), edges.now());
    head.set_model(settings.model_of_new_chats());
    head.settings.policy = settings.policy;
    head.settings.recall = settings.recall;
    head.set_system(&settings.system);
    Chat::new(head)
}
