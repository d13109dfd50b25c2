//! Where chats stand in the list: pinned, archived, in a folder. Each change is a step that can be undone, of one chat or
//! of many.

use super::list_step::{ListPlace, ListStep};
use super::slices::{MAX_AT_ONCE, Slices};
use super::{ChatEvent, Chats};
use crate::hooks::{UndoEntry, UndoId};
use reactive_graph::prelude::*;
use sash_chat::{
    ChatStoreFields, Folder, Head, HeadStoreFields, Id, distinct_title, question_title,
};
use sash_words::{count, t};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// With how many chats of the same title a new one is compared.
const MAX_COMPARED: usize = 20;

impl Chats {
    /// Pins a chat to the top of the list, or removes its pin. A pinned chat is not archived.
    pub fn pin_chat(self, chat: Id, on: bool) {
        let now = self.edges.now();
        let step = self.arrange(&[chat], |head| {
            head.pinned = on.then_some(now);
            head.archived = head.archived.filter(|_| !on);
        });
        self.push_step(step);
        self.notices().announce(match on {
            true => t!(state.pinned_chat),
            false => t!(state.unpinned_chat),
        });
    }

    /// Archives chats, or takes them out of the archive.
    pub fn archive_chats(self, chats: &[Id], on: bool) {
        let now = self.edges.now();
        let what = self.words_of(chats);
        let words = match on {
            true => t!(state.archived, what = &what),
            false => t!(state.unarchived, what = &what),
        };
        self.arrange_as_step(chats, words, move |head| {
            head.archived = on.then_some(now);
            head.pinned = head.pinned.filter(|_| !on);
        });
    }

    /// Moves chats to a folder; `None` takes them out of theirs.
    pub fn move_chats(self, chats: &[Id], folder: Option<Id>) {
        let what = self.words_of(chats);
        let name = folder.and_then(|id| self.folder(id));
        let words = match name {
            Some(folder) => t!(state.moved_to, what = &what, folder = &folder.name),
            None => t!(state.moved_out, what = &what),
        };
        self.arrange_as_step(chats, words, move |head| head.folder = folder);
    }

    /// Changes the places of chats as one step, thousands of them in slices.
    fn arrange_as_step(self, chats: &[Id], words: String, change: impl Fn(&mut Head) + 'static) {
        if chats.len() <= MAX_AT_ONCE {
            let step = self.arrange(chats, change);
            return self.offer(step, words);
        }
        let chats = chats.to_vec();
        self.edges.spawn(async move {
            let step = self.arrange_in_slices(&chats, change).await;
            self.offer(step, words);
        });
    }

    /// Changes the places of thousands of chats. A chat that is deleted meanwhile is left out.
    async fn arrange_in_slices(self, chats: &[Id], change: impl Fn(&mut Head)) -> ListStep {
        let mut step = ListStep::default();
        let mut slices = Slices::new(self.edges, self.notices(), chats.len());
        while let Some(range) = slices.next().await {
            let slice = chats.get(range).unwrap_or_default();
            step.places.extend(self.arrange(slice, &change).places);
        }
        step
    }

    /// Deletes several chats as one step, thousands of them in slices.
    /// [`Answers::delete_chats`](crate::Answers::delete_chats) also stops what runs in them.
    pub fn delete_chats(self, chats: &[Id]) {
        let words = t!(state.deleted_several, what = self.words_of(chats));
        let next = self.next_after(&chats.iter().copied().collect());
        if chats.len() <= MAX_AT_ONCE {
            let deleted = self.delete_slice(chats);
            return self.end_deletion(deleted, next, words);
        }
        let chats = chats.to_vec();
        self.edges.spawn(async move {
            let mut deleted = Vec::new();
            let mut slices = Slices::new(self.edges, self.notices(), chats.len());
            while let Some(range) = slices.next().await {
                deleted.extend(self.delete_slice(chats.get(range).unwrap_or_default()));
            }
            self.end_deletion(deleted, next, words);
        });
    }

    /// Writes the tombstones of chats that are listed, and takes them off the list. Returns which they were.
    fn delete_slice(self, chats: &[Id]) -> Vec<Id> {
        let now = self.edges.now();
        let chats: BTreeSet<Id> = chats.iter().copied().collect();
        let mut deleted = self.list.with_untracked(|list| {
            let ids = list.iter().map(|entry| entry.id);
            ids.filter(|id| chats.contains(id)).collect::<Vec<_>>()
        });
        deleted.retain(|chat| self.storage().write(|log| log.delete(*chat, now)));
        let gone: BTreeSet<Id> = deleted.iter().copied().collect();
        self.list
            .update(|list| list.retain(|entry| !gone.contains(&entry.id)));
        deleted
    }

