//! The keys of the log. `seq` is in base 36 with a fixed width, so that keys sort in the order of writing.

use super::{Kinds, RecordKind, Rewrites};
use sash_chat::{AnswerId, Id};
use std::fmt;

/// Width of `seq`: 36^6 is over two thousand million.
const SEQ_WIDTH: usize = 6;

/// Prefix of the keys under which unreadable records are kept.
pub const QUARANTINE_PREFIX: &str = "sash:bad:";

/// The key of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// `sash:meta`: which program wrote this log, and in which form.
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
    /// `sash:s:<chat>:<n>`: messages of an idle or imported chat, packed.
    Segment(Id, u32),
    /// `sash:in:<import>`: what a running import has added.
    Import(Id),
    /// `sash:<letter>:<id>`: a record whose content is nothing to the log.
    Record(&'static RecordKind, Id),
    /// `sash:stop:<answer>`: an answer whose stop the server has not confirmed.
    Stop(AnswerId),
    /// `sash:z`: the reserve, room kept free for the end of a running answer.
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
            Key::Record(kind, id) => write!(f, "sash:{}:{id}", kind.letter),
            Key::Stop(answer) => write!(f, "sash:stop:{answer}"),
            Key::Reserve => f.write_str("sash:z"),
        }
    }
}

impl Key {
    /// Parses a key; `None` for one that is not of a log with these kinds.
    #[must_use]
    pub fn parse(key: &str, kinds: Kinds) -> Option<Self> {
        // Accept exactly one spelling for each key. Parsing strictly is faster than formatting the key again
        // to compare, and there are thousands of keys at the start.
        let rest = key.strip_prefix("sash:")?;
        let Some((kind, rest)) = rest.split_once(':') else {
            return match rest {
                "meta" => Some(Key::Meta),
                "set" => Some(Key::Settings),
                "z" => Some(Key::Reserve),
                _ => None,
            };
        };
        if kind == "stop" {
            return rest.parse().ok().map(Key::Stop);
        }
        let mut parts = rest.split(':');
        let first: Id = parts.next()?.parse().ok()?;
        let (second, third) = (parts.next(), parts.next());
        if parts.next().is_some() {
            return None;
        }
        match (kind, second, third) {
            ("c", None, None) => Some(Key::Head(first)),
            ("in", None, None) => Some(Key::Import(first)),
            ("x", None, None) => Some(Key::Tombstone(first)),
            ("x", Some(id), None) => Some(Key::Removed(first, id.parse().ok()?)),
            ("s", Some(n), None) => Some(Key::Segment(first, decimal(n)?)),
            ("t", Some(id), Some(n)) => Some(Key::Tail(first, id.parse().ok()?, decimal(n)?)),
            ("m", Some(place), None) => {
                let (seq, id) = place.split_once('-')?;
                Some(Key::Message(first, from_base36(seq)?, id.parse().ok()?))
            }
            (letter, None, None) => Some(Key::Record(kinds.named(letter)?, first)),
            _ => None,
        }
    }

    /// The chat that the key belongs to.
    #[must_use]
    pub fn chat(self) -> Option<Id> {
        match self {
            Key::Head(chat)
            | Key::Tombstone(chat)
            | Key::Removed(chat, _)
            | Key::Segment(chat, _)
            | Key::Message(chat, ..)
            | Key::Tail(chat, ..) => Some(chat),
            Key::Record(kind, id) => kind.is_of_chat.then_some(id),
            Key::Meta | Key::Settings | Key::Import(_) | Key::Stop(_) | Key::Reserve => None,
        }
    }

    /// Whether it is one of a [`RecordKind`] that files have.
    #[must_use]
    pub fn is_in_files(self) -> bool {
        matches!(self, Key::Record(kind, _) if kind.in_files)
    }

    /// Whether the revisions of its records are counted on over removals.
    pub(super) fn is_counted_on(self) -> bool {
        matches!(self, Key::Record(kind, _) if kind.rewrites == Rewrites::CountedOn)
    }

    /// Whether the value under this key is a record with a version and a checksum.
    #[must_use]
    pub fn is_record(self) -> bool {
        !matches!(self, Key::Meta | Key::Reserve)
    }

    /// The key that an unreadable record is moved to.
    #[must_use]
    pub fn quarantined(self) -> String {
        format!("{QUARANTINE_PREFIX}{self}")
    }
}

/// Parses a number exactly as `Display` writes it.
fn decimal(text: &str) -> Option<u32> {
    let spelt = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| spelt)
}

/// Parses a number exactly as [`base36`] writes it.
fn from_base36(text: &str) -> Option<u32> {
    let digit = |b: u8| b.is_ascii_digit() || b.is_ascii_lowercase();
    let spelt = text.len() == SEQ_WIDTH && text.bytes().all(digit);
    u32::from_str_radix(text, 36).ok().filter(|_| spelt)
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
    use crate::kind::samples::KINDS;

    #[test]
    fn keys_are_read_as_they_are_written_and_sort_in_order() {
        let mut keys = vec![
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
        keys.extend(KINDS.all().map(|kind| Key::Record(kind, Id(5))));
        for key in keys {
            assert_eq!(Key::parse(&key.to_string(), KINDS), Some(key), "{key}");
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
            "sash:text-size",
            "sash:language",
            "sash:m:0000000000000001:z-0000000000000002",
            "日本",
            "sash:t:0000000000000001:0000000000000002:+1",
            "sash:t:0000000000000001:0000000000000002:",
            "sash:t:0000000000000001:0000000000000002",
            "sash:s:0000000000000001:00",
            "sash:m:0000000000000001:00000Z-0000000000000002",
            "sash:m:0000000000000001:+0000z-0000000000000002",
            "sash:m:0000000000000001:00000z-0000000000000002:1",
            "sash:x:0000000000000001:0000000000000002:0000000000000003",
        ] {
            assert_eq!(Key::parse(foreign, KINDS), None, "{foreign}");
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    proptest::proptest! {
        /// Whatever parses as a key is formatted as the same text.
        #[test]
        fn a_key_has_one_spelling(
            text in "sash:(meta|set|z|c|m|t|x|s|d|q|f|p|b|in|bad)?(:(000000000000000[0-9a-fA-F]|[+0]?[0-9]{0,3}|[0-9a-zA-Z+]{6}-000000000000000[0-9a-f]|)){0,4}",
        ) {
            if let Some(key) = Key::parse(&text, KINDS) {
                proptest::prop_assert_eq!(key.to_string(), text);
            }
        }

        #[test]
        fn any_key_is_read_as_it_is_written(chat: u64, id: u64, n: u32, seq in 0..36u32.pow(6) - 1) {
            for key in [
                Key::Message(Id(chat), seq, Id(id)),
                Key::Tail(Id(chat), Id(id), n),
                Key::Segment(Id(chat), n),
                Key::Removed(Id(chat), Id(id)),
                Key::Tombstone(Id(chat)),
                Key::Import(Id(id)),
            ].into_iter().chain(KINDS.all().map(|kind| Key::Record(kind, Id(id)))) {
                proptest::prop_assert_eq!(Key::parse(&key.to_string(), KINDS), Some(key));
            }
        }
    }
}
