//! The tail of a running answer: it is in the log in pieces before it is whole, so that a crash leaves
//! an interrupted answer and not a hole.

use super::keys::Keys;
use super::{Key, Log, Store, StoreError};
use sash_chat::{Id, Message, Outcome, Role};
use serde::{Deserialize, Serialize};

/// Stands where a piece of an answer is lost.
const LOST_PIECE: &str = "\n\n[A piece of this answer could not be read.]\n\n";

/// A piece of a running answer after the first, which is the [`Message`] as far as it was known: a bare string where
/// nothing was thought, because there are thousands of them and few are longer than what would stand around them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Piece {
    Text(String),
    Thought {
        #[serde(default)]
        content: String,
        #[serde(default)]
        thinking: String,
    },
}

impl Piece {
    /// Puts it at the end of an answer.
    pub(super) fn append_to(&self, message: &mut Message) {
        let (text, thought) = match self {
            Piece::Text(text) => (text.as_str(), ""),
            Piece::Thought { content, thinking } => (content.as_str(), thinking.as_str()),
        };
        message.content += text;
        message.thinking += thought;
    }
}

/// The answer that a tail makes, as far as it came. `begun` is its first piece and
/// `pieces` are those after it, by number and in order, with `None` for one that cannot be read: what is lost is said
/// in its place. `last` is the message written last, which the answer follows where its first piece is lost.
pub(super) fn interrupted(
    id: Id,
    begun: Option<Message>,
    pieces: impl IntoIterator<Item = (u32, Option<Piece>)>,
    last: Option<(u32, Id)>,
) -> Message {
    let mut message = begun.unwrap_or_else(|| {
        // Its place is lost, not its words.
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
    /// Begins the tail of an answer: everything known of it before its first word.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_tail(&mut self, chat: Id, message: &Message) -> Result<(), StoreError> {
        self.write(Key::Tail(chat, message.id, 0), message)
    }

    /// Writes what came since the last piece, as piece `n`, from 1. Never rewrites an earlier one.
    ///
    /// # Errors
    /// [`StoreError`]; the piece can be written again with more.
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
            "" => Piece::Text(content),
            thinking => Piece::Thought {
                content,
                thinking: thinking.to_owned(),
            },
        };
        self.write(Key::Tail(chat, id, n), &piece)
    }

    /// Removes a tail.
    pub(super) fn drop_tail(&mut self, chat: Id, id: Id) {
        let pieces = self.chats.get(&chat).map(|keys| keys.pieces(id));
        // The first piece last: it says where the answer belongs, as long as there is anything of it.
        for n in pieces.into_iter().flatten().rev() {
            self.remove(Key::Tail(chat, id, n));
        }
    }

    /// The answer that a tail makes, as far as it came. What of it cannot be read is said in its place.
    pub(super) fn read_tail(&mut self, chat: Id, id: Id) -> Option<Message> {
        let keys = self.chats.get(&chat)?;
        let pieces = keys.pieces(id);
        let raw = keys.messages.last().copied();
        if pieces.is_empty() {
            return None;
        }
        let packed = self.unpacked.get(&chat).into_iter().flatten();
        let last = packed.map(|m| (m.seq, m.id)).chain(raw).max();
        let begun = self.read::<Message>(Key::Tail(chat, id, 0));
        let after = pieces.into_iter().filter(|n| *n > 0);
        let after = after.map(|n| (n, self.read::<Piece>(Key::Tail(chat, id, n))));
        Some(interrupted(id, begun, after, last))
    }

    /// Makes messages of the tails that nobody can be writing any more: those begun more than a day before `now`,
    /// in milliseconds since 1970. Without room they stay tails.
    pub fn seal_tails(&mut self, chat: Id, now: u64) {
        const ABANDONED_AFTER_MS: u64 = 24 * 60 * 60 * 1000;
        let keys = self.chats.get(&chat);
        let tails = keys.map(Keys::tailed).unwrap_or_default();
        for id in tails {
            let message = self.read_tail(chat, id);
            let dead = |m: &Message| now.saturating_sub(m.created) > ABANDONED_AFTER_MS;
            if let Some(message) = message.filter(dead) {
                // Said where it matters: when something new finds no room.
                let _ = self.save_message(chat, &message);
            }
        }
    }
}
