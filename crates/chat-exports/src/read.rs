//! Reads one chat, and recognises the program that wrote it.

use super::assets::Assets;
use super::chat::{ExportedChat, ReaderVersion};
use super::hash::hash;
use super::list_reader::ListItem;
use super::{chatgpt, claude, hollama, librechat, lmstudio, openwebui};
use serde_json::Value;
use std::borrow::Cow;

/// A chat that was read.
pub struct ReadChat {
    /// The chat.
    pub chat: ExportedChat,
    /// The chat as it was [formerly](ReaderVersion::Former) read.
    pub former: ExportedChat,
}

/// Why a value is not read as a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoChat {
    /// It has too many parts to be read at once.
    TooLarge,
    /// It is of no known form.
    Unknown,
    /// It is not JSON.
    NoJson,
}

/// Reads an item of a list. If it asks for [files](Assets::take_wanted) that are not read yet, it must be read again.
///
/// # Errors
/// [`NoChat`].
pub fn read_item(item: &ListItem, assets: &Assets) -> Result<ReadChat, NoChat> {
    let bytes = match item {
        ListItem::Text(bytes) => bytes,
        ListItem::TooLarge { is_object: true } => return Err(NoChat::TooLarge),
        // A list or a text is no chat, however long it is.
        ListItem::TooLarge { is_object: false } => return Err(NoChat::Unknown),
    };
    let text = std::str::from_utf8(bytes).map_err(|_| NoChat::NoJson)?;
    let value: Value = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&replace_lone_surrogates(text)))
        .ok()
        .or_else(|| librechat::flatten(&replace_lone_surrogates(text)))
        .ok_or(NoChat::NoJson)?;
    let read = |reading| {
        let mut chat = read_as(&value, assets, reading)?;
        chat.reading = reading;
        if chat.id.is_empty() {
            chat.id = format!("{:016x}", hash(0, text.as_bytes()));
        }
        Some(chat)
    };
    let (chat, former) = (read(ReaderVersion::Now), read(ReaderVersion::Former));
    Ok(ReadChat {
        chat: chat.ok_or(NoChat::Unknown)?,
        former: former.ok_or(NoChat::Unknown)?,
    })
}

/// Reads a value as a chat of the program that wrote it; `None` for any other value.
fn read_as(value: &Value, assets: &Assets, reading: ReaderVersion) -> Option<ExportedChat> {
    Some(match value {
        value if chatgpt::is(value) => chatgpt::read(value, assets, reading),
        value if claude::is(value) => claude::read(value, assets, reading),
        value if librechat::is(value) => librechat::read(value, assets, reading),
        value if lmstudio::is(value) => lmstudio::read(value, assets),
        value if openwebui::is(value) => openwebui::read(value, reading),
        value if hollama::is(value) => hollama::read(value),
        _ => return None,
    })
}

/// Replaces unpaired surrogate escapes (`\ud83d`) with U+FFFD and keeps the rest: other programs cut texts in
/// the middle of a character, and JSON parsers refuse the result.
fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let unit = |at: usize| -> Option<u32> {
        let hex = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(hex, 16).ok()
    };
    let mut out = String::new();
    let (mut at, mut kept) = (0, 0);
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| rest.iter().position(|b| *b == b'\\'))
    {
        at += found;
        match unit(at) {
            Some(0xd800..=0xdbff) => {
                let low = unit(at + 6).filter(|low| (0xdc00..=0xdfff).contains(low));
                if low.is_none() {
                    out.push_str(text.get(kept..at).unwrap_or_default());
                    out.push_str("\\ufffd");
                    kept = at + 6;
                }
                at += if low.is_some() { 12 } else { 6 };
            }
            Some(0xdc00..=0xdfff) => {
                out.push_str(text.get(kept..at).unwrap_or_default());
                out.push_str("\\ufffd");
                at += 6;
                kept = at;
            }
            // Skip an escape of two characters: its second one may be a backslash.
            _ => at += 2,
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_pairs_are_mended_and_nothing_else() {
        for (text, expected) in [
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (
                r#""\ude00\ud83d\ude00\ud83d\u0041""#,
                r#""\ufffd\ud83d\ude00\ufffd\u0041""#,
            ),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            ("\"日本\\n\"", "\"日本\\n\""),
            ("\"\\u", "\"\\u"),
            ("\\", "\\"),
        ] {
            assert_eq!(replace_lone_surrogates(text), expected);
        }
    }
}
