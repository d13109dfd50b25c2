//! A chat of another program that was read.

use super::damage::has_marks;
use super::foreign::{Images, incoming};
use super::{Incoming, Skip};
use chat_exports::json::Span;
use chat_exports::{Assets, ListItem, NoChat, read_chat, read_item};

/// A chat of another program that was read, or why it is left out.
pub struct ReadChat {
    pub(super) read: Result<Incoming, Skip>,
    /// Whether it is no JSON, but may have been a chat.
    pub(super) is_damaged: bool,
}

/// Reads an item of a list.
pub(super) fn of_item(item: &ListItem, assets: &Assets, images: &Images, now: u64) -> ReadChat {
    let read = converted(read_item(item, assets), images, now);
    let is_damaged = match item {
        ListItem::Text(bytes) => matches!(read, Err(Skip::NoJson)) && has_marks(bytes),
        ListItem::TooLarge { .. } => false,
    };
    ReadChat { read, is_damaged }
}

/// Reads the chat at this span of the text.
pub(super) fn of_span(
    text: &str,
    span: &Span,
    assets: &Assets,
    images: &Images,
    now: u64,
) -> Result<Incoming, Skip> {
    converted(read_chat(text, span, assets), images, now)
}

fn converted(
    read: Result<chat_exports::ReadChat, NoChat>,
    images: &Images,
    now: u64,
) -> Result<Incoming, Skip> {
    let read = read.map_err(|why| match why {
        NoChat::TooLarge => Skip::TooLarge,
        NoChat::Unknown => Skip::Unknown,
        NoChat::NoJson => Skip::NoJson,
    })?;
    let mut chat = incoming(read.chat, images, now);
    let former = incoming(read.former, images, now).messages;
    if former != chat.messages {
        chat.former = former;
    }
    Ok(chat)
}
