//! The tail of a running answer: it is in the log in pieces before it is whole, so that a crash leaves
//! an interrupted answer and not a hole.

use super::{Key, Log, Store, StoreError};
use crate::chat::{Id, Message, Outcome};
use crate::json::{Fields, FromJson, read_by_hand};
use serde::Serialize;
use serde_json::Value;

/// A piece of a running answer after the first, which is the [`Message`] as far as it was known.
#[derive(Debug, Serialize)]
struct Piece {
    #[serde(skip_serializing_if = "String::is_empty")]
    content: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    thinking: String,
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
        let piece = Piece {
            content: content.to_owned(),
            thinking: thinking.to_owned(),
        };
        self.write(Key::Tail(chat, id, n), &piece)
    }

    /// Removes a tail.
    pub(super) fn drop_tail(&mut self, chat: Id, id: Id) {
        let pieces = self.chats.get(&chat).map(|keys| keys.pieces(id));
        for n in pieces.into_iter().flatten() {
            self.remove(Key::Tail(chat, id, n));
        }
    }

    /// The answer that a tail makes, as far as it came.
    pub(super) fn read_tail(&mut self, chat: Id, id: Id) -> Option<Message> {
        let pieces = self.chats.get(&chat)?.pieces(id);
        let mut message = self.read::<Message>(Key::Tail(chat, id, 0))?;
        for n in pieces.into_iter().filter(|n| *n > 0) {
            if let Some(piece) = self.read::<Piece>(Key::Tail(chat, id, n)) {
                message.content += &piece.content;
                message.thinking += &piece.thinking;
            }
        }
        message.outcome = Outcome::Interrupted;
        Some(message)
    }
}

impl FromJson for Piece {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            content: value.text("content").unwrap_or_default(),
            thinking: value.text("thinking").unwrap_or_default(),
        })
    }
}

read_by_hand!(Piece);
