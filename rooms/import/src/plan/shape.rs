//! Recognises the program that wrote a file.

use super::ImportError;
use super::formats::is_web_page;
use super::phase::DryRunPhase;
use chat_exports::json::{Items, field, skip_blank, span};
use sash_form::lines::{self, ExportLine, SCHEMA};
use std::collections::BTreeMap;

/// Recognises the program by the file's structure. Where the list of chats is a string within the file,
/// `text` becomes that string. Which other program it is shows when their first chat is read.
pub(super) fn shape(text: &mut String) -> Result<DryRunPhase, ImportError> {
    let at = skip_blank(text, 0);
    let rest = text.get(at..).unwrap_or_default();
    // Try several lines: the first one may be damaged.
    for line in rest.lines().take(3) {
        match lines::parse(line) {
            ExportLine::Header { schema, .. } if schema > SCHEMA => return Err(ImportError::Newer),
            ExportLine::Header { .. } | ExportLine::Record { .. } | ExportLine::Raw { .. } => {
                return Ok(DryRunPhase::Lines {
                    at,
                    chats: BTreeMap::new(),
                    order: Vec::new(),
                    folders: Vec::new(),
                });
            }
            ExportLine::Image | ExportLine::Blank | ExportLine::Other => {}
        }
    }
    if rest.is_empty() {
        return Err(ImportError::Empty);
    }
    match text.as_bytes().get(at) {
        Some(b'[') => Ok(DryRunPhase::Items(Items::new(at))),
        Some(b'{') => match field(text, at, "hollama-sessions") {
            Some(list) => {
                let found = text.get(list.clone()).unwrap_or_default();
                if found.starts_with('[') {
                    return Ok(DryRunPhase::Items(Items::new(list.start)));
                }
                // A dump of localStorage: the list is a string.
                *text = serde_json::from_str(found).map_err(|_| ImportError::Unknown)?;
                let at = skip_blank(text, 0);
                match text.as_bytes().get(at) {
                    Some(b'[') => Ok(DryRunPhase::Items(Items::new(at))),
                    _ => Err(ImportError::Unknown),
                }
            }
            None => Ok(DryRunPhase::One(
                span(text, at).ok_or(ImportError::Unknown)?,
            )),
        },
        _ if is_web_page(text.as_bytes()) => Err(ImportError::WebPage),
        _ => Err(ImportError::Unknown),
    }
}
