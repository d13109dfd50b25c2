//! The tail of a running answer: the log stores it in pieces before it is complete, so that a crash leaves an
//! interrupted answer instead of a gap.

use super::keys::ChatKeys;
use super::{Key, Log, Store, StoreError};
use sash_chat::{Id, Message, Outcome, Role};
use serde::{Deserialize, Serialize};

/// Replaces a piece of an answer that is lost.
const LOST_PIECE: &str = "\n\n[A piece of this answer could not be read.]\n\n";

/// A piece of a running answer after the first, which is the [`Message`] as far as it was known. A piece
/// without thinking is a bare string: there are thousands of pieces, and most are shorter than the JSON
/// around them would be.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TailPiece {
    /// Text alone.
    Text(String),
    /// Thinking, and text after it.
    Thought {
        /// The text.
        #[serde(default)]
        content: String,
        /// The thinking.
        #[serde(default)]
        thinking: String,
    },
}

impl TailPiece {
    /// Appends the piece to an answer.
    fn append_to(&self, message: &mut Message) {
        let (text, thought) = match self {
            TailPiece::Text(text) => (text.as_str(), ""),
            TailPiece::Thought { content, thinking } => (content.as_str(), thinking.as_str()),
        };
        message.content += text;
        message.thinking += thought;
    }
}

/// Builds the interrupted answer from its tail. `begun` is the first piece, `pieces` are the others by
/// number, in order, with `None` for an unreadable one, which is replaced by a note. `last` is the newest
/// message, which becomes the parent where the first piece is lost.
pub fn interrupted_answer(
    id: Id,
    begun: Option<Message>,
    pieces: impl IntoIterator<Item = (u32, Option<TailPiece>)>,
    last: Option<(u32, Id)>,
) -> Message {
    let mut message = begun.unwrap_or_else(|| {
        // The first piece is lost: the answer's place is unknown, its text is not.
        let (seq, parent) = last.unzip();
        let seq = seq.map_or(1, |seq| seq.saturating_add(1));
        Message::new(id, parent, seq, Role::Assistant, 0)
    });
    let mut next = 1;
    for (n, piece) in pieces {
        let Some(piece) = piece else {
            continue;
        };
        if n > next {
            message.content += LOST_PIECE;
        }
        piece.append_to(&mut message);
        next = n.saturating_add(1);
    }
    message.outcome = Outcome::Interrupted;
    message
}

impl<S: Store> Log<S> {
    /// Starts the tail of an answer: writes everything known of it before the first token.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_tail(&mut self, chat: Id, message: &Message) -> Result<(), StoreError> {
        self.write(Key::Tail(chat, message.id, 0), message)
    }

    /// Writes the text received since the last piece, as piece `n`, from 1. Never rewrites an earlier piece.
    ///
    /// # Errors
    /// [`StoreError`]; the piece can be written again with more text.
    pub fn append_tail(
        &mut self,
        chat: Id,
        id: Id,
        n: u32,
        content: &str,
        thinking: &str,
    ) -> Result<(), StoreError> {
        let content = content.to_owned();
        let piece = match thinking {
            "" => TailPiece::Text(content),
            thinking => TailPiece::Thought {
                content,
                thinking: thinking.to_owned(),
            },
        };
        self.write(Key::Tail(chat, id, n), &piece)
    }

    /// Removes a tail.
    pub(super) fn drop_tail(&mut self, chat: Id, id: Id) {
        let pieces = self.chats.get(&chat).map(|keys| keys.pieces(id));
        // Remove the first piece last: without it the place of the other pieces is unknown.
        for n in pieces.into_iter().flatten().rev() {
            self.remove(Key::Tail(chat, id, n));
        }
    }

    /// The interrupted answer built from a tail, with notes in the place of unreadable pieces.
    pub(super) fn read_tail(&mut self, chat: Id, id: Id) -> Option<Message> {
        let keys = self.chats.get(&chat)?;
        let pieces = keys.pieces(id);
        if pieces.is_empty() {
            return None;
        }
        let begun = self.read::<Message>(Key::Tail(chat, id, 0));
        let last = match begun {
            Some(_) => None,
            None => self.last_message(chat),
        };
        let after = pieces.into_iter().filter(|n| *n > 0);
        let after = after.map(|n| (n, self.read::<TailPiece>(Key::Tail(chat, id, n))));
        Some(interrupted_answer(id, begun, after, last))
    }

    /// Place and id of the newest message of a chat, packed or not.
    fn last_message(&mut self, chat: Id) -> Option<(u32, Id)> {
        let raw = self.chats.get(&chat)?.messages.last().copied();
        let packed = self.unpack_messages(chat).into_iter();
        packed.map(|m| (m.seq, m.id)).chain(raw).max()
    }

    /// Turns abandoned tails into messages: those started more than a day before `now` (milliseconds since
    /// 1970). Without room they stay tails.
    pub fn seal_tails(&mut self, chat: Id, now: u64) {
        const ABANDONED_AFTER_MS: u64 = 24 * 60 * 60 * 1000;
        let keys = self.chats.get(&chat);
        let tails = keys.map(ChatKeys::tailed).unwrap_or_default();
        for id in tails {
            let message = self.read_tail(chat, id);
            let dead = |m: &Message| now.saturating_sub(m.created) > ABANDONED_AFTER_MS;
            if let Some(message) = message.filter(dead) {
                // A failure is not reported here; the next write that finds no room reports it.
                let _ = self.save_message(chat, &message);
            }
        }
    }
}
