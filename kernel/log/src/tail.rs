//! The tail of a running answer: the log stores it in pieces before it is complete, so that a crash leaves an
//! interrupted answer instead of a gap. A piece says which frames of the answer it holds, so that a page that comes
//! back can have the server send those after them.

use super::keys::ChatKeys;
use super::stamp::is_zero;
use super::{Key, KeyValue, Log, StoreError};
use sash_chat::{AnswerId, Id, Message, Outcome, Role};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::DefaultOnError;

/// Replaces a piece of an answer that is lost.
const LOST_PIECE: &str = "\n\n[A piece of this answer could not be read.]\n\n";

/// The first piece: the answer as far as it was known when it was requested. It is read as a [`Message`] too.
#[derive(Serialize)]
struct TailHead<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<AnswerId>,
    #[serde(flatten)]
    message: &'a Message,
}

/// What the first piece says besides the message.
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
struct KeptId {
    /// The id under which the server keeps the frames of the answer.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    kept: Option<AnswerId>,
}

/// A piece of a running answer after the first, which is the [`Message`] as far as it was known. A piece of text alone
/// is a bare string: there are thousands of pieces, and most are shorter than the JSON around them would be.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TailPiece {
    /// Text alone.
    Text(String),
    /// Thinking, text after it, and what else is known of the answer.
    Parts(TailParts),
}

/// The parts of a piece.
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TailParts {
    /// The text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// The thinking.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// All calls of tools so far, as in [`Message::tool_calls`]; absent while there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Value>,
    /// As [`Message::calls_left_out`].
    #[serde(skip_serializing_if = "is_zero")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub calls_left_out: u32,
    /// The frames of the answer that the piece holds: how many come before it, and how many with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub frames: Option<[usize; 2]>,
}

impl From<&str> for TailParts {
    fn from(text: &str) -> Self {
        Self {
            content: text.to_owned(),
            ..Self::default()
        }
    }
}

impl From<TailParts> for TailPiece {
    fn from(parts: TailParts) -> Self {
        let text_alone = TailParts {
            content: String::new(),
            ..parts.clone()
        } == TailParts::default();
        match text_alone {
            true => Self::Text(parts.content),
            false => Self::Parts(parts),
        }
    }
}

impl TailPiece {
    /// The frames that piece `n` holds. A piece that does not say it counts as one frame: then those before it are the
    /// pieces before it.
    fn frames(&self, n: u32) -> [usize; 2] {
        match self {
            TailPiece::Parts(TailParts {
                frames: Some(frames),
                ..
            }) => *frames,
            TailPiece::Text(_) | TailPiece::Parts(_) => [n.saturating_sub(1) as usize, n as usize],
        }
    }

    /// Appends the piece to an answer.
    fn append_to(self, message: &mut Message) {
        match self {
            TailPiece::Text(text) => message.content += &text,
            TailPiece::Parts(parts) => {
                message.content += &parts.content;
                message.thinking += &parts.thinking;
                if parts.tool_calls.is_some() {
                    message.tool_calls = parts.tool_calls;
                    message.calls_left_out = parts.calls_left_out;
                }
            }
        }
    }
}

/// The pieces that lie behind a gap, with their frames, in the order in which they were written.
type BehindGap = Vec<([usize; 2], TailPiece)>;

/// Appends the pieces up to the first gap to an answer. Returns how many frames it has then, and the pieces behind the
/// gap. A piece of a former page that is found late, in a journal that opened too late, or one that holds what another
/// one holds, never counts twice: a piece goes on exactly where the answer ends, or it does not belong there.
fn append_unbroken(
    message: &mut Message,
    pieces: impl IntoIterator<Item = (u32, Option<TailPiece>)>,
) -> (usize, BehindGap) {
    let mut position = 0;
    let mut behind = Vec::new();
    for (n, piece) in pieces {
        let Some(piece) = piece else {
            continue;
        };
        let frames = piece.frames(n);
        if frames[0] == position {
            piece.append_to(message);
            position = frames[1];
        } else if frames[0] > position {
            behind.push((frames, piece));
        }
    }
    (position, behind)
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
    let (mut position, behind) = append_unbroken(&mut message, pieces);
    for ([from, to], piece) in behind {
        if from < position {
            continue;
        }
        if from > position {
            message.content += LOST_PIECE;
        }
        piece.append_to(&mut message);
        position = to;
    }
    message.outcome = Outcome::Interrupted;
    message
}

/// An answer that the server may still keep, as far as this log has it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptTail {
    /// The id under which the server keeps it.
    pub answer: AnswerId,
    /// The answer up to the first gap in its pieces.
    pub message: Message,
    /// The lengths of text and thinking of the answer that it carries on.
    pub begun: (usize, usize),
    /// How many of its frames the message has.
    pub frames: usize,
    /// The number of its last piece.
    pub pieces: u32,
}

