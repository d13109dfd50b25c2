//! Places of chats in the list: pinned, archived, in a folder. Each change is a step that can be undone, of one chat or
//! of many.

use super::ChatList;
use reactive_graph::prelude::*;
use sash_chat::{Folder, Head, Id};
use sash_stores::ChatEvent;
use sash_words::t;
use std::collections::BTreeMap;

/// The place of a chat in the list.
#[derive(Clone, Copy, PartialEq)]
struct ListPlace {
    pinned: Option<u64>,
    archived: Option<u64>,
    folder: Option<Id>,
}

impl ListPlace {
    fn of(head: &Head) -> Self {
        Self {
            pinned: head.pinned,
            archived: head.archived,
            folder: head.folder,
        }
    }
}

/// The places of chats before a step.
type Places = Vec<(Id, ListPlace)>;

impl ChatList {
    /// Pins a chat to the top of the list, or removes its pin. A pinned chat is not archived.
    pub fn pin_chat(self, chat: Id, on: bool) {
        let now = self.kernel.edges().now();
        let places = self.arrange(&[chat], |head| {
            head.pinned = on.then_some(now);
            head.archived = head.archived.filter(|_| !on);
        });
        if !places.is_empty() {
            self.chats().push_list_step(move || self.restore(places));
        }
        self.notices().announce(match on {
            true => t!(list.pinned_chat),
            false => t!(list.unpinned_chat),
        });
    }

    /// Archives chats, or takes them out of the archive.
    pub fn archive_chats(self, chats: &[Id], on: bool) {
        let now = self.kernel.edges().now();
        let what = self.chats().words_of(chats);
        let words = match on {
            true => t!(list.archived_what, what = &what),
            false => t!(list.unarchived, what = &what),
        };
        self.arrange_as_step(chats, words, move |head| {
            head.archived = on.then_some(now);
            head.pinned = head.pinned.filter(|_| !on);
        });
    }

    /// Moves chats to a folder; `None` takes them out of theirs.
    pub fn move_chats(self, chats: &[Id], folder: Option<Id>) {
        let what = self.chats().words_of(chats);
        let name = folder.and_then(|id| self.chats().folder(id));
        let words = match name {
            Some(folder) => t!(list.moved_to, what = &what, folder = &folder.name),
            None => t!(list.moved_out, what = &what),
        };
        self.arrange_as_step(chats, words, move |head| head.folder = folder);
    }

    /// Changes the places of chats as one step, thousands of them in slices.
    fn arrange_as_step(self, chats: &[Id], words: String, change: impl Fn(&mut Head) + 'static) {
        let offer = move |places: Places| {
            if !places.is_empty() {
                self.chats()
                    .offer_list_step(words, move || self.restore(places));
            }
        };
        let arrange = move |slice: &[Id]| self.arrange(slice, &change);
        self.chats()
            .change_in_slices(chats.to_vec(), arrange, offer);
    }

    /// The folder with a name; a new one if there is none.
    pub fn folder_named(self, name: &str) -> Id {
        let folders = self.chats().folders;
        let known =
            folders.with_untracked(|all| all.iter().find(|f| f.is_named(name)).map(|f| f.id));
        known.unwrap_or_else(|| {
            let last = folders.with_untracked(|all| all.last().map(|folder| folder.order));
            let order = last.map_or(0, |last| last.saturating_add(1));
            let folder = Folder::new(self.kernel.edges().new_id(), name, order);
            self.storage().write(|log| log.save_folder(&folder));
            self.chats().refresh_folders();
            folder.id
        })
    }

    /// Changes a folder as a step that can be undone.
    pub fn change_folder(self, id: Id, change: impl FnOnce(&mut Folder)) {
        if let Some(before) = self.write_folder(id, change) {
            self.chats()
                .push_list_step(move || self.restore_folders(vec![before]));
        }
    }

    /// Shows or hides the chats of a folder.
    pub(super) fn close_folder(self, id: Id, closed: bool) {
        self.write_folder(id, |folder| folder.closed = closed);
    }

    /// Deletes a folder. Its chats stay, and stand among the others.
    pub fn delete_folder(self, id: Id) {
        let now = self.kernel.edges().now();
        if let Some(before) = self.write_folder(id, |folder| folder.deleted = Some(now)) {
            let words = t!(list.deleted_folder, name = &before.name);
            self.chats()
                .offer_list_step(words, move || self.restore_folders(vec![before]));
        }
    }

    /// Moves a folder up or down among the folders.
    pub fn shift_folder(self, id: Id, down: bool) {
        let folders = self.chats().folders;
        let mut ids: Vec<Id> =
            folders.with_untracked(|all| all.iter().map(|folder| folder.id).collect());
        let Some(at) = ids.iter().position(|known| *known == id) else {
            return;
        };
        let to = if down { at + 1 } else { at.wrapping_sub(1) };
        if to >= ids.len() {
            return;
        }
        ids.swap(at, to);
        // Folders of an import may have the same order, so each gets its own.
        let write = |(order, id)| self.write_folder(id, |folder| folder.order = order);
        let before: Vec<Folder> = (0..).zip(ids).filter_map(write).collect();
        if !before.is_empty() {
            self.chats()
                .push_list_step(move || self.restore_folders(before));
        }
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
        self.chats().refresh_folders();
        Some(before)
    }

    /// Undoes a change of folders. Returns whether there was something to undo.
    fn restore_folders(self, folders: Vec<Folder>) -> bool {
        let restore = |before: Folder| {
            self.write_folder(before.id, |folder| {
                // The number of rewrites goes on counting.
                let rev = folder.rev;
                *folder = before;
                folder.rev = rev;
            })
        };
        folders.into_iter().filter_map(restore).count() > 0
    }

    /// Puts chats back into their places. Returns whether there was something to undo.
    fn restore(self, places: Places) -> bool {
        let places: BTreeMap<Id, ListPlace> = places.into_iter().collect();
        let chats = places.keys().copied().collect();
        let restore = move |head: &mut Head| {
            if let Some(place) = places.get(&head.id) {
                (head.pinned, head.archived) = (place.pinned, place.archived);
                head.folder = place.folder;
            }
        };
        let arrange = move |slice: &[Id]| self.arrange(slice, &restore);
        self.chats().change_in_slices(chats, arrange, drop)
    }

    /// Changes the heads of chats, and their entries in the list. Returns their places before; those of chats that stay
    /// where they were are not among them.
    fn arrange(self, chats: &[Id], change: impl Fn(&mut Head)) -> Places {
        let mut places = Places::new();
        let mut now = BTreeMap::new();
        for chat in chats {
            self.chats().change_head(*chat, |head| {
                let before = ListPlace::of(head);
                change(head);
                let after = ListPlace::of(head);
                if before != after {
                    places.push((*chat, before));
                    now.insert(*chat, after);
                }
                if before.folder != after.folder {
                    let inherited = self.storage().with_log(|log| log.inherited(head.folder));
                    head.inherited = inherited.unwrap_or_default();
                }
            });
        }
        self.chats().list.update(|list| {
            for entry in list {
                if let Some(place) = now.get(&entry.id) {
                    entry.pinned = place.pinned;
                    entry.archived = place.archived.is_some();
                    entry.folder = place.folder;
                }
            }
        });
        if now.contains_key(&self.chats().open_id_untracked()) {
            self.chats().events().emit(&ChatEvent::Changed);
        }
        places
    }
}