    /// Offers to bring deleted chats back. If the open one is among them, the `next` one is opened.
    fn end_deletion(self, deleted: Vec<Id>, next: Option<Id>, words: String) {
        let open = self.open_id_untracked();
        let is_open_gone = deleted.contains(&open);
        self.forget_former_deletion(&deleted);
        let step = ListStep {
            deleted,
            ..ListStep::default()
        };
        self.offer(step, words);
        if is_open_gone {
            self.open_instead(open, next.filter(|next| !self.is_gone(*next)));
        }
    }

    /// The chat to open once the open one is gone with others: the one below it that stays, or else the one above.
    pub(super) fn next_after(self, gone: &BTreeSet<Id>) -> Option<Id> {
        let open = self.open_id_untracked();
        self.list.with_untracked(|list| {
            let at = list.iter().position(|entry| entry.id == open)?;
            let (above, below) = list.split_at(at);
            let stays =
                |entry: &&sash_log::ChatListEntry| !gone.contains(&entry.id) && !entry.archived;
            let next = below.iter().find(stays);
            let next = next.or_else(|| above.iter().rev().find(stays));
            next.map(|entry| entry.id)
        })
    }

    /// Tells the first question of the open chat, which is about to be written, from those of chats with the same title.
    pub(crate) fn tell_apart(self, question: &str) {
        let Some(title) = question_title(question) else {
            return;
        };
        let alike = self.list.with_untracked(|list| {
            let alike = list.iter().filter(|entry| entry.title == title);
            let ids = alike.map(|entry| entry.id);
            ids.take(MAX_COMPARED).collect::<Vec<_>>()
        });
        let others = alike.into_iter().filter_map(|chat| {
            self.storage()
                .with_log(|log| log.first_question_text(chat))
                .flatten()
        });
        let others: Vec<String> = others.collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let distinct = distinct_title(question, &others);
        if distinct.is_some() {
            self.open.head().distinct().set(distinct);
        }
    }

    /// The folder with an id, unless it is deleted.
    #[must_use]
    pub fn folder(self, id: Id) -> Option<Folder> {
        self.folders
            .with_untracked(|all| all.iter().find(|folder| folder.id == id).cloned())
    }

    /// The folder with a name; a new one if there is none.
    pub fn folder_named(self, name: &str) -> Id {
        let known = self
            .folders
            .with_untracked(|all| all.iter().find(|f| f.is_named(name)).map(|f| f.id));
        known.unwrap_or_else(|| {
            let last = self
                .folders
                .with_untracked(|all| all.last().map(|folder| folder.order));
            let order = last.map_or(0, |last| last.saturating_add(1));
            let folder = Folder::new(self.edges.new_id(), name, order);
            self.storage().write(|log| log.save_folder(&folder));
            self.refresh_folders();
            folder.id
        })
    }

    /// Changes a folder as a step that can be undone.
    pub fn change_folder(self, id: Id, change: impl FnOnce(&mut Folder)) {
        if let Some(before) = self.write_folder(id, change) {
            self.push_step(ListStep {
                folders: vec![before],
                ..ListStep::default()
            });
        }
    }

    /// Has the open chat use the model of its folder.
    pub fn use_folder_model(self) {
        self.change_head(self.open_id_untracked(), |head| head.set_model(None));
        self.notify(ChatEvent::Changed);
    }

    /// Shows or hides the chats of a folder.
    pub fn close_folder(self, id: Id, closed: bool) {
        self.write_folder(id, |folder| folder.closed = closed);
    }

    /// Deletes a folder. Its chats stay, and stand among the others.
    pub fn delete_folder(self, id: Id) {
        let now = self.edges.now();
        if let Some(before) = self.write_folder(id, |folder| folder.deleted = Some(now)) {
            let words = t!(state.deleted_folder, name = &before.name);
            self.offer(
                ListStep {
                    folders: vec![before],
                    ..ListStep::default()
                },
                words,
            );
        }
    }

    /// Moves a folder up or down among the folders.
    pub fn shift_folder(self, id: Id, down: bool) {
        let ids = self
            .folders
            .with_untracked(|all| all.iter().map(|folder| folder.id).collect::<Vec<_>>());
        let Some(at) = ids.iter().position(|known| *known == id) else {
            return;
        };
        let to = if down { at + 1 } else { at.wrapping_sub(1) };
        if to >= ids.len() {
            return;
        }
        let mut ids = ids;
        ids.swap(at, to);
        let mut step = ListStep::default();
        for (order, id) in (0..).zip(ids) {
            // Folders of an import may have the same order, so each gets its own.
            step.folders
                .extend(self.write_folder(id, |folder| folder.order = order));
        }
        self.push_step(step);
    }

