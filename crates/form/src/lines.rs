//! The line format of a Sash file.

use sash_log::split_record;
use serde::Deserialize;
use serde_with::{DefaultOnError, serde_as};

/// The file schema that is written, and the newest that is read.
pub const SCHEMA: u32 = 1;

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportLine<'a> {
    /// The first line.
    Header {
        /// The file's schema.
        schema: u32,
        /// How many messages it should hold.
        messages: u64,
    },
    /// A record.
    Record {
        /// Its key.
        key: &'a str,
        /// Its checksum.
        crc: &'a str,
        /// Its payload.
        data: &'a str,
    },
    /// An image.
    Image,
    /// A record that could not be read where it was exported, unchanged.
    Raw {
        /// Its key.
        key: &'a str,
    },
    /// An empty line.
    Blank,
    /// Any other line.
    Other,
}

#[serde_as]
#[derive(Deserialize)]
struct Header {
    app: String,
    schema: u32,
    #[serde(default)]
    #[serde_as(as = "DefaultOnError")]
    messages: u64,
}

/// What the line of an image begins with; the hash follows.
pub const IMAGE_PREFIX: &str = "{\"image\":\"";

/// Writes the header of a file.
#[must_use]
pub fn header(now: u64, chats: usize, messages: usize) -> String {
    format!(
        "{{\"app\":\"sash\",\"schema\":{SCHEMA},\"exported\":{now},\"chats\":{chats},\"messages\":{messages}}}\n"
    )
}

/// Writes the line of a record `version|crc|payload`; `None` for a record of another form, which is exported
/// [unchanged](raw).
#[must_use]
pub fn line(key: &str, record: &str) -> Option<String> {
    let (crc, data) = split_record(record).filter(|(crc, _)| is_crc(crc))?;
    Some(format!(
        "{{\"key\":\"{key}\",\"crc\":\"{crc}\",\"data\":{data}}}\n"
    ))
}

/// Writes the line of an unreadable record; `found` is the value under the key, as a JSON string.
#[must_use]
pub fn raw(key: &str, found: &str) -> String {
    // Serialising a text cannot fail.
    let key = serde_json::to_string(key).unwrap_or_default();
    format!("{{\"key\":{key},\"raw\":{found}}}\n")
}

fn is_crc(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Parses a line, without comparing its checksum.
#[must_use]
pub fn parse(line: &str) -> ExportLine<'_> {
    let line = line.trim();
    if line.is_empty() {
        return ExportLine::Blank;
    }
    if line.starts_with(IMAGE_PREFIX) {
        return ExportLine::Image;
    }
    let Some(rest) = line.strip_prefix("{\"key\":\"") else {
        return header_of(line).unwrap_or(ExportLine::Other);
    };
    let Some((key, rest)) = rest.split_once('"').filter(|(key, _)| {
        key.bytes()
            .all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\'))
    }) else {
        return ExportLine::Other;
    };
    if rest.starts_with(",\"raw\":\"") && rest.ends_with("\"}") {
        return ExportLine::Raw { key };
    }
    let record = rest
        .strip_prefix(",\"crc\":\"")
        .and_then(|rest| rest.split_once("\",\"data\":"))
        .filter(|(crc, _)| is_crc(crc))
        .and_then(|(crc, data)| Some((crc, data.strip_suffix('}')?)));
    match record {
        Some((crc, data)) => ExportLine::Record { key, crc, data },
        None => ExportLine::Other,
    }
}

fn header_of(line: &str) -> Option<ExportLine<'static>> {
    let header: Header = serde_json::from_str(line).ok()?;
    (header.app == "sash").then_some(ExportLine::Header {
        schema: header.schema,
        messages: header.messages,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        assert_eq!(
            parse(&header(5, 1, 2)),
            ExportLine::Header {
                schema: 1,
                messages: 2
            }
        );
        let written = line("sash:c:1", "1|0123abcd|{\"a\":\"|\"}");
        assert_eq!(
            parse(&written.unwrap()),
            ExportLine::Record {
                key: "sash:c:1",
                crc: "0123abcd",
                data: "{\"a\":\"|\"}"
            }
        );
        assert_eq!(line("sash:c:1", "999|0123abcd|{}"), None);
        let raw = raw("sash:bad:sash:c:1", "\"2|\\\"\\n\"");
        assert_eq!(
            parse(&raw),
            ExportLine::Raw {
                key: "sash:bad:sash:c:1"
            }
        );
        assert_eq!(parse(" \r\n"), ExportLine::Blank);
        for other in [
            "{",
            "{\"key\":\"a",
            "{\"key\":\"a\",\"crc\":\"xyz\",\"data\":1}",
            "{\"key\":\"a\",\"crc\":\"0123abcd\",\"data\":1",
            "{\"app\":\"other\",\"schema\":1}",
            "[]",
            "\u{0}",
        ] {
            assert_eq!(parse(other), ExportLine::Other, "{other}");
        }
    }
}
