//! Reads a file that is no image: text in the browser, documents by the server.

use crate::api;
use crate::browser::file;
use sash_chat::MAX_TEXT_BYTES;
use sash_log::image::encode_image;
use sash_state::FileDraft;
use sash_wire::ExtractRequest;
use sash_words::t;
use web_sys::File;

/// The longest document that is sent to the server, in bytes: in base64 it stays below the server's limit.
const MAX_DOCUMENT_BYTES: u64 = 16_000_000;
/// How much of a file is looked at to tell its type, in bytes.
const HEAD_BYTES: u64 = 4_096;

/// The first bytes of a file; empty if it cannot be read.
pub async fn head(file: &File) -> Vec<u8> {
    let end = HEAD_BYTES.min(file.size() as u64);
    file::read_range(file, 0..end).await.unwrap_or_default()
}

/// Reads the text of a file. The error is a sentence that follows the file's name.
pub async fn read_file(file: &File, head: &[u8]) -> Result<FileDraft, String> {
    let length = file.size() as u64;
    if length == 0 {
        return Err(t!(attachments.is_empty).to_owned());
    }
    if is_document(head) {
        if length > MAX_DOCUMENT_BYTES {
            return Err(t!(attachments.is_larger_than_16_mb_save).to_owned());
        }
        let bytes = file::read(file).await.ok_or(unreadable())?;
        let data = encode_image(&bytes);
        drop(bytes);
        let extracted = api::extract(ExtractRequest { data }).await;
        let extracted = extracted
            .map_err(|fault| t!(attachments.was_not_added, fault = &fault.into_fault()))?;
        return Ok(FileDraft::of_document(file.name(), extracted));
    }
    if head.contains(&0) && utf16_order(head).is_none() {
        return Err(no_text().to_owned());
    }
    // A file of a gigabyte is not read at all.
    if length > 2 * MAX_TEXT_BYTES as u64 {
        return Err(too_long().to_owned());
    }
    let bytes = file::read(file).await.ok_or(unreadable())?;
    let text = decode(bytes).ok_or(no_text())?;
    match text.len() > MAX_TEXT_BYTES {
        true => Err(too_long().to_owned()),
        false => Ok(FileDraft::of_text(file.name(), text)),
    }
}

fn unreadable() -> &'static str {
    t!(attachments.could_not_be_read)
}
fn no_text() -> &'static str {
    t!(attachments.is_of_no_type_that_can)
}
fn too_long() -> &'static str {
    t!(attachments.has_more_than_2_mb_of)
}

/// Whether the server reads a file: by its content, whatever its name says.
fn is_document(head: &[u8]) -> bool {
    let start = head.get(..head.len().min(1_024)).unwrap_or_default();
    let text = String::from_utf8_lossy(start)
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
        .to_ascii_lowercase();
    start.windows(5).any(|bytes| bytes == b"%PDF-")
        || start.starts_with(b"PK\x03\x04")
        || text.starts_with("<!doctype html")
        || text.starts_with("<html")
}

/// Whether a text is UTF-16 with a mark of its byte order: little-endian is true.
fn utf16_order(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0xff, 0xfe, ..] => Some(true),
        [0xfe, 0xff, ..] => Some(false),
        _ => None,
    }
}

/// The text of a file, in UTF-8, in UTF-16 with a mark, or in Latin 1; `None` if it has characters that no text has.
fn decode(bytes: Vec<u8>) -> Option<String> {
    let text = match utf16_order(&bytes) {
        Some(little) => {
            let units = bytes.get(2..).unwrap_or_default().chunks_exact(2);
            let units = units.filter_map(|pair| <[u8; 2]>::try_from(pair).ok());
            let units = units.map(|pair| match little {
                true => u16::from_le_bytes(pair),
                false => u16::from_be_bytes(pair),
            });
            char::decode_utf16(units)
                .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect()
        }
        None => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
        },
    };
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    (!text.contains('\0')).then_some(text)
}