    /// Writes a folder if it differs. Returns it as it was; `None` where nothing changed.
    fn write_folder(self, id: Id, change: impl FnOnce(&mut Folder)) -> Option<Folder> {
        // Read the folder from the log first: another tab may have changed it.
        let before = self.storage().with_log(|log| log.folder(id)).flatten();
        let before = before.filter(|folder| !folder.is_purged())?;
        let mut folder = before.clone();
        change(&mut folder);
        if folder == before {
            return None;
        }
        folder.rev = before.rev.wrapping_add(1);
        self.storage().write(|log| log.save_folder(&folder));
        self.refresh_folders();
        Some(before)
    }

    /// Reads the folders from the log again, and what the open chat has from its folder.
    pub fn refresh_folders(self) {
        let folders = self.storage().with_log(|log| log.list_folders());
        self.folders.set(folders.unwrap_or_default());
        let named = self.open.head().folder().get_untracked();
        let inherited = self.storage().with_log(|log| log.inherited(named));
        let Some(inherited) = inherited else {
            return;
        };
        let known = self.open.head().inherited();
        if known.with_untracked(|known| *known != inherited) {
            known.set(inherited);
            self.notify(ChatEvent::Changed);
        }
    }

    /// Undoes a step. Returns whether there was something to undo.
    fn undo_list_step(self, step: ListStep) -> bool {
        let mut done = false;
        for before in step.folders {
            let undone = self.write_folder(before.id, |folder| {
                // The number of rewrites goes on counting.
                let rev = folder.rev;
                *folder = before;
                folder.rev = rev;
            });
            done |= undone.is_some();
        }
        if let Some((text, chats)) = step.given_system {
            done |= self.take_system_back(&text, &chats);
        }
        let ListStep {
            places, deleted, ..
        } = step;
        let chats: Vec<Id> = places.keys().copied().collect();
        let restore_place = move |head: &mut Head| {
            if let Some(place) = places.get(&head.id) {
                place.restore(head);
            }
        };
        if chats.len().max(deleted.len()) > MAX_AT_ONCE {
            self.edges.spawn(async move {
                self.arrange_in_slices(&chats, restore_place).await;
                let mut slices = Slices::new(self.edges, self.notices(), deleted.len());
                let mut restored = Vec::new();
                while let Some(range) = slices.next().await {
                    restored.extend(self.restore_slice(deleted.get(range).unwrap_or_default()));
                }
                self.reopen(&restored);
            });
            return true;
        }
        done |= !self.arrange(&chats, restore_place).places.is_empty();
        let restored = self.restore_slice(&deleted);
        self.reopen(&restored);
        done || !restored.is_empty()
    }

    /// Restores deleted chats that are still in the trash. Returns which they were.
    fn restore_slice(self, deleted: &[Id]) -> Vec<Id> {
        let is_restored = |chat: &&Id| {
            let is_there = self.storage().with_log(|log| log.can_restore(**chat));
            is_there == Some(true) && self.storage().with_log(|log| log.restore(**chat)).is_some()
        };
        let restored: Vec<Id> = deleted.iter().filter(is_restored).copied().collect();
        self.refresh_chats(&restored);
        restored
    }

    /// Changes the heads of chats, and their entries in the list. Returns their places before; those of chats that stay
    /// where they were are not among them.
    fn arrange(self, chats: &[Id], change: impl Fn(&mut Head)) -> ListStep {
        let mut step = ListStep::default();
        let mut now = BTreeMap::new();
        for chat in chats {
            self.change_head(*chat, |head| {
                let before = ListPlace::of(head);
                change(head);
                let after = ListPlace::of(head);
                if before != after {
                    step.places.insert(*chat, before);
                    now.insert(*chat, after);
                }
                if before.folder != after.folder {
                    let inherited = self.storage().with_log(|log| log.inherited(head.folder));
                    head.inherited = inherited.unwrap_or_default();
                }
            });
        }
        self.list.update(|list| {
            for entry in list {
                if let Some(place) = now.get(&entry.id) {
                    entry.pinned = place.pinned;
                    entry.archived = place.archived.is_some();
                    entry.folder = place.folder;
                }
            }
        });
        if now.contains_key(&self.open_id_untracked()) {
            self.notify(ChatEvent::Changed);
        }
        step
    }

    /// Adds a step to those that Ctrl+Z undoes.
    fn push_step(self, step: ListStep) -> Option<UndoId> {
        let is_step = step != ListStep::default();
        is_step.then(|| {
            let entry = UndoEntry {
                chat: None,
                holds: Rc::new(|| true),
                undo: Box::new(move |_| self.undo_list_step(step)),
            };
            self.history.push_step(self.last_list_step, entry)
        })
    }

    /// The same, and says what was done.
    pub(super) fn offer(self, step: ListStep, words: String) {
        if let Some(id) = self.push_step(step) {
            self.notices().show_undo(words, id);
        }
    }

    /// The title of a chat, or how many they are.
    fn words_of(self, chats: &[Id]) -> String {
        match chats {
            [chat] => t!(state.quoted, title = self.title_now(*chat)),
            chats => count::chats(chats.len()),
        }
    }
}
