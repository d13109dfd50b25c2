//! Reads one chat of another program's list.

use super::assets::Assets;
use super::damage::has_marks;
use super::foreign::{Foreign, Reading};
use super::hash::hash;
use super::list_reader::ListItem;
use super::split::{Span, span};
use super::{
    Incoming, Skip, SourceProgram, chatgpt, claude, hollama, librechat, lmstudio, openwebui,
};
use serde_json::Value;
use std::borrow::Cow;

/// A chat of another program that was read, or why it is left out.
pub struct ReadChat {
    pub(super) read: Result<(SourceProgram, Incoming), Skip>,
    /// Whether it is no JSON, but may have been a chat.
    pub(super) is_damaged: bool,
}

/// Reads an item of a list.
pub(super) fn read_item(item: &ListItem, assets: &Assets, now: u64) -> ReadChat {
    let bytes = match item {
        ListItem::Text(bytes) => bytes,
        ListItem::TooLarge { is_object } => {
            return ReadChat {
                // A list or a text is no chat, however long it is.
                read: Err(match is_object {
                    true => Skip::TooLarge,
                    false => Skip::Unknown,
                }),
                is_damaged: false,
            };
        }
    };
    let text = std::str::from_utf8(bytes).map_err(|_| Skip::NoJson);
    let read = text.and_then(|text| {
        let whole = span(text, 0).ok_or(Skip::NoJson)?;
        read(text, &whole, assets, now)
    });
    ReadChat {
        is_damaged: matches!(read, Err(Skip::NoJson)) && has_marks(bytes),
        read,
    }
}

/// Reads the chat at this span of the text, and recognises its program.
pub fn read(
    text: &str,
    span: &Span,
    assets: &Assets,
    now: u64,
) -> Result<(SourceProgram, Incoming), Skip> {
    let text = text.get(span.at.clone()).unwrap_or_default();
    if !span.is_small {
        return Err(match text.starts_with('{') {
            true => Skip::TooLarge,
            false => Skip::Unknown,
        });
    }
    let value: Value = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&replace_lone_surrogates(text)))
        .ok()
        .or_else(|| librechat::flatten(&replace_lone_surrogates(text)))
        .ok_or(Skip::NoJson)?;
    let kind = program(&value).ok_or(Skip::Unknown)?;
    let read = |reading| {
        let mut foreign = read_as(kind, &value, assets, reading);
        foreign.reading = reading;
        // A chat without an id gets one derived from its content.
        if foreign.id.is_empty() {
            foreign.id = format!("{:016x}", hash(0, text.as_bytes()));
        }
        foreign.into_incoming(now)
    };
    let mut incoming = read(Reading::Now);
    let former = read(Reading::Former).messages;
    if former != incoming.messages {
        incoming.former = former;
    }
    Ok((kind, incoming))
}

/// The program that wrote a chat.
fn program(value: &Value) -> Option<SourceProgram> {
    Some(match value {
        value if chatgpt::is(value) => SourceProgram::ChatGpt,
        value if claude::is(value) => SourceProgram::Claude,
        value if librechat::is(value) => SourceProgram::LibreChat,
        value if lmstudio::is(value) => SourceProgram::LmStudio,
        value if openwebui::is(value) => SourceProgram::OpenWebUi,
        value if hollama::is(value) => SourceProgram::Hollama,
        _ => return None,
    })
}

fn read_as(kind: SourceProgram, value: &Value, assets: &Assets, reading: Reading) -> Foreign {
    match kind {
        SourceProgram::ChatGpt => chatgpt::read(value, assets, reading),
        SourceProgram::Claude => claude::read(value, assets, reading),
        SourceProgram::LibreChat => librechat::read(value, assets, reading),
        SourceProgram::LmStudio => lmstudio::read(value, assets),
        SourceProgram::OpenWebUi => openwebui::read(value, reading),
        SourceProgram::Hollama => hollama::read(value),
        SourceProgram::Sash => Foreign::default(),
    }
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
