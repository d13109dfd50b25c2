//! Answers that the person changed: versions of their own beside the model's.

use reactive_graph::prelude::*;
use sash_chat::{Chat, Id, Message, Receipt, Role, misfits};
use sash_stores::hooks::UndoEntry;
use sash_stores::{ChatEvent, Kernel};
use sash_words::t;
use std::rc::Rc;

/// Keeps what the person made of an answer of the open chat, as a version beside it, and shows that. What the model thought
/// and called stays with its own answer. Nothing is sent. Returns the new version; `None` if the answer is gone, or the text
/// blank or the same.
pub fn edit_answer(kernel: Kernel, answer: Id, text: String) -> Option<Id> {
    let (edges, chats) = (kernel.edges(), kernel.chats());
    let former = chats.message(answer)?;
    let is_new = !text.trim().is_empty() && text != former.content;
    if former.role != Role::Assistant || !is_new {
        return None;
    }
    let chat = chats.open_id_untracked();
    let seq = chats.open.with_untracked(Chat::next_seq);
    let mut receipt = former.receipt.as_ref().map(Receipt::of_edited);
    if let Some(receipt) = &mut receipt {
        receipt.misfits = misfits(receipt.format.as_ref(), &text);
    }
    let id = edges.new_id();
    let edited = Message {
        content: text,
        model: former.model,
        edited: Some(answer),
        receipt,
        ..Message::new(id, former.parent, seq, Role::Assistant, edges.now())
    };
    kernel
        .storage()
        .write(|log| log.save_message(chat, &edited));
    chats.show(chat, [edited]);
    chats.walk_to(id);
    chats.refresh_chat(chat);
    let undo = kernel.history().push(UndoEntry {
        chat: Some(chat),
        holds: Rc::new(move || {
            chats.open_tree().track();
            last_edited(kernel, chat, id).is_some()
        }),
        undo: Box::new(move |_| undo_edit(kernel, chat, id)),
    });
    let words = t!(versions.kept_your_version);
    kernel.notices().show_undo(words, undo);
    Some(id)
}

/// A version of the person's own in the open chat, if nothing follows it: taking it back loses nothing else.
fn last_edited(kernel: Kernel, chat: Id, id: Id) -> Option<Message> {
    let chats = kernel.chats();
    let edited = chats
        .message(id)
        .filter(|message| message.edited.is_some())?;
    let is_last = chats.open_tree().with_untracked(|tree| {
        let mut others = tree.messages();
        others.all(|message| message.parent != Some(id))
    });
    (chats.open_id_untracked() == chat && is_last).then_some(edited)
}

/// Takes a version of the person's own back into the trash, and shows the answer that it was made of. Returns whether it
/// could be taken back.
fn undo_edit(kernel: Kernel, chat: Id, id: Id) -> bool {
    let Some(edited) = last_edited(kernel, chat, id) else {
        return false;
    };
    let (chats, now) = (kernel.chats(), kernel.edges().now());
    let storage = kernel.storage();
    if !storage.write(|log| log.remove_message(chat, &edited, now)) {
        return true;
    }
    chats.open_tree().update(|tree| tree.remove(id, true));
    kernel.notices().toast.set(None);
    let former = edited
        .edited
        .filter(|former| chats.message(*former).is_some());
    match former {
        Some(former) => chats.walk_to(former),
        None => chats.events().emit(&ChatEvent::Changed),
    }
    chats.refresh_chat(chat);
    true
}
