//! A chat of a file under other ids, for a copy beside the chat that is here.

use super::Incoming;
use super::own::sort_messages;
use chat_exports::hash;
use sash_chat::{ChatSettings, Head, Id, Message, RecalledPiece};
use sash_records::FIELDS;

/// The id of the copy.
pub(super) fn copy_id(chat: &Incoming, says: u64, n: u64) -> Id {
    let name = format!("sash copy {}", chat.head.id);
    Id(hash(says ^ n, name.as_bytes()))
}

/// A copy of the chat under derived ids: the same ones each time, so that a file imported twice is
/// recognised.
pub(super) fn renamed(chat: &Incoming, says: u64, n: u64) -> Incoming {
    let id = copy_id(chat, says, n);
    let name = |old: Id| Id(hash(id.0, &old.0.to_le_bytes()));
    let mut copy = chat.clone();
    let head = &mut copy.head;
    head.id = id;
    // Every field is named, so that the compiler asks of a new one whether it names messages.
    let Head {
        id: _,
        title: _,
        distinct: _,
        created: _,
        model: _,
        engine: _,
        pinned: _,
        archived: _,
        folder: _,
        inherited: _,
        settings,
        summaries,
        systems: _,
        at,
        others,
        forked_from: _,
        packed: _,
        rev: _,
    } = head;
    let ChatSettings {
        policy: _,
        pins,
        mutes,
        cleared,
        recall: _,
        unrecalled,
        summary: _,
        summarizes: _,
        system: _,
        think: _,
        format: _,
        tools: _,
        parameters: _,
        withheld,
    } = settings;
    for item in [pins, mutes, cleared, unrecalled].into_iter().flatten() {
        *item = name(*item);
    }
    for summary in summaries {
        (summary.from, summary.through) = (name(summary.from), name(summary.through));
    }
    let withheld = withheld.iter_mut().map(|kept| &mut kept.others);
    for others in withheld.chain([others]) {
        FIELDS.import(others, &|id| Some(name(id)));
    }
    if let Some(at) = at {
        at.leaf = name(at.leaf);
    }
    let is_own = |piece: &RecalledPiece| piece.chat.is_none_or(|of| of == chat.head.id);
    let rename_piece = |piece: &mut RecalledPiece| {
        if is_own(piece) {
            (piece.message, piece.chat) = (name(piece.message), None);
        }
    };
    for message in copy.messages.iter_mut().chain(&mut copy.former) {
        rename_message(message, &name);
        let pieces = message
            .recalled
            .iter_mut()
            .flat_map(|block| &mut block.pieces);
        pieces.for_each(rename_piece);
    }
    for prompt in &mut copy.queue.content.prompts {
        let choice = &mut prompt.choice;
        choice
            .left_out
            .iter_mut()
            .for_each(|item| *item = name(*item));
        let found = choice.found.iter_mut().flatten();
        let known = choice.included.iter_mut().chain(found);
        known.map(|found| &mut found.piece).for_each(rename_piece);
    }
    for (message, tombstone) in &mut copy.removed {
        *message = name(*message);
        tombstone.parent = tombstone.parent.map(name);
    }
    // Messages with the same `seq` are ordered by id, and the ids have changed.
    sort_messages(&mut copy.messages);
    sort_messages(&mut copy.former);
    copy
}

/// Gives a message other ids.
fn rename_message(message: &mut Message, name: &impl Fn(Id) -> Id) {
    // Every field is named, so that the compiler asks of a new one whether it names messages.
    let Message {
        id,
        parent,
        seq: _,
        role: _,
        content: _,
        images: _,
        // Its pieces may be those of other chats.
        recalled: _,
        thinking: _,
        tool_calls: _,
        calls_left_out: _,
        tool_name: _,
        tool_call_id: _,
        model: _,
        edited,
        created: _,
        outcome: _,
        receipt,
    } = message;
    *id = name(*id);
    let others = [parent, edited].into_iter().flatten();
    others.for_each(|id| *id = name(*id));
    if let Some(receipt) = receipt {
        let lists = [&mut receipt.sent, &mut receipt.recalled];
        let ones = [&mut receipt.question_before, &mut receipt.continued];
        let all = lists
            .into_iter()
            .flatten()
            .chain(ones.into_iter().flatten());
        all.for_each(|id| *id = name(*id));
    }
}
