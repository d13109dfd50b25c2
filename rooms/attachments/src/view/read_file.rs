//! Reads a file that is no image: text in Unicode in the browser, documents and other encodings by the server.

use crate::adding::unicode::decode_unicode;
use crate::call::extract;
use crate::{DocumentFault, DocumentFormat, ExtractRequest, FileDraft, FileEncoding};
use sash_browser_kit::file;
use sash_chat::MAX_TEXT_BYTES;
use sash_log::image::encode_image;
use sash_wire::{Fault, RoomFaults};
use sash_words::t;
use std::sync::Arc;
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
        return Err(t!(attachments.file_empty).to_owned());
    }
    if let Some(format) = DocumentFormat::of(head) {
        if length > MAX_DOCUMENT_BYTES {
            return Err(t!(attachments.file_too_large).to_owned());
        }
        let bytes = file::read(file).await.ok_or(unreadable())?;
        let data = encode_image(&bytes);
        drop(bytes);
        if format == DocumentFormat::Html {
            return read_in(file.name(), data.into(), None, true).await;
        }
        let request = ExtractRequest {
            data,
            encoding: None,
        };
        let extracted = extract(request).await;
        let extracted = extracted.map_err(|fault| not_added(&fault.into()))?;
        return Ok(FileDraft::of_document(file.name(), extracted));
    }
    if head.contains(&0) && !may_be_utf16(head) {
        return Err(no_text().to_owned());
    }
    // A file of a gigabyte is not read at all.
    if length > 2 * MAX_TEXT_BYTES as u64 {
        return Err(too_long().to_owned());
    }
    let bytes = file::read(file).await.ok_or(unreadable())?;
    match decode_unicode(bytes) {
        Ok(text) if text.len() > MAX_TEXT_BYTES => Err(too_long().to_owned()),
        Ok(text) if text.contains('\0') => Err(no_text().to_owned()),
        Ok(text) => Ok(FileDraft::of_text(file.name(), text)),
        Err(bytes) => read_in(file.name(), encode_image(&bytes).into(), None, false).await,
    }
}

/// Reads a file again, in the encoding that a person chose.
pub async fn read_again(file: &FileDraft, chosen: &str) -> Result<FileDraft, String> {
    let encoding = file.encoding.as_ref().ok_or(unreadable())?;
    // It was read before: a fault is none of its type.
    read_in(
        file.name.clone(),
        Arc::clone(&encoding.data),
        Some(chosen),
        true,
    )
    .await
}

/// Reads HTML or text in an encoding that is chosen, or detected by the server.
async fn read_in(
    name: String,
    data: Arc<str>,
    chosen: Option<&str>,
    is_html: bool,
) -> Result<FileDraft, String> {
    let request = ExtractRequest {
        data: data.to_string(),
        encoding: chosen.map(str::to_owned),
    };
    let extracted = extract(request).await.map_err(Fault::from);
    let mut extracted = match extracted {
        Err(fault) if !is_html && DocumentFault::of(&fault).is_some() => {
            return Err(no_text().to_owned());
        }
        Err(fault) => return Err(not_added(&fault)),
        Ok(extracted) if extracted.format == DocumentFormat::Text && extracted.cut => {
            return Err(too_long().to_owned());
        }
        Ok(extracted) => extracted,
    };
    let encoding = extracted.encoding.take();
    let mut draft = FileDraft::of_document(name, extracted);
    let has_errors = || {
        let mut parts = draft.parts.iter();
        parts.any(|part| part.text.contains(char::REPLACEMENT_CHARACTER))
    };
    // What is as usual is not worth a line.
    draft.encoding = encoding
        .filter(|name| chosen.is_some() || name != "UTF-8" || has_errors())
        .map(|name| FileEncoding { name, data });
    Ok(draft)
}

fn not_added(fault: &Fault) -> String {
    t!(attachments.not_added, fault = fault)
}
fn unreadable() -> &'static str {
    t!(attachments.read_failed)
}
fn no_text() -> &'static str {
    t!(attachments.unsupported_type)
}
fn too_long() -> &'static str {
    t!(attachments.text_too_long)
}

/// Whether bytes may be UTF-16: with a mark of its byte order, or with the zeros of ASCII at every second place.
fn may_be_utf16(head: &[u8]) -> bool {
    let zeros = |first: usize| head.iter().skip(first).step_by(2).any(|byte| *byte == 0);
    matches!(head, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) || zeros(0) != zeros(1)
}