impl<S: KeyValue> Log<S> {
    /// Starts the tail of an answer: writes everything known of it before the first token, with the id under which the
    /// server keeps its frames, if it is to.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_tail(
        &mut self,
        chat: Id,
        message: &Message,
        kept: Option<AnswerId>,
    ) -> Result<(), StoreError> {
        let head = TailHead { kept, message };
        self.write(Key::Tail(chat, message.id, 0), &head)
    }

    /// Writes what was received since the last piece, as piece `n`, from 1. Never rewrites an earlier piece.
    ///
    /// # Errors
    /// [`StoreError`]; the piece can be written again with more text.
    pub fn append_tail(
        &mut self,
        chat: Id,
        id: Id,
        n: u32,
        parts: impl Into<TailParts>,
    ) -> Result<(), StoreError> {
        self.write(Key::Tail(chat, id, n), &TailPiece::from(parts.into()))
    }

    /// Removes a tail.
    pub(super) fn drop_tail(&mut self, chat: Id, id: Id) {
        let pieces = self.keys_of(chat).map(|keys| keys.pieces(id));
        // Remove the first piece last: without it the place of the other pieces is unknown.
        for n in pieces.into_iter().flatten().rev() {
            self.remove(Key::Tail(chat, id, n));
        }
    }

    /// The interrupted answer built from a tail, with notes in the place of unreadable pieces.
    pub(super) fn read_tail(&mut self, chat: Id, id: Id) -> Option<Message> {
        let keys = self.keys_of(chat)?;
        if keys.pieces(id).is_empty() {
            return None;
        }
        let begun = self.read::<Message>(Key::Tail(chat, id, 0));
        let last = match begun {
            Some(_) => None,
            None => self.last_message(chat),
        };
        let after = self.read_pieces(chat, id);
        Some(interrupted_answer(id, begun, after, last))
    }

    /// The pieces of a tail after the first, by number.
    fn read_pieces(&mut self, chat: Id, id: Id) -> Vec<(u32, Option<TailPiece>)> {
        let keys = self.keys_of(chat);
        let pieces = keys.map(|keys| keys.pieces(id)).unwrap_or_default();
        let after = pieces.into_iter().filter(|n| *n > 0);
        after
            .map(|n| (n, self.read::<TailPiece>(Key::Tail(chat, id, n))))
            .collect()
    }

    /// Place and id of the newest message of a chat, packed or not.
    fn last_message(&mut self, chat: Id) -> Option<(u32, Id)> {
        let raw = self.keys_of(chat)?.messages.last().copied();
        let packed = self.unpack_messages(chat).into_iter();
        packed.map(|m| (m.seq, m.id)).chain(raw).max()
    }

    /// The chats with answers that were not finished.
    #[must_use]
    pub fn chats_with_tails(&self) -> Vec<Id> {
        let chats = self.chats.iter().filter(|(_, keys)| !keys.tails.is_empty());
        chats.map(|(chat, _)| *chat).collect()
    }

    /// The answers of a chat that were not finished and that the server was asked to keep, with the ids under which it
    /// keeps them. Those that were deleted, and those that the server is to stop, are not among them.
    pub fn kept_answers(&mut self, chat: Id) -> Vec<(Id, AnswerId)> {
        let keys = self.keys_of(chat);
        let tails = keys.map(ChatKeys::unfinished).unwrap_or_default();
        let mut found = Vec::new();
        for id in tails {
            if self.is_removed(chat, id) {
                continue;
            }
            let kept = self.read::<KeptId>(Key::Tail(chat, id, 0));
            let kept = kept.and_then(|head| head.kept);
            found.extend(kept.map(|answer| (id, answer)));
        }
        found.retain(|(_, answer)| !self.stops.contains(answer));
        found
    }

    /// An unfinished answer that the server was asked to keep, to go on with it; `None` if it ended, or is to be stopped.
    pub fn kept_tail(&mut self, chat: Id, id: Id) -> Option<KeptTail> {
        let kept = self.kept_answers(chat);
        let (_, answer) = kept.into_iter().find(|(known, _)| *known == id)?;
        let mut message = self.read::<Message>(Key::Tail(chat, id, 0))?;
        message.outcome = Outcome::Interrupted;
        let begun = (message.content.len(), message.thinking.len());
        let pieces = self.read_pieces(chat, id);
        let last = pieces.last().map_or(0, |(n, _)| *n);
        let (frames, _) = append_unbroken(&mut message, pieces);
        Some(KeptTail {
            answer,
            message,
            begun,
            frames,
            pieces: last,
        })
    }

    /// Turns abandoned tails into messages: those started more than a day before `now` (milliseconds since
    /// 1970). Without room they stay tails.
    pub fn seal_tails(&mut self, chat: Id, now: u64) {
        const ABANDONED_AFTER_MS: u64 = 24 * 60 * 60 * 1000;
        let keys = self.keys_of(chat);
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
