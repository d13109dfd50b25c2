//! Forking a chat: a branch goes on in a chat of its own.

use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_records::FIELDS;
use sash_records::versions::fork;
use sash_stores::Kernel;
use sash_stores::hooks::UndoEntry;
use sash_words::{count, t};
use std::rc::Rc;

/// Copies the open chat up to a message of its branch into a new chat, and opens that: a temporary one if the open chat is
/// one. The images are shared. Returns the new chat; `None` if there is no such message, or no room for all of it.
pub fn fork_chat(kernel: Kernel, through: Id) -> Option<Id> {
    let (edges, chats) = (kernel.edges(), kernel.chats());
    let copy = |open: &_| fork(open, FIELDS, through, edges.now(), || edges.new_id());
    let fork = chats.open.with_untracked(copy)?;
    let (chat, copied) = (fork.head.id, count::messages(fork.len()));
    if chats.is_temporary_untracked(chats.open_id_untracked()) {
        chats.make_temporary(chat);
    }
    let kept = kernel.storage().with_log(|log| log.add_chat(&fork));
    if kept != Some(Ok(())) {
        kernel.notices().show(t!(versions.no_room_to_fork));
        return None;
    }
    chats.refresh_chat(chat);
    chats.open_chat(chat);
    let undo = kernel.history().push(UndoEntry {
        chat: None,
        holds: Rc::new(move || {
            chats.list.track();
            !chats.is_gone(chat)
        }),
        undo: Box::new(move |_| undo_fork(kernel, chat)),
    });
    let words = t!(versions.forked, copied = &copied);
    kernel.notices().show_undo(words, undo);
    Some(chat)
}

/// Deletes a chat that was forked, and opens the one that it was forked from if it is still there. A temporary one is left
/// instead: there is no trash for it. Returns whether it was there.
fn undo_fork(kernel: Kernel, chat: Id) -> bool {
    let (chats, storage) = (kernel.chats(), kernel.storage());
    if chats.is_gone(chat) {
        return false;
    }
    let head = storage.with_log(|log| log.head(chat)).flatten();
    let origin = head.and_then(|head| head.forked_from);
    let was_open = chats.open_id_untracked() == chat;
    let is_temporary = chats.is_temporary_untracked(chat);
    if !is_temporary {
        let now = kernel.edges().now();
        if !storage.write(|log| log.delete(chat, now)) {
            return true;
        }
        chats.refresh_list();
    }
    kernel.notices().toast.set(None);
    let is_there = |origin: &Id| match is_temporary {
        true => chats.is_temporary_untracked(*origin),
        false => chats
            .list
            .with_untracked(|all| all.iter().any(|known| known.id == *origin)),
    };
    match origin.filter(is_there) {
        _ if !was_open => {}
        Some(origin) => chats.open_chat(origin),
        None => chats.begin_chat(),
    }
    true
}
