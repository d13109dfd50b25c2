//! The keys of the log. `seq` is in base 36 at a fixed width, so that keys sort in order.

use crate::chat::Id;
use std::fmt;

/// Width of `seq`: 36^6 is over two thousand million.
const SEQ_WIDTH: usize = 6;

/// The key of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// `sash:meta`: which program and form this log is of.
    Meta,
    /// `sash:set`: settings.
    Settings,
    /// `sash:c:<chat>`: a chat's head.
    Head(Id),
    /// `sash:m:<chat>:<seq>-<message>`: a message.
    Message(Id, u32, Id),
    /// `sash:t:<chat>:<message>:<n>`: a piece of a running answer.
    Tail(Id, Id, u32),
    /// `sash:x:<chat>`: the tombstone of a deleted chat.
    Tombstone(Id),
    /// `sash:x:<chat>:<message>`: the tombstone of a deleted message.
    Removed(Id, Id),
    /// `sash:s:<chat>:<n>`: messages of an idle chat, packed.
    Segment(Id, u32),
    /// `sash:in:<import>`: what a running import has added.
    Import(Id),
    /// `sash:z`: room that is kept for the end of a running answer.
    Reserve,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Meta => f.write_str("sash:meta"),
            Key::Settings => f.write_str("sash:set"),
            Key::Head(chat) => write!(f, "sash:c:{chat}"),
            Key::Message(chat, seq, id) => write!(f, "sash:m:{chat}:{}-{id}", base36(*seq)),
            Key::Tail(chat, id, n) => write!(f, "sash:t:{chat}:{id}:{n}"),
            Key::Tombstone(chat) => write!(f, "sash:x:{chat}"),
            Key::Removed(chat, id) => write!(f, "sash:x:{chat}:{id}"),
            Key::Segment(chat, n) => write!(f, "sash:s:{chat}:{n}"),
            Key::Import(id) => write!(f, "sash:in:{id}"),
            Key::Reserve => f.write_str("sash:z"),
        }
    }
}

impl Key {
    /// Reads a key; `None` for one that is not the log's.
    #[must_use]
    pub fn parse(key: &str) -> Option<Self> {
        let (kind, rest) = key
            .strip_prefix("sash:")?
            .split_once(':')
            .unwrap_or((&key[5..], ""));
        let mut parts = rest.split(':');
        let mut id = || parts.next().and_then(|part| part.parse::<Id>().ok());
        let read = match kind {
            "meta" => Key::Meta,
            "set" => Key::Settings,
            "c" => Key::Head(id()?),
            "x" => match (id()?, id()) {
                (chat, Some(message)) => Key::Removed(chat, message),
                (chat, None) => Key::Tombstone(chat),
            },
            "s" => Key::Segment(id()?, parts.next()?.parse().ok()?),
            "in" => Key::Import(id()?),
            "z" => Key::Reserve,
            "t" => Key::Tail(id()?, id()?, parts.next()?.parse().ok()?),
            "m" => {
                let chat = id()?;
                let (seq, message) = parts.next()?.split_once('-')?;
                Key::Message(
                    chat,
                    u32::from_str_radix(seq, 36).ok()?,
                    message.parse().ok()?,
                )
            }
            _ => return None,
        };
        // One spelling for each key: anything else is not ours.
        (read.to_string() == key).then_some(read)
    }

    /// The chat it belongs to.
    #[must_use]
    pub fn chat(self) -> Option<Id> {
        match self {
            Key::Head(chat)
            | Key::Tombstone(chat)
            | Key::Removed(chat, _)
            | Key::Segment(chat, _)
            | Key::Message(chat, ..)
            | Key::Tail(chat, ..) => Some(chat),
            Key::Meta | Key::Settings | Key::Import(_) | Key::Reserve => None,
        }
    }

    /// Whether what stands under it is a record with a version and a checksum.
    #[must_use]
    pub fn is_record(self) -> bool {
        !matches!(self, Key::Meta | Key::Reserve)
    }

    /// Where a record that cannot be read is moved to.
    #[must_use]
    pub fn set_aside(self) -> String {
        format!("sash:bad:{self}")
    }
}

fn base36(mut value: u32) -> String {
    let mut digits = [b'0'; SEQ_WIDTH];
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[(value % 36) as usize];
        value /= 36;
    }
    String::from_utf8_lossy(&digits).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written_and_sort_in_order() {
        let keys = [
            Key::Meta,
            Key::Settings,
            Key::Head(Id(1)),
            Key::Tombstone(Id(u64::MAX)),
            Key::Removed(Id(3), Id(4)),
            Key::Segment(Id(1), 12),
            Key::Import(Id(9)),
            Key::Reserve,
            Key::Tail(Id(1), Id(2), 30),
            Key::Message(Id(1), 2_000_000_000, Id(7)),
        ];
        for key in keys {
            assert_eq!(Key::parse(&key.to_string()), Some(key), "{key}");
        }
        assert_eq!(
            Key::Message(Id(1), 35, Id(2)).to_string(),
            "sash:m:0000000000000001:00000z-0000000000000002"
        );
        assert!(
            Key::Message(Id(1), 35, Id(9)).to_string() < Key::Message(Id(1), 36, Id(2)).to_string()
        );
    }

    #[test]
    fn foreign_keys_are_not_ours() {
        for foreign in [
            "",
            "sash:",
            "sash:c:",
            "sash:c:1",
            "theme",
            "sash:c:0000000000000001:x",
            "sash:meta:",
            "sash:z:",
            "sash:x:0000000000000001:",
            "sash:s:0000000000000001:01",
            "sash:bad:sash:meta",
            "sash:theme",
            "sash:m:0000000000000001:z-0000000000000002",
            "日本",
        ] {
            assert_eq!(Key::parse(foreign), None, "{foreign}");
        }
    }
}
