//! The text of a PDF, page by page.

use super::refusal::ExtractRefusal;
use pdf_extract::{Document, OutputError, extract_text_from_mem_by_pages};

/// The text of each page.
pub fn pages(document: &[u8]) -> Result<Vec<String>, ExtractRefusal> {
    let pages =
        extract_text_from_mem_by_pages(document).map_err(|error| refusal(&error, document))?;
    let trimmed = |page: String| page.trim().to_owned();
    Ok(pages.into_iter().map(trimmed).collect())
}

fn refusal(_: &OutputError, document: &[u8]) -> ExtractRefusal {
    let loaded = Document::load_mem(document);
    match loaded.is_ok_and(|document| document.is_encrypted()) {
        true => ExtractRefusal::Encrypted,
        false => ExtractRefusal::Damaged,
    }
}
